package io.github.sparkbic.index

import java.util.Arrays

/** The distinct vertices of a saved structure in rising order, which links then name by their rank.
  *
  * Written as differences of neighbours: one byte for dense ids, up to ten for random 64-bit ones.
  */
private[index] final class VertexTable(vertices: Array[Long]) {
  private val sorted = {
    val copy = vertices.clone()
    Arrays.sort(copy)
    copy
  }

  // Interning in rising order makes the number of an id its rank.
  private val ranks = {
    val interner = new LongInterner(sorted.length)
    sorted.foreach(interner.intern)
    interner
  }

  def size: Int = sorted.length

  def rank(id: Long): Int = ranks.find(id)

  def save(out: BinaryWriter): Unit = {
    out.unsigned(size.toLong)
    var i = 0
    var last = 0L
    while (i < size) {
      if (i == 0) out.signed(sorted(0)) else out.unsigned(sorted(i) - last)
      last = sorted(i)
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
