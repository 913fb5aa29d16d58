package io.github.sparkbic.operator.state

import java.util.concurrent.ThreadLocalRandom

import scala.collection.mutable

import io.github.sparkbic.index.{BinaryWriter, CorruptStateException, IndexSize}

/** What the state holds of one pane.
  *
  * @param parts    its parts, numbered from zero
  * @param vertices vertices of the parts, those in several counted each time
  * @param links    links of the parts
  * @param bytes    bytes of the parts
  */
private[operator] final case class PaneEntry(parts: Int, vertices: Long, links: Long, bytes: Long) {

  def plus(part: IndexSize, size: Int): PaneEntry =
    PaneEntry(parts + 1, vertices + part.vertices, links + part.links, bytes + size)
}

private[operator] object PaneEntry {
  val Empty: PaneEntry = PaneEntry(0, 0L, 0L, 0L)
}

/** The small part of a graph that is kept pane by pane: how far it has come, and which parts there are.
  *
  * {{{
  * framed (StateFrame), with the mark "SBIH":
  *   the shape of the query (SavedShape.save); 1 if vertices are strings, else 0
  *   a random token, 16 bytes
  *   first pane not closed, newest pane fed to the index
  *   0, or 1 and the time in milliseconds at which Spark is to call again
  *   edges per pane (PaneCounts.save)
  *   parts, vertices, links and bytes of each pane (ByPane.save)
  * }}}
  *
  * The token is new whenever the header is written, so no two states have the same header: it is the stamp of the graph
  * that is kept alive. About 20 bytes a pane with edges.
  */
private[operator] final class PaneHeader(
    var fed: Long,
    var newest: Long,
    var callAt: Option[Long],
    val counts: PaneCounts,
    val panes: mutable.TreeMap[Long, PaneEntry]
) {
  def bytesOfParts: Long = panes.valuesIterator.map(_.bytes).sum

  def save(shape: StateShape): Array[Byte] = {
    val out = new BinaryWriter()
    SavedShape.save(shape, out)
    out.unsigned(if (shape.strings) 1 else 0)
    val random = ThreadLocalRandom.current()
    (0 until 4).foreach(_ => out.fixedInt(random.nextInt()))
    out.signed(fed)
    out.signed(newest)
    out.unsigned(callAt.size.toLong)
    callAt.foreach(out.signed)
    counts.save(out)
    ByPane.save(panes.iterator, panes.size, out) { entry =>
      Seq(entry.parts.toLong, entry.vertices, entry.links, entry.bytes).foreach(out.unsigned)
    }
    StateFrame.seal(PaneHeader.Mark, out)
  }
}

private[operator] object PaneHeader {
  val Mark: Int = 0x48494253 // "SBIH", little-endian

  def create(): PaneHeader =
    new PaneHeader(Long.MinValue, Long.MinValue, None, new PaneCounts, mutable.TreeMap.empty)

  def restore(shape: StateShape, bytes: Array[Byte]): PaneHeader = {
    val in = StateFrame.open(Mark, bytes)
    SavedShape.check(shape, in)
    if ((in.below(2, "the kind of vertex ids") == 1) != shape.strings)
      throw new CorruptStateException(
        s"its vertex ids are ${if (shape.strings) "integral" else "strings"}, those of the query are not",
        CorruptStateException.OtherQuery
      )
    (0 until 4).foreach(_ => in.fixedInt())
    val fed = in.signed()
    val newest = in.signed()
    val callAt = Option.when(in.below(2, "the number of timers") == 1)(in.signed())
    val counts = PaneCounts.restore(in)
    val panes = mutable.TreeMap.empty[Long, PaneEntry]
    ByPane.restore(in, "panes") { pane =>
      val parts = in.below(Int.MaxValue.toLong, "the number of parts of a pane")
      panes.put(pane, PaneEntry(parts, in.unsigned(), in.unsigned(), in.unsigned()))
    }
    in.expectEnd()
    new PaneHeader(fed, newest, callAt, counts, panes)
  }
}
