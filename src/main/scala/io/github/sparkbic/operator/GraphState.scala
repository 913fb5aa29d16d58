package io.github.sparkbic.operator

import java.util.zip.CRC32C

import io.github.sparkbic.index.{
  BinaryReader,
  BinaryWriter,
  ConnectivityIndex,
  CorruptStateException,
  IndexSize,
  PaneBlock,
  Panes,
  WindowCursor
}

/** What of a stateful query must stay the same for its checkpoint to be of use. */
private[sparkbic] final case class StateShape(
    indexName: String,
    panes: Panes,
    strings: Boolean,
    comparesWindows: Boolean = false
) {

  /** Runs its argument for every vertex of the index that an answer to come may show. */
  def liveVertices(cursor: WindowCursor)(visit: Long => Unit): Unit = {
    cursor.index.vertices(visit)
    if (comparesWindows && cursor.isLive)
      cursor.index.components(cursor.nextWindow - panes.perSlide)((vertex, _) => visit(vertex))
  }
}

/** One graph of a streaming query between two micro-batches.
  *
  * In bytes, so that a checkpoint does not depend on how Java, Kryo or an encoder lays out an object:
  *
  * {{{
  * magic "SBIC", format version, length of the payload, CRC-32C of the payload   (4 bytes each, little-endian)
  * payload:
  *   name of the index; window, slide, start time; the number of other windows, and how long they are; 1 if windows
  *   are compared, else 0
  *   first pane not closed, newest pane fed to the index
  *   vertex ids (VertexIds.save), pending panes (PendingPanes.save), edges per pane (PaneCounts.save)
  *   if an edge is live: the index (ConnectivityIndex.save), the numbers of its vertices and links (4 bytes each)
  * }}}
  *
  * The index is read only when a pane closes or a window is due; until then its bytes are carried over as they are, so
  * a micro-batch that only adds to open panes does not pay for the size of the window. That holds for a graph that stays
  * alive from one micro-batch to the next as well: it knows the bytes that its index was saved as last.
  */
