package io.github.sparkbic.operator.forests

import java.lang.Long.compareUnsigned
import java.util.{ArrayList, HashMap => JHashMap}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.forests.RankedUnion
import io.github.sparkbic.operator.block.PackedBlock

/** One graph in an input task, and its open panes.
  * @param forState as for [[PaneForests]]
  * @param density  of the panes before; takes note of the panes of this graph
  */
private[operator] final class OpenGraph(
    val key: UnsafeRow,
    panes: Panes,
    strings: Boolean,
    forState: Boolean,
    load: OpenLoad,
    density: PaneDensity = new PaneDensity
) {
  // For each pane the open forest, or a sealed forest. A later edge of a sealed pane opens another forest in its place.
  private val forests = new JHashMap[java.lang.Long, OpenPane]
  // The last forest that is an array over a range of ids, unless it is sealed.
  private var ranged = null: OpenPane
  // Whether many edges have come for a sealed pane, as in the second partition that a task reads. Then none is sealed.
  private var panesReturn = false
  // The forest of the last edge, and the times of its pane.
  private var last = null: OpenPane
  private var lastStart = 0L
  private var lastLength = 0L
  private val names = if (strings) new OpenNames(panes.perWindow, forState, load) else null
  private var nullRows = 0L

  load.vertices += OpenLoad.GraphWeight + OpenLoad.weightOf(key.getSizeInBytes.toLong)

  /** Counts a row with a null endpoint or time. */
  def addNull(): Unit = nullRows += 1

  def add(src: Long, dst: Long, time: Long): Unit = {
    // Edges mostly come in runs of one pane, and each edge costs this comparison. The difference is modulo 2^64, so the
    // comparison is right for every time.
    if (compareUnsigned(time - lastStart, lastLength) >= 0) turnTo(time)
    last.add(src, dst)
  }

  /** Reads what the next edge will touch, if the edge is of the last pane. */
  def readAhead: Long = if (last == null) 0L else last.readAhead ^ lastStart ^ lastLength

  /** Adds the first `count` edges. */
  def addAll(src: Array[Long], dst: Array[Long], time: Array[Long], count: Int): Unit = {
    var from = 0
    while (from < count) {
      if (compareUnsigned(time(from) - lastStart, lastLength) >= 0) turnTo(time(from))
      val start = lastStart
      val length = lastLength
      var until = from + 1
      while (until < count && compareUnsigned(time(until) - start, length) < 0) until += 1
      last.addAll(src, dst, from, until)
      from = until
    }
  }

  def add(src: UTF8String, dst: UTF8String, time: Long): Unit = {
    if (compareUnsigned(time - lastStart, lastLength) >= 0) turnTo(time)
    names.add(src, dst, last)
  }

  // In the state of a stream, edges between names are always a forest.
  private def isNeverLoose = strings && forState

  private def note(before: OpenPane): Unit = if (!isNeverLoose) density.note(before)

  /** The number of a segment, and a block that it needs: first a block that counts null rows, then a block of each forest,
    * by rising pane. No edge may follow. A forest is packed when its block is read, and then dropped.
    */
  def blocks(segments: Option[Segments]): Iterator[(Long, PackedBlock)] = {
    if (names != null) names.flush()
    // The edges of the last pane may go on.
    if (last != null) note(last)
    density.forget()
    ranged = null
    last = null
    val all = new ArrayList[OpenPane]
    forests.values.forEach(newest =>
      Iterator.iterate(newest)(_.earlier).takeWhile(_ != null).foreach(all.add(_): Unit)
    )
    // The graph outlives its blocks, and must not hold the memory of forests that were sent.
    forests.clear()
    all.sort((a, b) => java.lang.Long.compare(a.pane, b.pane))
    def needing(open: OpenPane) = segments.fold(Seq(0L))(_.needing(open.pane))
    // Any segment may count the null rows.
    val nulls = Iterator.single(0L -> PackedBlock(PackedBlock.NoPane, nullRows, null, null))
    nulls.filter(_ => nullRows > 0) ++ Iterator.range(0, all.size).flatMap { i =>
      val open = all.set(i, null)
      val next = if (i + 1 < all.size) Some(all.get(i + 1)) else None
      needing(open).map { segment =>
        val needed = next.filter(needing(_).contains(segment)).map(_.pane)
        segment -> (if (names == null) open.block() else names.block(open, segment, needed))
      }
    }
  }

  /** Makes the forest of the pane that holds `time` the last one, and opens the forest if necessary. */
  private def turnTo(time: Long): Unit = {
    val pane = panes.paneOf(time)
    val found = forests.get(pane)
    if (found != null && !found.isSealed) last = found
    else {
      // All edges of the last pane must have arrived in its forest, whose density decides for this pane.
      if (names != null) names.flush()
      val before = last
      if (before != null && before.isRanged) ranged = before
      if (before != null && before.outgrowsEarlier) panesReturn = true
      if (before != null) note(before)
      last =
        if (found == null) {
          val expected = if (before == null) 0 else before.size
          new OpenPane(pane, !forState, expected, density, load, spare = sealRanged())
        } else
          // No room is reserved: edges that alternate between panes may open very many forests.
          new OpenPane(pane, !forState, 0, density, load, earlier = found)
      forests.put(pane, last)
    }
    lastStart = panes.timeOf(pane)
    // A pane that exceeds the range of a Long matches no time, so each of its edges comes here.
    lastLength =
      if (lastStart > Long.MinValue && lastStart <= Long.MaxValue - panes.length) panes.length else 0L
  }

  /** Seals the last ranged forest, whose pane is most likely complete, and gives its memory; null without such a forest. */
  private def sealRanged(): RankedUnion =
    if (ranged == null || names != null || panesReturn) null
    else {
      val done = ranged
      ranged = null
      done.seal()
    }
}
