package io.github.sparkbic.index

import java.nio.{ByteBuffer, ByteOrder}

/** Edges of one pane as they came, in bytes: little-endian, source and target of each, 16 bytes an edge; 8 where these are
  * positions in a list of ids.
  *
  * What [[PaneForest]] is where thinning pays: a pane of which a forest leaves nearly all edges is better sent as it is.
  */
object PaneEdges {

  /** Ends of edges that are decoded at a time, which is quicker than one by one; an even number. */
  private final val AtATime = 4096

  /** @param ends source and target of each edge, one after the other, of which the first `count` are taken */
  def toBytes(ends: Array[Long], count: Int): Array[Byte] = {
    val bytes = new Array[Byte](Math.multiplyExact(8, count))
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(ends, 0, count)
    bytes
  }

  /** The same, with the positions that the ids have. */
  def toBytes(ends: Array[Long], count: Int, position: Long => Int): Array[Byte] = {
    val positions = new Array[Int](count)
    var i = 0
    while (i < count) {
      positions(i) = position(ends(i))
      i += 1
    }
    val bytes = new Array[Byte](Math.multiplyExact(4, count))
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(positions)
    bytes
  }

  def insert(bytes: Array[Byte], pane: Long, index: ConnectivityIndex): Unit = {
    val buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer()
    val ends = new Array[Long](math.min(AtATime, buffer.remaining))
    while (buffer.hasRemaining) {
      val count = math.min(ends.length, buffer.remaining)
      buffer.get(ends, 0, count)
      var i = 0
      while (i < count) {
        index.insert(pane, ends(i), ends(i + 1))
        i += 2
      }
    }
  }

  /** The same for edges that have positions in `ids`. */
  def insert(bytes: Array[Byte], ids: Array[Long], pane: Long, index: ConnectivityIndex): Unit = {
    val buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer()
    val ends = new Array[Int](math.min(AtATime, buffer.remaining))
    while (buffer.hasRemaining) {
      val count = math.min(ends.length, buffer.remaining)
      buffer.get(ends, 0, count)
      var i = 0
      while (i < count) {
        index.insert(pane, ids(ends(i)), ids(ends(i + 1)))
        i += 2
      }
    }
  }
}
