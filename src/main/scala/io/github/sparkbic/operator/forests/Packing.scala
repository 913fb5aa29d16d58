package io.github.sparkbic.operator.forests

import java.util.ArrayList

import io.github.sparkbic.operator.block.{DeltaWriter, PackedBlock}

/** The blocks of one graph: first a block that counts null rows, then a block of each forest, by rising pane. A forest is
  * packed when its block is read, and then dropped.
  * Where the graph is cut into segments, a pane that two segments need gives two blocks of one forest. The tasks that read
  * two segments share no names, so the blocks of each segment are a run of their own.
  *
  * @param left  the forests, in any order
  * @param names the names of all these forests; null where vertices are ids
  */
private[operator] final class Packing(
    left: ArrayList[OpenForest],
    nullRows: Long,
    names: SharedNames,
    segments: Option[Segments]
) {
  // The latest pane first.
  left.sort((a, b) => java.lang.Long.compare(b.pane, a.pane))

  // The writers of names for two segments. Panes rise, so only two neighbouring segments need blocks at a time.
  private val writers = new Array[DeltaWriter](2)
  private val writing = new Array[Long](2)

  /** The number of the segment, and the block for it. */
  val blocks: Iterator[(Long, PackedBlock)] = {
    // Any segment may count the null rows.
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
