package io.github.sparkbic.operator.forests

import java.util.{ArrayList, HashMap => JHashMap}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.contract.{Panes, Segments}
import io.github.sparkbic.index.forests.RangedForest

/** The open forests of one graph in an input task, one for each pane.
  *
  * @param forState whether blocks may be kept, one by one, in the state of a stream
  */
private[operator] final class OpenGraph(
    val key: UnsafeRow,
    panes: Panes,
    strings: Boolean,
    forState: Boolean,
    load: OpenLoad
) {
  // By pane: the open forest, or a sealed one, which edges that come late for it follow in a forest of their own.
  private val forests = new JHashMap[java.lang.Long, OpenForest]
  // The last forest that has a range, if it is not sealed.
  private var ranged = null: OpenForest
  private var last = null: OpenForest
  private var lastStart = 0L
  private var lastLength = 0L
  private val density = new PaneDensity
  private val names = if (strings) new SharedNames(panes.perWindow, forState, load) else null

  // Rows with a null endpoint or time.
  private var nullRows = 0L

  load.vertices += OpenGraph.OwnWeight + OpenLoad.weightOf(key.getSizeInBytes.toLong)

  def addNull(): Unit = nullRows += 1

  def add(src: Long, dst: Long, time: Long): Unit = {
    // Edges mostly come in runs of one pane, and each edge of a run costs this comparison. Both differences are taken
    // modulo 2^64, so the comparison is right at the ends of the range as well.
    if (java.lang.Long.compareUnsigned(time - lastStart, lastLength) >= 0) turnTo(time)
    last.add(src, dst)
  }

  /** Adds the first `count` edges. */
  def addAll(src: Array[Long], dst: Array[Long], time: Array[Long], count: Int): Unit = {
    var from = 0
    while (from < count) {
      if (java.lang.Long.compareUnsigned(time(from) - lastStart, lastLength) >= 0) turnTo(time(from))
      val start = lastStart
      val length = lastLength
      var until = from + 1
      while (until < count && java.lang.Long.compareUnsigned(time(until) - start, length) < 0) until += 1
      last.addAll(src, dst, from, until)
      from = until
    }
  }

  def add(src: UTF8String, dst: UTF8String, time: Long): Unit = {
    if (java.lang.Long.compareUnsigned(time - lastStart, lastLength) >= 0) turnTo(time)
    names.add(src, dst, last)
  }

  /** Hands the forests over, to be packed. No edges may follow. */
  def packing(segments: Option[Segments]): Packing = {
    if (names != null) names.flush()
    val all = new ArrayList[OpenForest]
    forests.values.forEach { forest =>
      var each = forest
      while (each != null) {
        all.add(each)
        each = each.earlier
      }
    }
    // No forest is held here after its block has left.
    forests.clear()
    ranged = null
    last = null
    new Packing(all, nullRows, names, segments)
  }

  /** Makes the forest of the pane that holds `time` the last one. */
  private def turnTo(time: Long): Unit = {
    val pane = panes.paneOf(time)
    val found = forests.get(pane)
    if (found != null && !found.isSealed) last = found
    else {
      // What a pane holds decides how the next pane is treated.
      if (names != null) names.flush()
      val before = last
      if (before != null && before.isRanged) ranged = before
      // In the state of a stream, edges between names are always a forest.
      val loose = if (before == null || strings && forState) 0 else density.looseAfter(before)
      last =
        if (found == null) {
          val expected = if (before == null) 0 else before.size
          new OpenForest(pane, !forState, expected, loose, load, spare = sealRanged())
        } else
          // Edges that go to and fro between panes would seal a forest each, with room for as many vertices as it had.
          new OpenForest(pane, !forState, 0, loose, load, earlier = found)
      forests.put(pane, last)
    }
    lastStart = panes.timeOf(pane)
    // A pane that a Long cannot hold whole is looked up every time.
    lastLength =
      if (lastStart > Long.MinValue && lastStart <= Long.MaxValue - panes.length) panes.length else 0L
  }

  /** Seals the last forest that has a range, whose pane is most likely over, and gives its memory; null if there is none. */
  private def sealRanged(): RangedForest =
    if (ranged == null || names != null) null
    else {
      val done = ranged
      ranged = null
      done.seal()
    }
}

private object OpenGraph {

  /** What a graph costs beside its forests, in vertices. */
  val OwnWeight = 4L
}

/** How many edges of a new pane are left as they came: panes of one graph mostly hold about as much, and are about as dense
  * as one another.
  */
private final class PaneDensity {
  // Whether thinning hardly pays; after a pane of how many edges that was found out; how many panes were left loose since.
  private var isSparse = false
  private var measuredEdges = 0L
  private var leftLoose = 0

  /** @param before the pane before the new one */
  def looseAfter(before: OpenForest): Int = {
    if (!before.isLoose) {
      isSparse = !before.isThin
      leftLoose = 0
      measuredEdges = before.edgeCount
    } else if (isSparse) {
      leftLoose += 1
      // Streams change, so a pane is thinned now and then.
      if (leftLoose == PaneDensity.LooseInARow) isSparse = false
    }
    // More edges among as many vertices are denser.
    if (isSparse) math.min(4 * measuredEdges, Int.MaxValue.toLong).toInt else 0
  }
}

private object PaneDensity {
  val LooseInARow = 16
}
