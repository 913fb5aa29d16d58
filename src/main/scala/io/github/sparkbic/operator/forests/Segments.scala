package io.github.sparkbic.operator.forests

import io.github.sparkbic.index.contract.Panes

/** Cuts the timeline of a graph into segments: runs of consecutive windows, each answered apart from the others.
  *
  * Borders lie where a (longest) window ends, `length` panes from one to the next. Segment `s` owns the panes between
  * its border and the next border. It owns each window that ends after its border and by the next border. So each pane
  * and each window, of every length, has one owner. The first windows of a segment begin before its border, and a
  * compared window needs the window before. So a segment also needs the last `overlap` panes of the segment before. A
  * segment is at least a window long, so at most two segments need a pane.
  *
  * {{{
  * panes of segment s     |-------------------------------|
  * windows that it owns  …--|                              |   their ends are in (border, next border]
  *                          …--|
  *                                                   |-----|
  * panes of segment s + 1                            |overlap|------------ …
  * }}}
  *
  * Cost: with segments of L window lengths, at most one in L panes goes to two segments. No pane goes to two where
  * windows are tumbling and not compared.
  *
  * @param windows         least length of a segment, in lengths of the (longest) window
  * @param comparesWindows whether a window is compared with the window before
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

  /** The segments that need `pane`: its owner, and perhaps the segment after the owner. */
  def needing(pane: Long): Seq[Long] = {
    val owner = of(pane)
    if (Math.floorMod(Math.floorMod(pane, length) - offset, length) >= length - overlap) Seq(owner, owner + 1)
    else Seq(owner)
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

/** A segment owns the panes from `start` on that it needs, and the windows that end after `start`, at the latest at `end`. */
final case class Segment(start: Long, end: Long)

object Segment {

  /** The only segment of a graph that is not cut. */
  val Whole: Segment = Segment(Long.MinValue, Long.MaxValue)
}
