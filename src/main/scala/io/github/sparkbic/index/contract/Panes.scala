package io.github.sparkbic.index.contract

/** Event time cut into panes, and the windows as runs of panes.
  *
  * A pane is `gcd(window, slide)` long, so every window is a whole number of panes, also when no multiple of the
  * slide. Panes are numbered by event time: pane `p` covers `[timeOf(p), timeOf(p + 1))`, negative numbers lie before
  * the epoch. A window is named by its first pane `w`. Spark's `window(time, window, slide, startTime)` gives the same
  * windows: `w ≡ phase (mod perSlide)`.
  *
  * Windows of several lengths may share the panes, the slide and the start time; a pane then divides all of them.
  *
  * All lengths and times share one unit: microseconds, inside Spark.
  *
  * The lengths are valid: [[io.github.sparkbic.arguments.Arguments.panes]] refuses all others.
  *
  * @param window    length of a window, the longest of them, positive; at most [[Panes.MaxPerWindow]] panes
  * @param slide     distance between the starts of two windows, positive and no longer than any window
  * @param startTime any time at which a window starts
  * @param shorter   lengths of the other windows, falling
  */
final case class Panes(window: Long, slide: Long, startTime: Long = 0L, shorter: Seq[Long] = Nil) {

  /** Length of a pane. */
  val length: Long = shorter.foldLeft(Panes.gcd(window, slide))(Panes.gcd)

  /** Panes in a window, the longest of them. */
  val perWindow: Int = (window / length).toInt

  /** Panes in a window of each length, the longest first. */
  val perWindows: Seq[Int] = (window +: shorter).map(each => (each / length).toInt)

  /** Panes from the start of one window to the start of the next. */
  val perSlide: Int = (slide / length).toInt

  private val offset = Math.floorMod(startTime, length)
  private val phase = Math.floorMod(Math.floorDiv(startTime, length), perSlide.toLong)

  /** The pane that holds `time`; right for every `Long`. */
  def paneOf(time: Long): Long = {
    val pane = Math.floorDiv(time, length)
    // The pane borders are shifted by `offset`; subtracting it from `time` could overflow.
    if (time - pane * length < offset) pane - 1 else pane
  }

  /** The time at which `pane` starts, clipped to the range of a `Long`. */
  def timeOf(pane: Long): Long = {
    val high = Math.multiplyHigh(pane, length)
    val low = pane * length
    val start = low + offset
    if (high == (low >> 63)) { if (low > Long.MaxValue - offset) Long.MaxValue else start }
    // Just below the range of a Long, the offset may lead back into the range: the sum then overflows correctly.
    else if (high == -1 && start < 0) start
    else if (pane < 0) Long.MinValue
    else Long.MaxValue
  }

  /** Whether all windows with `pane` have numbers: false only for panes of one unit close to either end of time. */
  def isNumbered(pane: Long): Boolean =
    length > 1 || (pane >= Long.MinValue + 4L * perWindow && pane <= Long.MaxValue - 4L * perWindow)

  /** The first window of `panesInWindow` panes that contains `pane`: the first that ends after it starts. */
  def firstWindowWith(pane: Long, panesInWindow: Int = perWindow): Long = {
    val earliest = pane - panesInWindow + 1
    earliest + Math.floorMod(phase - earliest, perSlide.toLong)
  }

  /** The last window that starts at or before `pane`. */
  def lastWindowBy(pane: Long): Long = pane - Math.floorMod(pane - phase, perSlide.toLong)

  /** The latest end of a (longest) window at or before the start of `pane`. */
  def lastEndBy(pane: Long): Long = firstWindowWith(pane) - perSlide + perWindow
}

object Panes {

  /** Bound on `window / pane`: snapshot labels are `Int`. */
  val MaxPerWindow: Int = 1 << 30

  /** One pane that is one window, for edges without times, which are all taken to be of time 0. */
  val Whole: Panes = Panes(Long.MaxValue, Long.MaxValue)

  /** The first pane of the window of `perWindow` panes that ends with `pane`, or the first numbered pane. */
  def firstOf(perWindow: Int, pane: Long): Long =
    if (pane < Long.MinValue + perWindow) Long.MinValue else pane - perWindow + 1

  @annotation.tailrec
  private[sparkbic] def gcd(a: Long, b: Long): Long = if (b == 0) a else gcd(b, a % b)
}