private[operator] final class GraphState private (
    shape: StateShape,
    val ids: VertexIds,
    val pending: PendingPanes,
    val counts: PaneCounts,
    savedFed: Long,
    savedNewest: Long,
    private var savedIndex: Option[GraphState.SavedIndex]
) extends StreamedGraph {
  private var restored = Option.empty[WindowCursor]
  // Whether the index may differ from `savedIndex`.
  private var indexChanged = false

  override def cursor: WindowCursor = {
    indexChanged = true
    restored.getOrElse {
      val index = savedIndex match {
        case None => ConnectivityIndex.create(shape.indexName, shape.panes)
        case Some(saved) =>
          val in = new BinaryReader(saved.bytes, saved.from, saved.from + saved.length)
          val index = ConnectivityIndex.restore(shape.indexName, shape.panes, in)
          in.expectEnd()
          if (shape.strings) index.vertices { id =>
            if (!ids.isKnown(id)) throw new CorruptStateException(s"vertex number $id has no name")
          }
          index
      }
      val cursor = new WindowCursor(shape.panes, index, shape.comparesWindows, savedFed, savedNewest)
      restored = Some(cursor)
      cursor
    }
  }

  override def add(block: PackedBlock): Unit = {
    counts.add(block.pane, block.edges)
    pending.add(block.pane, ids.forest(block))
  }

  override def take(horizon: Long): Iterator[PaneBlock] = pending.take(horizon)

  /** Vertices and links in the index, as of the last [[toBytes]], or else of the saved state. */
  override def indexSize: IndexSize = savedIndex.fold(IndexSize.Zero)(_.size)

  override def pendingLinks: Long = pending.links

  /** Whether an edge that the index holds is part of a window to come. */
  def isLive: Boolean = restored.fold(
    WindowCursor.isLive(shape.panes, shape.comparesWindows, savedFed, savedNewest)
  )(_.isLive)

  private def fed: Long = restored.fold(savedFed)(_.closed)

  private def newestPane: Long = restored.fold(savedNewest)(_.newestPane)

  override def nextEnd: Option[Long] =
    WindowCursor.nextEnd(shape.panes, shape.comparesWindows, fed, newestPane, pending.firstPane)

  override def isDue(horizon: Long): Boolean =
    pending.firstPane.exists(_ < horizon) || nextEnd.exists(_ <= horizon)

  /** The first violation of what holds between two micro-batches, if there is one; O(what is pending). An index checks
    * itself when it is read.
    */
  private def violation: Option[String] =
    if (savedNewest != Long.MinValue && savedNewest >= savedFed)
      Some(s"its edges go up to pane $savedNewest, but only the panes before $savedFed are closed")
    else if (isLive && savedIndex.isEmpty) Some("it has live edges, but no index")
    else if (!isLive && savedIndex.nonEmpty) Some("it has an index, but no live edge")
    else if (pending.firstPane.exists(_ < savedFed))
      Some(s"pane ${pending.firstPane.get} is pending, but the panes before $savedFed are closed")
    else
      pending.panes.find(!counts.isCounted(_)).map(pane =>
        s"the edges of pane $pane have not been counted"
      ).orElse {
        var nameless = Option.empty[Long]
        if (shape.strings) pending.vertices(id => if (!ids.isKnown(id)) nameless = Some(id))
        nameless.map(id => s"vertex number $id has no name")
      }

  def toBytes: Array[Byte] = {
    // Names are forgotten here, where the index is at hand anyway.
    restored.foreach { cursor =>
      if (indexChanged && ids.size > 0) ids.retain { visit =>
        if (cursor.isLive) shape.liveVertices(cursor)(visit)
        pending.vertices(visit)
      }
    }
    val out = new BinaryWriter()
    out.unsigned(shape.indexName.length.toLong)
    out.raw(shape.indexName.getBytes("US-ASCII"))
    val panes = shape.panes
    Seq(panes.window, panes.slide, panes.startTime).foreach(out.signed)
    out.unsigned(panes.shorter.size.toLong)
    panes.shorter.foreach(out.signed)
    out.unsigned(if (shape.comparesWindows) 1 else 0)
    out.signed(fed)
    out.signed(newestPane)
    VertexIds.save(ids, out)
    pending.save(out)
    if (isLive) counts.forgetBefore(WindowCursor.nextWindow(panes, fed, panes.perWindow))
    counts.save(out)
    val from = out.size
    val size = if (isLive) saveIndex(out) else IndexSize.Zero
    val length = out.size - from
    if (isLive) {
      out.fixedInt(size.vertices)
      out.fixedInt(size.links)
    }
    val bytes = GraphState.withHeader(out.toBytes)
    savedIndex =
      Option.when(isLive)(new GraphState.SavedIndex(bytes, GraphState.HeaderSize + from, length, size))
    indexChanged = false
    bytes
  }

  private def saveIndex(out: BinaryWriter): IndexSize = restored match {
    case Some(cursor) if indexChanged => cursor.index.save(out)
    case _ =>
      savedIndex.foreach(saved => out.raw(saved.bytes, saved.from, saved.length))
      indexSize
  }
}

