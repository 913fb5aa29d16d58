package io.github.sparkbic.index.vertices

/** Turns vertex ids into keys and back: a seeded permutation of the 64-bit numbers that leaves no pattern.
  *
  * One number then serves two ends. As a hash, random to whoever chose the ids, it needs no second check, since equal
  * keys are equal ids. And it is all that has to be kept of the id.
  */
private[sparkbic] final class VertexKeys(val seed: Long) {
  import VertexKeys._

  def keyOf(id: Long): Long = {
    var h = (id ^ seed) * First
    h = (h ^ (h >>> 32)) * Second
    h ^ (h >>> 29)
  }

  /** The keys of `ids(from)` and the others of `count`, to the front of `keys`. */
  def keysOf(ids: Array[Long], from: Int, count: Int, keys: Array[Long]): Unit = {
    var i = 0
    while (i < count) {
      keys(i) = keyOf(ids(from + i))
      i += 1
    }
  }

  def idOf(key: Long): Long = {
    var h = (key ^ (key >>> 29) ^ (key >>> 58)) * SecondInverse
    h = (h ^ (h >>> 32)) * FirstInverse
    h ^ seed
  }
}

private object VertexKeys {
  private final val First = 0x9e3779b97f4a7c15L
  private final val Second = 0xd6e8feb86659fd93L
  private val FirstInverse = inverse(First)
  private val SecondInverse = inverse(Second)

  /** The inverse of an odd number modulo 2^64^; each round doubles the bits that are right, from three on. */
  private def inverse(odd: Long): Long = {
    var x = odd
    for (_ <- 0 until 5) x *= 2 - odd * x
    x
  }
}
