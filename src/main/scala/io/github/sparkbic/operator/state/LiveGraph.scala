package io.github.sparkbic.operator.state

import scala.reflect.ClassTag

/** One graph of [[LiveGraphs]] in the hands of its store: taken out when this is made, and put back by [[keep]].
  *
  * @param stored the stamp that the state store holds now, if it holds the graph at all
  */
private[operator] final class LiveGraph[A <: StreamedGraph: ClassTag](
    slot: LiveGraphs.Slot,
    stored: Option[Array[Byte]],
    cache: CacheLimit
) {
  private val alive = stored.flatMap(LiveGraphs.ofThisJvm.take(slot, _)).collect { case graph: A => graph }

  /** Bytes that have to be restored, since the graph is stored and not alive. */
  def restoredBytes: Option[Int] = if (alive.isEmpty) stored.map(_.length) else None

  def getOrElse(restored: => A): A = alive.getOrElse(restored)

  /** Counts the graph, whose state takes so many bytes, and, unless these are too few, puts it back with the stamp that
    * the state store will hold.
    */
  def keep(graph: A, stamp: Array[Byte], stateBytes: Long, counters: Counters): Unit = {
    counters.stateBytes = stateBytes
    counters.holds(graph)
    if (stateBytes >= cache.minBytes && cache.bytes > 0)
      LiveGraphs.ofThisJvm.put(
        slot,
        stamp,
        graph,
        LiveGraphs.bytesOf(graph, stamp, stateBytes),
        cache.bytes
      )
  }
}
