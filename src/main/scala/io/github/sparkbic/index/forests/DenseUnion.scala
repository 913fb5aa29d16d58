package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.vertices.IdRange

/** A [[UnionOfIds]] of very many edges between ids that fill a good part of a range: a union–find over the range.
  *
  * {{{
  * place of a vertex    its id − the first id of the range + 1; the ids outside have the places behind
  * parents(place)       the place of its parent; the place itself for a root; 0 where no vertex is
  * }}}
  *
  * An edge costs two finds, and is not kept, where a [[RankedUnion]] keeps edges. That takes a half to three quarters
  * of the time where edges are few, since the caches of a core hold its bits.
  *
  * Memory: 4 bytes an id of the range.
  */
private[forests] final class DenseUnion(range: IdRange) extends UnionOverRange(range) with DirectUnion {
  protected var parents = new Array[Int](range.length + 1)

  override def size: Int = {
    var count = 0
    var place = 1
    while (place < parents.length) {
      // One unless the entry is zero.
      count += -parents(place) >>> 31
      place += 1
    }
    count
  }

  override def weight: Int = (parents.length >> 3) + othersCount

  override protected def enterAll(
      ids: Array[Long],
      from: Int,
      count: Int,
      places: Array[Int],
      at: Int
  ): Unit = {
    val first = range.first
    val length = range.length
    var i = 0
    while (i < count) {
      val offset = ids(from + i) - first
      places(at + i) = if (offset >= 0 && offset < length) offset.toInt + 1 else placeOfOther(ids(from + i))
      i += 1
    }
    // The loop without branches waits for many cache lines at once.
    val parents = this.parents
    i = at
    while (i < at + count) {
      val place = places(i)
      val parent = parents(place)
      parents(place) = parent | (place & ((parent - 1) >> 31))
      i += 1
    }
  }

  private def placeOfOther(id: Long): Int = {
    val place = range.length + 1 + numberOfOther(id)
    if (place >= parents.length)
      parents = Arrays.copyOf(parents, place + 1 + (range.length >> 6) + othersCount)
    place
  }

  override def result(): PaneForest = {
    numberTrees()
    val forest = forestOf(size - othersCount)(takeRange)(other => parents(range.length + 1 + other) - 1)
    parents = Array.emptyIntArray
    others = null
    forest
  }

  /** Replaces each parent by the number of its tree, from 1 on. */
  private def numberTrees(): Unit = {
    val parents = this.parents
    var trees = 0
    var place = 1
    while (place < parents.length) {
      val parent = parents(place)
      if (parent == place) {
        trees += 1
        parents(place) = trees
      }
      // A parent has a smaller place, and so has its number by now; the entry of place 0 is 0.
      else parents(place) = parents(parent)
      place += 1
    }
  }

  private def takeRange(ids: Array[Long], trees: Array[Int], start: Int): Unit = {
    var at = start
    var place = 1
    while (place <= range.length) {
      if (parents(place) > 0) {
        ids(at) = range.first - 1 + place
        trees(at) = parents(place) - 1
        at += 1
      }
      place += 1
    }
  }
}

private[forests] object DenseUnion {

  /** The least part of a range that vertices fill: an id of the range takes 4 bytes, so a vertex at most 32. */
  private final val LeastPart = 1.0 / 8

  /** Whether so many vertices are enough for a range of ids. */
  def isWorth(range: IdRange, vertices: Int): Boolean = vertices >= LeastPart * range.length
}
