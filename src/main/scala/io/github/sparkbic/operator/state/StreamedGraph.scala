package io.github.sparkbic.operator.state

import io.github.sparkbic.index.{IndexSize, PaneInput, WindowCursor}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph of a streaming query while a micro-batch is at it, wherever it is kept between two of them. */
private[operator] trait StreamedGraph {
  def ids: VertexIds

  /** Edges of each pane that a window to come holds. */
  def counts: PaneCounts

  /** Takes in a block of a pane that is not closed. */
  def add(block: PackedBlock): Unit

  /** The first pane after the next window that this graph will answer; None if it has no edge left for any. */
  def nextEnd: Option[Long]

  /** Whether the index has something to do when all panes before `horizon` are closed. */
  def isDue(horizon: Long): Boolean

  /** The cursor with its index, restored on first use, which changes the index. */
  def cursor: WindowCursor

  /** Takes out, by rising pane, the blocks before `horizon` that wait. */
  def take(horizon: Long): Iterator[PaneInput]

  /** Vertices and links in the index when it was saved. */
  def indexSize: IndexSize

  /** Links of the panes that wait. */
  def pendingLinks: Long
}

/** Where one graph is kept between micro-batches: Spark's state, with what is alive of it in this JVM. */
private[operator] trait GraphStore {

  /** Whether the graph had to be read from the state, and from how many bytes; None if there was none, or it was alive. */
  def restoredBytes: Option[Int]

  /** The watermark of the micro-batch, in milliseconds. */
  def watermarkMillis: Long

  /** The graph as the last micro-batch left it. A [[io.github.sparkbic.index.CorruptStateException]] says why it cannot
    * be read.
    */
  def open(): StreamedGraph

  /** Writes the graph, counts what it holds, and has Spark call again for it when the watermark reaches the end of its
    * next window. The graph may be another attempt's from here on.
    *
    * @param changed whether it differs from what [[open]] gave
    */
  def save(changed: Boolean, counters: Counters): Unit
}

private[operator] object GraphStore {

  /** The first whole millisecond at which a time in microseconds has come. */
  def millis(micros: Long): Long = -Math.floorDiv(-micros, 1000L)
}
