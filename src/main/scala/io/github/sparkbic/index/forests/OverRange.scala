package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.kernels.LongInterner
import io.github.sparkbic.index.vertices.IdRange

/** An [[IdForest]] of ids that mostly lie in a range: a vertex of the range has a place in arrays, without a look-up. The
  * few ids outside of the range are numbered in the order of their first appearance.
  */
abstract class OverRange private[forests] (private[forests] val range: IdRange) extends IdForest {
  import OverRange.FewOthers

  // Ids outside of the range, and how many there may be.
  private[forests] final val room = math.max(FewOthers, range.length >> 3)
  protected var others = null: LongInterner

  protected final def othersCount: Int = if (others == null) 0 else others.size

  /** The number of an id outside of the range. */
  protected final def numberOfOther(id: Long): Int = {
    if (others == null) others = new LongInterner()
    others.intern(id)
  }

  /** The ids outside of the range, by rising id. */
  protected final def sortedOthers: Array[Long] = {
    val outside = Array.tabulate(othersCount)(others.id)
    Arrays.sort(outside)
    outside
  }

  /** Whether there is room for the ends of some more edges, as far as they are outside of the range. */
  final def hasRoomFor(ends: Array[Long], count: Int): Boolean =
    othersCount + count <= room || othersCount + countOutside(ends, count) <= room

  private def countOutside(ends: Array[Long], count: Int): Int = {
    var outside = 0
    var i = 0
    while (i < count) {
      if (range.offsetOf(ends(i)) < 0) outside += 1
      i += 1
    }
    outside
  }
}

private[forests] object OverRange {

  /** Ids outside of a range for which there is always room. */
  private final val FewOthers = 1024
}