private[operator] object GraphState {
  val Magic: Int = 0x43494253 // "SBIC", little-endian
  val Version: Int = 1

  private val HeaderSize = 16
  private val SizeLength = 8

  /** An index as a part of saved bytes. */
  private final class SavedIndex(val bytes: Array[Byte], val from: Int, val length: Int, val size: IndexSize)

  def create(shape: StateShape): GraphState =
    new GraphState(
      shape,
      VertexIds.create(shape.strings),
      new PendingPanes,
      new PaneCounts,
      Long.MinValue,
      Long.MinValue,
      None
    )

  /** What [[GraphState.toBytes]] wrote; a [[CorruptStateException]] says why it cannot be read. */
  def restore(shape: StateShape, bytes: Array[Byte]): GraphState = {
    val in = new BinaryReader(opened(bytes), HeaderSize, bytes.length)
    val name = new String(in.raw(in.count("the length of a name")), "US-ASCII")
    val saved = savedPanes(in)
    val comparesWindows = in.below(2, "whether windows are compared") == 1
    if (name != shape.indexName)
      throw new CorruptStateException(
        s"it belongs to the index '$name', but the query uses '${shape.indexName}'",
        CorruptStateException.OtherQuery
      )
    if (saved != shape.panes)
      throw new CorruptStateException(
        s"it belongs to ${describe(saved)}, but the query has ${describe(shape.panes)}",
        CorruptStateException.OtherQuery
      )
    if (comparesWindows != shape.comparesWindows)
      throw new CorruptStateException(
        s"it belongs to a query that ${if (comparesWindows) "compares" else "does not compare"} windows, as bicChanges " +
          "does, unlike this one",
        CorruptStateException.OtherQuery
      )
    val fed = in.signed()
    val newest = in.signed()
    val ids = VertexIds.restore(shape.strings, in)
    val pending = PendingPanes.restore(in)
    val counts = PaneCounts.restore(in)
    val index = Option.when(in.remaining > 0) {
      if (in.remaining < SizeLength) throw new CorruptStateException("it ends within the size of the index")
      val length = in.remaining - SizeLength
      val from = bytes.length - in.remaining
      in.slice(length)
      new SavedIndex(bytes, from, length, IndexSize(in.fixedInt(), in.fixedInt()))
    }
    val state = new GraphState(shape, ids, pending, counts, fed, newest, index)
    state.violation.foreach(violation => throw new CorruptStateException(violation))
    state
  }

  private def withHeader(payload: Array[Byte]): Array[Byte] = {
    val out = new BinaryWriter(HeaderSize + payload.length)
    out.fixedInt(Magic)
    out.fixedInt(Version)
    out.fixedInt(payload.length)
    out.fixedInt(checksum(payload, 0))
    out.raw(payload)
    out.toBytes
  }

  private def opened(bytes: Array[Byte]): Array[Byte] = {
    val in = new BinaryReader(bytes)
    if (in.remaining < HeaderSize) throw new CorruptStateException(s"it has only ${in.remaining} bytes")
    if (in.fixedInt() != Magic)
      throw new CorruptStateException("it does not begin with the mark of this format")
    val version = in.fixedInt()
    if (version != Version)
      throw new CorruptStateException(
        s"its format version is $version, but this release reads version $Version",
        CorruptStateException.OtherRelease
      )
    val length = in.fixedInt()
    val crc = in.fixedInt()
    if (length != in.remaining)
      throw new CorruptStateException(s"it has ${in.remaining} bytes instead of $length")
    if (crc != checksum(bytes, HeaderSize)) throw new CorruptStateException("its checksum is wrong")
    bytes
  }

  private def checksum(bytes: Array[Byte], from: Int): Int = {
    val crc = new CRC32C
    crc.update(bytes, from, bytes.length - from)
    crc.getValue.toInt
  }

  private def savedPanes(in: BinaryReader): Panes = {
    val (window, slide, start) = (positive(in, "the window"), positive(in, "the slide"), in.signed())
    val shorter = Seq.fill(in.count("the number of further windows"))(positive(in, "a window"))
    try Panes(window, slide, start, shorter)
    catch {
      case e: IllegalArgumentException =>
        throw new CorruptStateException(e.getMessage.stripPrefix("requirement failed: "))
    }
  }

  private def positive(in: BinaryReader, what: String): Long = {
    val value = in.signed()
    if (value <= 0) throw new CorruptStateException(s"$what is $value")
    value
  }

  private def describe(panes: Panes): String = {
    val windows =
      if (panes.shorter.isEmpty) s"a window of ${panes.window}"
      else s"windows of ${(panes.window +: panes.shorter).mkString(", ")}"
    s"$windows µs, a slide of ${panes.slide} µs and a start time of ${panes.startTime} µs"
  }
}
