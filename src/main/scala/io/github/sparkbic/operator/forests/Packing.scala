package io.github.sparkbic.operator.forests

import java.util.{ArrayList, Collection => JCollection}

import io.github.sparkbic.index.Segments
import io.github.sparkbic.operator.block.{DeltaWriter, PackedBlock}

/** The forests of one graph on their way out of a task: a block of each, by rising pane, and before these one of null
  * rows. Where the graph is cut into segments, a pane that two of them need gives two blocks, one after the other; its
  * forest is made once. A forest is packed when its turn comes, and then forgotten.
  *
  * A segment is read without the others, so the names that its blocks share are a run of its own.
  *
  * @param names    of all these forests; null where blocks share none
  * @param segments null if the graph is not cut: then it is one segment
  */
private[operator] final class Packing(
    forests: JCollection[OpenForest],
    private var nullRows: Long,
    names: SharedNames,
    segments: Segments
) {
  // The latest pane first.
  private val left = new ArrayList(forests)
  left.sort((a, b) => java.lang.Long.compare(b.pane, a.pane))
  private val runs = if (names == null) null else new SegmentRuns(names)

  // The forest that the next segment needs as well, and its block, if that is the same.
  private var shared: OpenForest = null
  private var packed: PackedBlock = null
  private var number = 0L

  /** The segment that the last block is for. */
  def segment: Long = number

  /** Null at the end. */
  def next(): PackedBlock =
    if (nullRows > 0) {
      val block = PackedBlock(PackedBlock.NoPane, nullRows, null, null)
      nullRows = 0
      number = Packing.SegmentOfNulls
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
    if (runs != null) forest.block(runs.of(number), isLastOfSegment)
    else {
      if (packed == null) packed = forest.block()
      packed
    }

  private def isLastOfSegment: Boolean =
    left.isEmpty || segments != null && !segments.needs(number, left.get(left.size - 1).pane)
}

private object Packing {

  /** Any one will do, as long as it is one. */
  val SegmentOfNulls = 0L
}

/** Who numbers the names of the blocks of each segment: since panes rise, of two segments at a time, which are
  * neighbours. Eight bytes a name for each of these.
  */
private final class SegmentRuns(names: SharedNames) {
  private val writers = new Array[DeltaWriter](2)
  private val segments = new Array[Long](2)

  def of(segment: Long): DeltaWriter = {
    val i = (segment & 1).toInt
    if (writers(i) == null) writers(i) = names.writer()
    else if (segments(i) != segment) writers(i).beginRun(names.nextRun())
    segments(i) = segment
    writers(i)
  }
}
