package io.github.sparkbic.index.bic

/** A pane of the chunk for each vertex, by its offset: a byte where a chunk has few panes, which most chunks have. */
private[bic] final class PaneLabels private (bytes: Array[Byte], ints: Array[Int]) {

  /** For so many vertices, all zero, and chunks of `perWindow` panes. */
  def this(size: Int, perWindow: Int) = this(
    if (perWindow <= PaneLabels.InByte) new Array[Byte](size) else null,
    if (perWindow <= PaneLabels.InByte) null else new Array[Int](size)
  )

  def apply(vertex: Int): Int = if (ints == null) bytes(vertex) & 0xff else ints(vertex)

  def update(vertex: Int, pane: Int): Unit =
    if (ints == null) bytes(vertex) = pane.toByte else ints(vertex) = pane
}

private object PaneLabels {

  /** Panes that a byte can distinguish. */
  final val InByte = 256
}
