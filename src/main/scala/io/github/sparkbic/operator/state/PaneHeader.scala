package io.github.sparkbic.operator.state

import java.util.Random

import scala.collection.mutable

import io.github.sparkbic.index.contract.IndexSize
import io.github.sparkbic.index.format.{BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.{HeaderMagic, TokenSize}

/** The size of one pane in the state, summed over its parts: a vertex in several parts counts each time.
  * @param parts the number of parts; parts are numbered from zero
  */
private[operator] final case class PaneEntry(
    parts: Int = 0,
    vertices: Long = 0,
    links: Long = 0,
    bytes: Long = 0
) {
  def plus(part: IndexSize, size: Int): PaneEntry =
    PaneEntry(parts + 1, vertices + part.vertices, links + part.links, bytes + size)
}

/** The small part of a graph that is kept pane by pane: which panes are closed, and which parts there are.
  *
  * Each write of a header draws a new random token, so no two states have the same header. The header therefore is the
  * stamp of the live graph. A header takes about 20 bytes a pane with edges.
  *
  * @param callAt    the time in milliseconds at which Spark is to call again
  * @param keptBytes the size in the state of what is kept beside the panes; 0 if it is empty
  */
private[operator] final class PaneHeader(
    var fed: Long,
    var newest: Long,
    var callAt: Option[Long],
    val counts: PaneCounts,
    val panes: mutable.TreeMap[Long, PaneEntry],
    var keptBytes: Long = 0
) {

  /** The bytes of the state beside the header. */
  def bytesOfParts: Long = panes.valuesIterator.map(_.bytes).sum + keptBytes

  def save(shape: StateShape, place: Int, tokens: Random): Array[Byte] = {
    val out = new BinaryWriter()
    shape.save(out)
    val token = new Array[Byte](TokenSize)
    tokens.nextBytes(token)
    out.raw(token)
    out.signed(fed)
    out.signed(newest)
    out.unsigned(callAt.size.toLong)
    callAt.foreach(out.signed)
    counts.save(out)
    ByPane.save(panes.iterator, panes.size, out) { entry =>
      Seq(entry.parts.toLong, entry.vertices, entry.links, entry.bytes).foreach(out.unsigned)
    }
    if (shape.kept.hasPart) out.unsigned(keptBytes)
    StateFrame.seal(HeaderMagic, place, out)
  }
}

private[operator] object PaneHeader {
  def create(): PaneHeader =
    new PaneHeader(Long.MinValue, Long.MinValue, None, new PaneCounts, mutable.TreeMap.empty)

  def restore(shape: StateShape, place: Int, bytes: Array[Byte]): PaneHeader = {
    val in = StateFrame.open(HeaderMagic, place, bytes)
    shape.check(in)
    in.skip(TokenSize)
    val (fed, newest) = (in.signed(), in.signed())
    val callAt = if (in.below(2, "the number of timers") == 1) Some(in.signed()) else None
    val counts = PaneCounts.restore(in)
    val panes = mutable.TreeMap.empty[Long, PaneEntry]
    ByPane.restore(in, "panes") { pane =>
      val parts = in.unsigned()
      if (parts < 1 || parts > PaneGraph.MostParts)
        throw new CorruptStateException(
          s"pane $pane has $parts parts, where 1 to ${PaneGraph.MostParts} are possible"
        )
      panes.put(pane, PaneEntry(parts.toInt, in.unsigned(), in.unsigned(), in.unsigned()))
    }
    val keptBytes = if (shape.kept.hasPart) in.unsigned() else 0L
    in.expectEnd()
    new PaneHeader(fed, newest, callAt, counts, panes, keptBytes)
  }
}
