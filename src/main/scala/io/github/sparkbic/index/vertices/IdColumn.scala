package io.github.sparkbic.index.vertices

import java.util.Arrays

/** The id of each vertex number: 4 bytes each while all ids lie in one [[IdRange]], else 8. */
private[index] final class IdColumn {
  private var first = 0L
  private var offsets = null: Array[Int]
  private var wide = new Array[Long](1)

  /** The ids by number, where they take 8 bytes each. */
  private[vertices] def all: Array[Long] = wide

  def isWide: Boolean = wide != null

  def apply(number: Int): Long =
    if (wide != null) wide(number) else first + (offsets(number) & 0xffffffffL)

  /** Sets an id; while ids take 4 bytes, it must lie in the range. */
  def update(number: Int, id: Long): Unit =
    if (wide != null) wide(number) = id else offsets(number) = (id - first).toInt

  def reserve(length: Int): Unit =
    if (wide != null) wide = Arrays.copyOf(wide, length) else offsets = Arrays.copyOf(offsets, length)

  def copy: IdColumn = {
    val made = new IdColumn
    made.first = first
    made.offsets = if (offsets == null) null else offsets.clone()
    made.wide = if (wide == null) null else wide.clone()
    made
  }

  /** From now on each id takes 8 bytes. */
  def widen(): Unit = {
    wide = toArray
    offsets = null
  }

  /** The ids by number, not to be changed; O(numbers) where they take 4 bytes each. */
  def toArray: Array[Long] = if (wide != null) wide else widened

  private def widened: Array[Long] = {
    val first = this.first
    val offsets = this.offsets
    val ids = new Array[Long](offsets.length)
    var number = 1
    while (number < ids.length) {
      ids(number) = first + (offsets(number) & 0xffffffffL)
      number += 1
    }
    ids
  }

  /** From now on each id takes 4 bytes; ids outside of the range are lost. */
  def narrow(range: IdRange): Unit = {
    val narrowed = new Array[Int](if (wide != null) wide.length else offsets.length)
    var number = 1
    while (number < narrowed.length) {
      narrowed(number) = (apply(number) - range.first).toInt
      number += 1
    }
    first = range.first
    offsets = narrowed
    wide = null
  }
}

private[index] object IdColumn {

  /** The column of these ids, by number. */
  def of(ids: Array[Long]): IdColumn = {
    val made = new IdColumn
    made.wide = ids
    made
  }
}
