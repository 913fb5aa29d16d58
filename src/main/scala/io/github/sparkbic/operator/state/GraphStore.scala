package io.github.sparkbic.operator.state

import scala.reflect.ClassTag

/** Where one graph is kept between micro-batches: in Spark's state, and perhaps alive in this JVM. A store takes its graph out
  * of [[LiveGraphs]] when the store is made, and puts the graph back by [[keep]].
  *
  * @param stored the stamp in the state store; None if the store does not hold the graph
  * @param live   the graphs that are alive in this JVM
  */
private[operator] abstract class GraphStore[+A <: StreamedGraph: ClassTag](
    slot: LiveGraphs.Slot,
    protected val stored: Option[Array[Byte]],
    cache: CacheLimit,
    live: LiveGraphs[StreamedGraph]
) {
  private val alive = stored.flatMap(live.take(slot, _)).collect { case graph: A => graph }
  protected lazy val graph: A = alive.getOrElse(restored())
  def watermarkMillis: Long

  /** The graph from the state, or a new one. */
  protected def restored(): A

  /** The size of the state that the graph had to be read from; None if the graph was alive, or is new. */
  def restoredBytes: Option[Int] = if (alive.isEmpty) stored.map(_.length) else None

  /** The graph as the last micro-batch left it. A [[io.github.sparkbic.index.format.CorruptStateException]] says why the
    * graph cannot be read.
    */
  def open(): StreamedGraph = graph

  /** Writes the graph, counts it, and has Spark call again when the watermark reaches the end of its next window. After
    * the call the graph may belong to another attempt.
    * @param changed whether the graph differs from the graph that [[open]] gave
    */
  def save(changed: Boolean, counters: Counters): Unit

  /** Counts the graph, and puts it back unless its state is too small.
    * @param stamp the stamp that the state store will hold
    */
  protected def keep(stamp: Array[Byte], stateBytes: Long, counters: Counters): Unit = {
    counters.stateBytes = stateBytes
    counters.holds(graph)
    if (stateBytes >= cache.minBytes && cache.bytes > 0) {
      val size = LiveGraphs.bytesOf(graph, stamp, stateBytes)
      live.put(slot, stamp, graph, size, cache.bytes)
    }
  }
}
