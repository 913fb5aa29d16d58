package io.github.sparkbic.operator.state

/** The state of one graph that is kept pane by pane, as Spark holds it: a small header, parts of panes, and a timer. */
private[operator] trait PaneVariables {

  /** The watermark of the micro-batch, in milliseconds. */
  def watermarkMillis: Long

  def header: Option[Array[Byte]]

  def putHeader(bytes: Array[Byte]): Unit

  def removeHeader(): Unit

  def part(pane: Long, number: Int): Option[Array[Byte]]

  def putPart(pane: Long, number: Int, bytes: Array[Byte]): Unit

  def removePart(pane: Long, number: Int): Unit

  /** Has Spark call again when the watermark reaches `millis`, instead of at `before`. */
  def callAt(millis: Option[Long], before: Option[Long]): Unit
}
