package io.github.sparkbic.operator.forests

import java.util.ArrayList

import io.github.sparkbic.index.Segments
import io.github.sparkbic.operator.block.{DeltaWriter, PackedBlock}

/** The forests of one graph on their way out of a task: a block of each, by rising pane, and before these a block that
  * counts null rows. Where the graph is cut into segments, a pane that two segments need gives two blocks, one after the
  * other; its forest is made once. A forest is packed when its turn comes, and then forgotten.
  *
  * A segment is read without the others, so the names that its blocks share are a run of its own.
  *
  * @param left     the forests, in any order
  * @param names    of all these forests; null where vertices are ids
  * @param segments null if the graph is not cut: then it is one segment
  */
private[operator] final class Packing(
    left: ArrayList[OpenForest],
    private var nullRows: Long,
    names: SharedNames,
    segments: Segments
) {
  // The latest pane first.
  left.sort((a, b) => java.lang.Long.compare(b.pane, a.pane))

  // Who numbers the names of each segment. Panes rise, so two segments are open at a time, which are neighbours.
  private val writers = new Array[DeltaWriter](2)
  private val writing = new Array[Long](2)

  // The forest that the next segment needs as well, and its block, if that is the same.
  private var shared: OpenForest = null
  private var packed: PackedBlock = null
  private var number = 0L

  /** The segment that the last block is for; null rows may go to any. */
  def segment: Long = number

  /** Null at the end. */
  def next(): PackedBlock =
    if (nullRows > 0) {
      val block = PackedBlock(PackedBlock.NoPane, nullRows, null, null)
      nullRows = 0
      block
    } else if (shared != null) {
      val forest = shared
      shared = null
      number += 1
      block(forest)
    } else if (left.isEmpty) null
    else {
      val forest = left.remove(left.size - 1)
      packed = null
      if (segments != null) {
        number = segments.of(forest.pane)
        if (segments.isShared(forest.pane)) shared = forest
      }
      block(forest)
    }

  private def block(forest: OpenForest): PackedBlock =
    if (names != null) names.block(forest, writer, isLastOfSegment)
    else {
      if (packed == null) packed = forest.block()
      packed
    }

  private def writer: DeltaWriter = {
    val i = (number & 1).toInt
    if (writers(i) == null) writers(i) = names.writer()
    else if (writing(i) != number) writers(i).beginRun(names.nextRun())
    writing(i) = number
    writers(i)
  }

  private def isLastOfSegment: Boolean =
    left.isEmpty || segments != null && !segments.needs(number, left.get(left.size - 1).pane)
}
