package io.github.sparkbic.index.contract

/** Cuts the timeline of a graph into segments, which can be answered apart from one another: a run of consecutive windows
  * each, with the panes that these need.
  *
  * Borders lie where a (longest) window ends, `length` panes from one to the next. Segment `s` owns the panes from its
  * border up to the next one, and the windows that end in there: after its border, at the next one at the latest. So each
  * pane and each window, of every length, has one owner. What the first of these windows hold before the border, and the
  * window before them where windows are compared, are panes of the segment before, which both need: its last
  * `overlap` panes. A segment is at least a window long, so no pane goes to three.
  *
  * {{{
  * panes of segment s     |-------------------------------|
  * windows that it owns  …--|                              |   their ends are in (border, next border]
  *                          …--|
  *                                                   |-----|
  * panes of segment s + 1                            |overlap|------------ …
  * }}}
  *
  * Cost: with segments of L windows, one in L panes goes to two segments, and to none with tumbling windows.
  *
  * @param windows         lengths of the (longest) window that a segment owns, at least
  * @param comparesWindows whether a window is compared with the one before
  */
final case class Segments(panes: Panes, windows: Int, comparesWindows: Boolean) {
  require(windows > 0, s"a segment owns at least one window, but $windows are asked for")

  private val slide = panes.perSlide.toLong

  /** Panes from border to border: whole slides. */
  val length: Long = (windows.toLong * panes.perWindow + slide - 1) / slide * slide

  /** Panes before its border that a segment needs. */
  val overlap: Int = if (comparesWindows) panes.perWindow else panes.perWindow - panes.perSlide

  private val offset = Math.floorMod(panes.lastEndBy(0L), slide)

  /** The segment that owns `pane`. */
  def of(pane: Long): Long =
    Math.floorDiv(pane, length) - (if (Math.floorMod(pane, length) < offset) 1 else 0)

  /** Whether the segment after that of `pane` needs it too. */
  def isShared(pane: Long): Boolean =
    Math.floorMod(Math.floorMod(pane, length) - offset, length) >= length - overlap

  /** Whether `segment` needs `pane`. */
  def needs(segment: Long, pane: Long): Boolean = {
    val owner = of(pane)
    owner == segment || owner == segment - 1 && isShared(pane)
  }

  def segment(number: Long): Segment = Segment(border(number), border(number + 1))

  /** The first pane of `segment`, clipped to the range of a `Long`; the lowest `Long` if no numbered pane is before. */
  private def border(segment: Long): Long = {
    val high = Math.multiplyHigh(segment, length)
    val low = segment * length
    if (high != (low >> 63)) { if (segment < 0) Long.MinValue else Long.MaxValue }
    else if (low > Long.MaxValue - offset) Long.MaxValue
    else if (low + offset < Long.MinValue + 2L * panes.perWindow) Long.MinValue
    else low + offset
  }
}

/** The panes that a segment owns; it owns the windows that end after `start`, and at `end` at the latest. */
final case class Segment(start: Long, end: Long) {

  /** Of the panes that it needs, whether this is one of its own. */
  def owns(pane: Long): Boolean = pane >= start
}

object Segment {

  /** The only segment of a graph that is not cut. */
  val Whole: Segment = Segment(Long.MinValue, Long.MaxValue)
}
