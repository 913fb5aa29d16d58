package io.github.sparkbic.operator.state

import java.util.concurrent.ThreadLocalRandom

import scala.collection.mutable

import io.github.sparkbic.index.contract.IndexSize
import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.format.StateLayout.{HeaderMagic, TokenSize}

/** What the state holds of one pane.
  *
  * @param parts    its parts, numbered from zero
  * @param vertices vertices of the parts; a vertex in several parts counts each time
  * @param links    links of the parts
  * @param bytes    bytes of the parts
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

/** The small part of a graph that is kept pane by pane: how far the graph has come, and which parts there are.
  *
  * The token in its bytes is new whenever the header is written, so no two states have the same header: the header is the
  * stamp of the graph that is kept alive. About 20 bytes a pane with edges.
  *
  * @param callAt the time in milliseconds at which Spark is to call again
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
    shape.save(out)
    val token = new Array[Byte](TokenSize)
    ThreadLocalRandom.current().nextBytes(token)
    out.raw(token)
    out.signed(fed)
    out.signed(newest)
    out.unsigned(callAt.size.toLong)
    callAt.foreach(out.signed)
    counts.save(out)
    ByPane.save(panes.iterator, panes.size, out) { entry =>
      Seq(entry.parts.toLong, entry.vertices, entry.links, entry.bytes).foreach(out.unsigned)
    }
    StateFrame.seal(HeaderMagic, out)
  }
}

private[operator] object PaneHeader {

  def create(): PaneHeader =
    new PaneHeader(Long.MinValue, Long.MinValue, None, new PaneCounts, mutable.TreeMap.empty)

  def restore(shape: StateShape, bytes: Array[Byte]): PaneHeader = {
    val in = StateFrame.open(HeaderMagic, bytes)
    shape.check(in)
    in.skip(TokenSize)
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
