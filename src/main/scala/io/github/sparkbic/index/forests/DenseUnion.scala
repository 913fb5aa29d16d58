package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.contract.IndexSize
import io.github.sparkbic.index.format.{BinaryWriter, StateLayout}
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
  * Memory: 4 bytes an id of the range, and 4 a tree for a while when the forest is saved.
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

  /** [[hasRoomFor]] must hold. */
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
      parents = Arrays.copyOf(parents, math.min(place + (place >> 3), range.length + room) + 1)
    place
  }

  override def result(): PaneForest = {
    val trees = numberTrees()
    val firstOf = new Array[Int](trees)
    val ids = new Array[Long](size)
    val roots = new Array[Int](ids.length)
    var count = 0
    var next = 0
    var place = 1
    while (place < parents.length) {
      if (parents(place) > 0) {
        val tree = parents(place) - 1
        // Trees are numbered as they appear.
        if (tree == next) {
          firstOf(tree) = count
          next += 1
        }
        ids(count) =
          if (place <= range.length) range.first - 1 + place else others.id(place - range.length - 1)
        roots(count) = firstOf(tree)
        count += 1
      }
      place += 1
    }
    drop()
    new PaneForest(ids, roots)
  }

  /** Writes what [[PaneForest.save]] writes, without the arrays of a forest. */
  override def save(out: BinaryWriter): Unit = {
    val trees = numberTrees()
    val vertices = size
    out.unsigned(StateLayout.Forest.toLong)
    val writer = new ForestWriter(out, IndexSize(vertices, vertices - trees), trees)
    val outside = sortedOthers
    val below = outside.count(_ < range.first)
    outside.take(below).foreach(add(writer, _))
    var place = 1
    while (place <= range.length) {
      if (parents(place) > 0) writer.add(range.first - 1 + place, parents(place) - 1)
      place += 1
    }
    outside.drop(below).foreach(add(writer, _))
    drop()
  }

  private def add(writer: ForestWriter, other: Long): Unit =
    writer.add(other, parents(range.length + 1 + others.find(other)) - 1)

  /** Replaces each parent by the number of its tree, from 1 on; returns the number of trees. */
  private def numberTrees(): Int = {
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
    trees
  }

  private def drop(): Unit = {
    parents = Array.emptyIntArray
    others = null
  }
}

private[forests] object DenseUnion {

  /** The least part of a range that vertices fill: an id of the range takes 4 bytes, so a vertex at most 32. */
  private final val LeastPart = 1.0 / 8

  /** Whether so many vertices are enough for a range of ids. */
  def isWorth(range: IdRange, vertices: Int): Boolean = vertices >= LeastPart * range.length
}
