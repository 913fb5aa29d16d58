package io.github.sparkbic.operator.state

import java.util.Arrays

import io.github.sparkbic.index.format.BinaryWriter

/** Sets of windows, each a list of runs of windows that follow one another: the latest run first. Runs of a list neither meet
  * nor overlap, so a set that grows in time order is one run.
  *
  * All lists share columns. Memory: 4 bytes a list, and 20 for each run. Not thread safe.
  *
  * @param step panes from one window to the next
  */
private[operator] final class WindowRuns(step: Long) {
  // By list: its latest run plus one, or zero.
  private var heads = Array.emptyIntArray
  // The first and the last window of each run, side by side; and the run before it plus one, or zero.
  private var spans = Array.emptyLongArray
  private var nexts = Array.emptyIntArray
  private var runs = 0

  private def firstOf(run: Int): Long = spans(2 * run)

  private def lastOf(run: Int): Long = spans(2 * run + 1)

  /** Makes room for so many lists. */
  def reserve(lists: Int): Unit =
    if (lists > heads.length) heads = Arrays.copyOf(heads, math.max(lists, 2 * heads.length))

  def isEmpty(list: Int): Boolean = heads(list) == 0

  /** The latest window of a list; `Long.MinValue` if it is empty. */
  def latest(list: Int): Long = if (isEmpty(list)) Long.MinValue else lastOf(heads(list) - 1)

  /** Whether a list has all windows from `first` to `last`. */
  def contains(list: Int, first: Long, last: Long): Boolean = {
    var run = heads(list) - 1
    // One run has all of these windows if any has.
    while (run >= 0 && firstOf(run) > first) run = nexts(run) - 1
    run >= 0 && lastOf(run) >= last
  }

  /** Adds a window; false if it is there.
    * @param from earlier windows do not count any more
    */
  def add(list: Int, window: Long, from: Long): Boolean = {
    var later = -1
    var run = heads(list) - 1
    while (run >= 0 && firstOf(run) > window + step) {
      later = run
      run = nexts(run) - 1
    }
    if (run >= 0 && firstOf(run) <= window && window <= lastOf(run)) false
    else {
      // No run begins right after the window, or it would be `run`.
      if (run >= 0 && window == lastOf(run) + step) spans(2 * run + 1) = window
      else if (run >= 0 && firstOf(run) == window + step) {
        spans(2 * run) = window
        val earlier = nexts(run) - 1
        if (earlier >= 0 && lastOf(earlier) == window - step) {
          spans(2 * run) = firstOf(earlier)
          nexts(run) = nexts(earlier)
        }
      } else if (later < 0) insertLatest(list, window, window, from)
      else insert(list, later, window, window, run)
      true
    }
  }

  /** Adds the windows from `first` to the last one at or before `until`, where nothing but the latest run tells of them.
    *
    * @param from earlier windows do not count any more
    * @return the first of these windows that was not there, which is later than `until` if all were; or
    *   [[WindowRuns.Mixed]], and then nothing is added
    */
  def addAll(list: Int, first: Long, until: Long, from: Long): Long = {
    val run = heads(list) - 1
    if (run < 0 || lastOf(run) < first - step) {
      insertLatest(list, first, lastUntil(first, until), from)
      first
    } else if (firstOf(run) > first) WindowRuns.Mixed
    else {
      val added = lastOf(run) + step
      // Mostly all are there, and then nothing is divided or written.
      if (added <= until) spans(2 * run + 1) = lastUntil(first, until)
      added
    }
  }

  private def lastUntil(first: Long, until: Long): Long = until - (until - first) % step

  /** Adds the latest run of a list; in the place of all runs if none counts any more. */
  private def insertLatest(list: Int, first: Long, last: Long, from: Long): Unit = {
    val run = heads(list) - 1
    if (run < 0 || lastOf(run) >= from) insert(list, later = -1, first, last, run)
    else {
      spans(2 * run) = first
      spans(2 * run + 1) = last
      nexts(run) = 0
    }
  }

  /** Adds a run between the runs `later` and `earlier`, which may be -1; gives its number. */
  private def insert(list: Int, later: Int, first: Long, last: Long, earlier: Int): Int = {
    if (runs == nexts.length) {
      val length = math.max(16, runs + (runs >> 1))
      spans = Arrays.copyOf(spans, 2 * length)
      nexts = Arrays.copyOf(nexts, length)
    }
    spans(2 * runs) = first
    spans(2 * runs + 1) = last
    nexts(runs) = earlier + 1
    runs += 1
    if (later < 0) heads(list) = runs else nexts(later) = runs
    runs - 1
  }

  /** Adds the run of a list that is earlier than all others.
    * @param later the run that this method gave for the list before, or -1
    */
  def append(list: Int, later: Int, first: Long, last: Long): Int =
    insert(list, later, first, last, earlier = -1)

  /** Appends the runs of a list of `other` that have a window at or after `from`. */
  def appendAll(list: Int, other: WindowRuns, otherList: Int, from: Long): Unit = {
    var later = -1
    var run = other.heads(otherList) - 1
    while (run >= 0 && other.lastOf(run) >= from) {
      later = append(list, later, other.firstOf(run), other.lastOf(run))
      run = other.nexts(run) - 1
    }
  }

  /** Writes the runs that have a window at or after `from`, by their difference to `pane`; gives the last one's window. */
  def save(list: Int, from: Long, pane: Long, out: BinaryWriter): Long = {
    var count = 0L
    var run = heads(list) - 1
    while (run >= 0 && lastOf(run) >= from) {
      count += 1
      run = nexts(run) - 1
    }
    out.unsigned(count)
    var before = pane
    run = heads(list) - 1
    while (run >= 0 && lastOf(run) >= from) {
      out.signed(lastOf(run) - before)
      out.signed(lastOf(run) - math.max(firstOf(run), from))
      before = lastOf(run)
      run = nexts(run) - 1
    }
    before
  }
}

private[operator] object WindowRuns {

  /** The answer of [[WindowRuns.addAll]] where windows were added out of order. */
  final val Mixed = Long.MinValue
}
