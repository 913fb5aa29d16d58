package io.github.sparkbic.operator.forests

import java.util.ArrayList

import io.github.sparkbic.index.contract.Segments
import io.github.sparkbic.operator.block.{DeltaWriter, PackedBlock}

/** The forests of one graph on their way out of a task: a block of each, by rising pane, and before these a block that
  * counts null rows. A forest is packed when its turn comes, and then forgotten.
  *
  * Where the graph is cut into segments, a pane that two of them need gives two blocks, one after the other, of one forest.
  * A segment is read without the others, so the names that its blocks share are a run of its own.
  *
  * @param left  the forests, in any order
  * @param names of all these forests; null where vertices are ids
  */
private[operator] final class Packing(
    left: ArrayList[OpenForest],
    nullRows: Long,
    names: SharedNames,
    segments: Option[Segments]
) {
  // The latest pane first.
  left.sort((a, b) => java.lang.Long.compare(b.pane, a.pane))

  // Who numbers the names of each segment. Panes rise, so two segments are open at a time, which are neighbours.
  private val writers = new Array[DeltaWriter](2)
  private val writing = new Array[Long](2)

  /** Each block, behind the segment that the block is for. */
  val blocks: Iterator[(Long, PackedBlock)] = {
    // Null rows may go to any segment.
    val nulls = Iterator.single(0L -> PackedBlock(PackedBlock.NoPane, nullRows, null, null))
    nulls.filter(_ => nullRows > 0) ++
      Iterator.continually(left).takeWhile(!_.isEmpty).flatMap(left => blocksOf(left.remove(left.size - 1)))
  }

  private def blocksOf(forest: OpenForest): Iterator[(Long, PackedBlock)] = {
    lazy val ofIds = forest.block()
    val first = segments.fold(0L)(_.of(forest.pane))
    val count = if (segments.exists(_.isShared(forest.pane))) 2 else 1
    Iterator.range(0, count).map(first + _).map { segment =>
      segment -> (if (names == null) ofIds else names.block(forest, writer(segment), isLastOf(segment)))
    }
  }

  private def writer(segment: Long): DeltaWriter = {
    val i = (segment & 1).toInt
    if (writers(i) == null) writers(i) = names.writer()
    else if (writing(i) != segment) writers(i).beginRun(names.nextRun())
    writing(i) = segment
    writers(i)
  }

  private def isLastOf(segment: Long): Boolean =
    left.isEmpty || segments.exists(!_.needs(segment, left.get(left.size - 1).pane))
}
