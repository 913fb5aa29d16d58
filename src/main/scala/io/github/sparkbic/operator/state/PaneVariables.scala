package io.github.sparkbic.operator.state

/** The state of one graph in Spark, kept pane by pane: a small header, parts of panes, what is kept beside them, and a timer. */
private[operator] trait PaneVariables {
  def watermarkMillis: Long
  def header: Option[Array[Byte]]
  def header_=(bytes: Option[Array[Byte]]): Unit
  def part(pane: Long, number: Int): Option[Array[Byte]]
  def putPart(pane: Long, number: Int, bytes: Array[Byte]): Unit
  def removePart(pane: Long, number: Int): Unit

  /** What is kept beside the panes ([[KeptPart]]), if anything. */
  def kept: Option[Array[Byte]]
  def kept_=(bytes: Option[Array[Byte]]): Unit

  /** Has Spark call again when the watermark reaches `millis`, instead of at `before`. */
  def callAt(millis: Option[Long], before: Option[Long]): Unit
}
