package io.github.sparkbic.index

import java.nio.{ByteBuffer, ByteOrder}

/** Edges of one pane as they came, in bytes: little-endian, source and target of each, 16 bytes an edge.
  *
  * What [[PaneForest]] is where thinning pays: a pane of which a forest leaves nearly all edges is better sent as it is.
  */
object PaneEdges {

  /** @param ends source and target of each edge, one after the other, of which the first `count` are taken */
  def toBytes(ends: Array[Long], count: Int): Array[Byte] = {
    val bytes = new Array[Byte](Math.multiplyExact(8, count))
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(ends, 0, count)
    bytes
  }

  /** The same edges between other vertices. */
  def renumbered(bytes: Array[Byte], number: Long => Long): Array[Byte] = {
    val from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer()
    val renumbered = new Array[Byte](bytes.length)
    val to = ByteBuffer.wrap(renumbered).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer()
    val count = from.limit()
    var i = 0
    while (i < count) {
      to.put(i, number(from.get(i)))
      i += 1
    }
    renumbered
  }

  def insert(bytes: Array[Byte], pane: Long, index: ConnectivityIndex): Unit = {
    val ends = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer()
    val count = ends.limit()
    var i = 0
    while (i < count) {
      index.insert(pane, ends.get(i), ends.get(i + 1))
      i += 2
    }
  }
}
