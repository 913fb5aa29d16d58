package io.github.sparkbic.operator.state

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException, StateLayout}
import io.github.sparkbic.index.format.StateLayout.KeptMagic
import io.github.sparkbic.index.kernels.LongInterner
import io.github.sparkbic.operator.block.VertexIds

/** What the state of a graph must hold beside the edges of the windows to come, by the question: the kind is saved with the
  * shape of the query, and a [[KeptPart]] has the content. A query that is started again must ask for the same, or rows
  * would be missing, or come twice.
  *
  * @param tag the number in a saved shape
  */
private[sparkbic] sealed abstract class Kept(tag: Int) extends Product with Serializable {

  /** Whether each window is compared with the window before. */
  final def comparesWindows: Boolean =
    comparesComponents || tag == StateLayout.Updates || tag == StateLayout.Events

  /** Whether it is the components of windows that are compared. */
  final def comparesComponents: Boolean = tag == StateLayout.Compared || tag == StateLayout.Named

  /** Whether rows may come before their window closes. */
  final def isEarly: Boolean = tag == StateLayout.Early || tag == StateLayout.EarlyVertices

  /** Whether the state holds for which windows rows have come. */
  final def hasEmitted: Boolean = isEarly || tag == StateLayout.Updates

  /** Whether components keep their names from window to window. */
  final def hasNames: Boolean = tag == StateLayout.Named

  /** Whether events come beside the edges, and may wait. */
  final def hasEvents: Boolean = tag == StateLayout.Events

  /** Whether the layout `panes` keeps the [[KeptPart]] as a value of its own. */
  final def hasValue: Boolean = hasNames || hasEmitted

  /** Where the rows are updates of the rows of the window before, the least size of the components that count; else 0. */
  def updatesFrom: Long = 0

  /** What a new graph keeps. */
  private[operator] final def empty(panes: Panes): KeptPart = this match {
    case Kept.Emitted                        => new EmittedPairs(panes)
    case Kept.EmittedVertices | Kept.Updates => new EmittedVertices(panes, ofLast = comparesWindows)
    case Kept.Events                         => new WaitingEvents
    case _                                   => KeptNames.none
  }

  final def save(out: BinaryWriter): Unit = {
    out.unsigned(tag.toLong)
    if (comparesComponents) out.unsigned(updatesFrom)
  }

  /** Says what a query does that has this kept.
    * @param other what another query keeps, from which this one is told apart
    */
  final def describe(other: Kept): String = {
    val does = this match {
      case Kept.Nothing if other.isEarly => "gives no row before its window closes, as without early"
      case Kept.Nothing                  => "does not compare windows"
      case Kept.WindowBefore(0)          => "compares each window with the window before"
      case Kept.WindowBefore(_)          => ""
      case Kept.Names(_)                 => "keeps the names of components, as stable does"
      case Kept.Emitted                  => "gives rows before their window closes, as early does"
      case Kept.EmittedVertices =>
        "gives rows of vertices before their window closes, as bicConnectedTo does with early"
      case Kept.Updates =>
        "gives the vertices that differ from the window before, as bicConnectedTo does with updates_only"
      case Kept.Events => "answers events, as bicAsOf does"
    }
    val updates =
      if (updatesFrom == 0) ""
      else s"gives updates_only, of components of at least $updatesFrom vertices"
    Seq(does, updates).filter(_.nonEmpty).mkString(", and ")
  }
}

private[sparkbic] object Kept {
  case object Nothing extends Kept(StateLayout.Apart)

  /** The window answered last. */
  final case class WindowBefore(override val updatesFrom: Long = 0) extends Kept(StateLayout.Compared)

  /** The window answered last, and the names of its components ([[KeptNames]]). */
  final case class Names(override val updatesFrom: Long = 0) extends Kept(StateLayout.Named)

  /** The open windows for which rows have come ([[EmittedPairs]]). */
  case object Emitted extends Kept(StateLayout.Early)

  /** The open windows for which rows of vertices have come ([[EmittedVertices]]). */
  case object EmittedVertices extends Kept(StateLayout.EarlyVertices)

  /** The vertices with a row in the window answered last ([[EmittedVertices]]). */
  case object Updates extends Kept(StateLayout.Updates)

  /** One more pane than a window of a question has: the windows that end where an event's pane starts may all be asked. */
  case object Events extends Kept(StateLayout.Events)

  /** Reads the bytes of [[Kept.save]]. */
  def restore(in: BinaryReader): Kept = in.below(7, "what is kept beside the windows") match {
    case StateLayout.Apart         => Nothing
    case StateLayout.Compared      => WindowBefore(in.unsigned())
    case StateLayout.Named         => Names(in.unsigned())
    case StateLayout.Early         => Emitted
    case StateLayout.EarlyVertices => EmittedVertices
    case StateLayout.Updates       => Updates
    case StateLayout.Events        => Events
  }
}

/** What is kept of a graph beside its edges: component names, the windows for which rows have come, or waiting events. A new
  * kind of content extends this trait, and [[Kept]] names it.
  *
  * The layout `panes` keeps it as a value of its own, but events as parts of panes. In such a value, vertices that are strings
  * are positions in the names at the end of the value, since the numbers of names live in memory alone.
  */
private[operator] trait KeptPart {

  /** The number of components with a name, of pairs or vertices with rows, or of events. */
  def size: Int

  /** The rows of pairs that have come, where these are kept. */
  def ofPairs: EmittedPairs = throw new IllegalStateException("no rows of pairs are kept")

  /** The rows of vertices that have come, where these are kept. */
  def ofVertices: EmittedVertices = throw new IllegalStateException("no rows of vertices are kept")

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

  /** The bytes of a value of its own.
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

  /** Reads the bytes of [[KeptPart.toPart]], on ids of a graph. */
  def read(shape: StateShape, bytes: Option[Array[Byte]], ids: VertexIds, graph: Int): KeptPart = {
    val what =
      if (shape.kept.hasEmitted) "its emitted windows"
      else "the names of its components"
    val own = bytes.getOrElse(throw new CorruptStateException(s"$what are missing"))
    val in = StateFrame.open(KeptMagic, StatePlace.Beside.hash(graph), own)
    val part = shape.kept.empty(shape.panes).restore(in, ids.unpacked(in, _))
    in.expectEnd()
    part
  }
}
