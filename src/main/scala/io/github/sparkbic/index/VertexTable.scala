package io.github.sparkbic.index

/** The distinct vertices of a saved structure in rising order, which links then name by their rank.
  *
  * Written as differences of neighbours: one byte for dense ids, up to ten for random 64-bit ones.
  *
  * @param vertices distinct, in any order: the position of a vertex is its place among these
  */
private[index] final class VertexTable(vertices: Array[Long]) {
  private val order = RadixSort.order(vertices)

  private val ranks = {
    val ranks = new Array[Int](order.length)
    var rank = 0
    while (rank < order.length) {
      ranks(order(rank)) = rank
      rank += 1
    }
    ranks
  }

  def size: Int = order.length

  /** The rank of the vertex at this position. */
  def rankAt(position: Int): Int = ranks(position)

  /** The position of the vertex with this rank. */
  def position(rank: Int): Int = order(rank)

  def save(out: BinaryWriter): Unit = {
    out.unsigned(size.toLong)
    var i = 0
    var last = 0L
    while (i < size) {
      val id = vertices(order(i))
      if (i == 0) out.signed(id) else out.unsigned(id - last)
      last = id
      i += 1
    }
  }
}

private[index] object VertexTable {

  def restore(in: BinaryReader): Array[Long] = {
    val sorted = new Array[Long](in.count("the number of vertices"))
    var i = 0
    while (i < sorted.length) {
      if (i == 0) sorted(0) = in.signed()
      else {
        sorted(i) = sorted(i - 1) + in.unsigned()
        if (sorted(i) <= sorted(i - 1))
          throw new CorruptStateException("the vertices are not in rising order")
      }
      i += 1
    }
    sorted
  }
}
