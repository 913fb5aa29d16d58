package io.github.sparkbic.index

/** The distinct vertices of a saved structure in rising order, which links then name by their rank.
  *
  * Written as differences of neighbours: one byte for dense ids, up to ten for random 64-bit ones.
  *
  * @param vertices distinct, in any order
  */
private[index] final class VertexTable(vertices: Array[Long]) {
  private val sort = RadixSort(vertices)

  def size: Int = sort.order.length

  /** The position among `vertices` of the vertex with this rank. */
  def position(rank: Int): Int = sort.order(rank)

  /** What each vertex has in `values`, by its rank instead of its position; it may be the same array. */
  def byRank(values: Array[Long]): Array[Long] =
    if (sort.sorted eq vertices) values
    else {
      val ranked = new Array[Long](size)
      var rank = 0
      while (rank < ranked.length) {
        ranked(rank) = values(sort.order(rank))
        rank += 1
      }
      ranked
    }

  def save(out: BinaryWriter): Unit = {
    val sorted = sort.sorted
    out.unsigned(sorted.length.toLong)
    var i = 0
    while (i < sorted.length) {
      if (i == 0) out.signed(sorted(0)) else out.unsigned(sorted(i) - sorted(i - 1))
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
        requireRising(sorted(i - 1), sorted(i))
      }
      i += 1
    }
    sorted
  }

  def requireRising(vertex: Long, next: Long): Unit =
    if (next <= vertex) throw new CorruptStateException("the vertices are not in rising order")
}
