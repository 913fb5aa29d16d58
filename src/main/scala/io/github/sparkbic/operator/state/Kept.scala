package io.github.sparkbic.operator.state

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{
  BinaryReader,
  BinaryWriter,
  CorruptStateException,
  StateLayout => Tags
}
import io.github.sparkbic.index.format.StateLayout.KeptMagic
import io.github.sparkbic.index.kernels.LongInterner
import io.github.sparkbic.operator.block.VertexIds

/** What the state of a graph must hold beside the edges of the windows to come, by the question: the kind is saved with the
  * shape of the query, and a [[KeptPart]] has the content. A query that is started again must ask for the same, or rows
  * would be missing, or come twice.
  *
  * @param tag         the kind, as a saved shape has it
  * @param does        what a query does that has this kept
  * @param updatesFrom where the rows are updates of the components of the window before, the least size of the components
  *   that count; else 0
  */
private[sparkbic] final case class Kept(tag: Int, does: String, updatesFrom: Long = 0) {

  /** Whether each window is compared with the window before; events need the panes of the window before, too. */
  def comparesWindows: Boolean = comparesComponents || tag == Tags.Updates || tag == Tags.Events

  def comparesComponents: Boolean = tag == Tags.Compared || tag == Tags.Named

  /** Whether rows may come before their window closes. */
  def isEarly: Boolean = tag == Tags.Early || tag == Tags.EarlyVertices

  /** Whether the state holds for which windows rows have come. */
  def hasEmitted: Boolean = isEarly || tag == Tags.Updates

  def hasNames: Boolean = tag == Tags.Named
  def hasEvents: Boolean = tag == Tags.Events

  /** Whether the layout `panes` keeps the [[KeptPart]] as a value of its own. */
  def hasValue: Boolean = hasNames || hasEmitted

  private[operator] def empty(panes: Panes): KeptPart =
    if (hasEmitted) new EmittedRows(panes, ofPairs = tag == Tags.Early, ofLast = comparesWindows)
    else if (hasEvents) new WaitingEvents
    else KeptNames.none

  def save(out: BinaryWriter): Unit = {
    out.unsigned(tag.toLong)
    if (comparesComponents) out.unsigned(updatesFrom)
  }

  /** Says what a query does that has this kept, beside another query. */
  def describe(other: Kept): String =
    if (this == Kept.Nothing && other.isEarly) "gives no row before its window closes, as without early"
    else if (updatesFrom == 0) does
    else {
      val updates = s"gives updates_only, of components of at least $updatesFrom vertices"
      if (hasNames) s"$does, and $updates" else updates
    }
}

private[sparkbic] object Kept {
  val Nothing: Kept = Kept(Tags.Apart, "does not compare windows")

  /** The window answered last. */
  def WindowBefore(updatesFrom: Long = 0): Kept =
    Kept(Tags.Compared, "compares each window with the window before", updatesFrom)

  /** The window answered last, and the names of its components ([[KeptNames]]). */
  def Names(updatesFrom: Long = 0): Kept =
    Kept(Tags.Named, "keeps the names of components, as stable does", updatesFrom)

  // The open windows for which rows of pairs or of vertices have come, and the vertices with a row in the window answered
  // last ([[EmittedRows]]).
  val Emitted: Kept = Kept(Tags.Early, "gives rows before their window closes, as early does")
  val EmittedVertices: Kept = Kept(
    Tags.EarlyVertices,
    "gives rows of vertices before their window closes, as bicConnectedTo does with early"
  )
  val Updates: Kept = Kept(
    Tags.Updates,
    "gives the vertices that differ from the window before, as bicConnectedTo does with updates_only"
  )

  /** One more pane than a window of a question has: the windows that end where an event's pane starts may all be asked. */
  val Events: Kept = Kept(Tags.Events, "answers events, as bicAsOf does")

  // By tag.
  private val all = Seq(Nothing, WindowBefore(), Names(), Emitted, EmittedVertices, Updates, Events)

  def restore(in: BinaryReader): Kept = {
    val kept = all(in.below(all.size, "what is kept beside the windows"))
    if (kept.comparesComponents) kept.copy(updatesFrom = in.unsigned()) else kept
  }
}

/** What is kept of a graph beside its edges: component names, the windows for which rows have come, or waiting events. A new
  * kind of content extends this trait, and [[Kept]] names it. The layout `panes` keeps it as a value of its own, but events as
  * parts of panes.
  */
private[operator] trait KeptPart {

  /** The number of components with a name, of pairs or vertices with rows, or of events. */
  def size: Int

  /** The rows that have come, or the events that wait, where these are kept. */
  def emitted: EmittedRows = throw new IllegalStateException("no rows are kept")
  def waiting: WaitingEvents = throw new IllegalStateException("no events are kept")

  /** Forgets what only windows need that are complete when all panes before `firstOpen` are. */
  def forgetBefore(firstOpen: Long): Unit = ()

  /** Visits the vertices that must keep their ids as long as this is kept: those that [[save]] writes. */
  def foreachId(visit: Long => Unit): Unit

  /** @param shown a vertex as it is written; it keeps the order in which [[foreachId]] visits the vertices first */
  def save(out: BinaryWriter, shown: Long => Long = identity): Unit

  /** Reads the bytes of [[save]], into this part, which is empty, or into another one.
    * @param known gives ids of the graph for the vertices as they were written
    */
  private[state] def restore(in: BinaryReader, known: Array[Long] => Array[Long] = identity): KeptPart

  /** The bytes of a value of its own. There, vertices that are strings are positions in the names at the end of the value,
    * since the numbers of names live in memory alone.
    * @param graph by [[StatePlace.graph]]
    */
  private[state] final def toPart(ids: VertexIds, graph: Int): Array[Byte] = {
    lazy val held = new LongInterner
    val names = ids.packed {
      foreachId(id => held.intern(id): Unit)
      held.toArray
    }
    val out = new BinaryWriter
    save(out, if (names.isEmpty) identity else id => held.find(id).toLong)
    names.foreach(out.raw)
    StateFrame.seal(KeptMagic, StatePlace.Beside.hash(graph), out)
  }
}

private[state] object KeptPart {

  def read(shape: StateShape, bytes: Option[Array[Byte]], ids: VertexIds, graph: Int): KeptPart = {
    val what = if (shape.kept.hasEmitted) "its emitted windows" else "the names of its components"
    val own = bytes.getOrElse(throw new CorruptStateException(s"$what are missing"))
    val in = StateFrame.open(KeptMagic, StatePlace.Beside.hash(graph), own)
    val part = shape.kept.empty(shape.panes).restore(in, ids.unpacked(in, _))
    in.expectEnd()
    part
  }
}
