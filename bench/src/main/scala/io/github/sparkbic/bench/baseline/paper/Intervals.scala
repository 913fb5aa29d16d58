package io.github.sparkbic.bench.baseline.paper

import java.util.Arrays

/** The intervals of snapshots that label an edge of the bipartite graph: disjoint, in rising order, as `start, end,
  * start, end, …`. The paper has an interval tree for them; since they are disjoint, a sorted array does the same.
  */
private[paper] object Intervals {

  val Empty: Array[Int] = Array.emptyIntArray

  /** The intervals with `[start, end]`, merged with each that it overlaps: section 6.2, "Edge insertions in a BFBG". */
  def insert(intervals: Array[Int], start: Int, end: Int): Array[Int] = {
    // Those before `from` end before it starts, and those at and after `until` start after it ends.
    var from = 0
    while (from < intervals.length && intervals(from + 1) < start) from += 2
    var until = from
    while (until < intervals.length && intervals(until) <= end) until += 2
    if (until == from + 2 && intervals(from) <= start && intervals(from + 1) >= end) intervals
    else {
      val merged = Arrays.copyOf(intervals, intervals.length - (until - from) + 2)
      System.arraycopy(intervals, until, merged, from + 2, intervals.length - until)
      merged(from) = if (until > from) math.min(start, intervals(from)) else start
      merged(from + 1) = if (until > from) math.max(end, intervals(until - 1)) else end
      merged
    }
  }

  /** Whether one of the intervals holds `j`. */
  def contain(intervals: Array[Int], j: Int): Boolean = {
    var i = 0
    while (i < intervals.length && intervals(i + 1) < j) i += 2
    i < intervals.length && intervals(i) <= j
  }
}
