package io.github.sparkbic.index.vertices

import java.util.Arrays

import io.github.sparkbic.index.kernels.Hash

/** A run of ids that a good part of the vertices fill, so that an array serves as the map from id to vertex.
  *
  * Ids are often dense: a database counts them, and so does this product where ids are text.
  */
private[index] final case class IdRange(first: Long, length: Int) {

  def isEmpty: Boolean = length == 0

  /** The place of an id in the run, or -1 for ids outside. */
  def offsetOf(id: Long): Int = {
    val n = id - first
    if (n >= 0 && n < length) n.toInt else -1
  }
}

private[index] object IdRange {
  val Empty: IdRange = IdRange(0, 0)

  /** Of numbers that are given from 0 on. */
  val Numbers: IdRange = IdRange(0, MostIds)

  /** Ids of a sample. */
  private final val Sample = 1024

  /** Some of `count` ids for [[of]]: one at random of each of as many equal parts. Evenly spaced ids could all be of one
    * kind, as where sources and targets take turns.
    */
  def sample(count: Int)(id: Int => Long): Array[Long] = {
    val size = math.min(count, Sample)
    Array.tabulate(size) { i =>
      val from = (i.toLong * count / size).toInt
      val length = ((i + 1L) * count / size).toInt - from
      id(from + Math.floorMod(Hash.mix(i.toLong, count.toLong), length.toLong).toInt)
    }
  }

  /** Half a billion ids take 2 GiB. */
  final val MostIds = 1 << 29

  /** Parts of the sample. A run may leave some parts out, so that a few ids far from all others do not matter. */
  private final val Parts = 16

  /** All parts but for a few vertices far below or above. */
  final val NearlyAll = 14

  /** A gap is hardly ever so many times the average gap: of 1,000 evenly spread ids, in one of 160 samples. */
  private final val Gaps = 12

  /** The first dense run among the runs that have the most parts of the sample; the empty run if none is dense.
    *
    * @param ids        some of all vertices, taken at random
    * @param leastPart  the least part of the ids of the run that are vertices
    * @param leastParts the least parts of the sample in the run: about half of the vertices, unless it is [[NearlyAll]]
    */
  def of(ids: Array[Long], vertices: Int, leastPart: Double, leastParts: Int = Parts / 2): IdRange = {
    val sorted = ids.clone()
    Arrays.sort(sorted)
    val ranges = for {
      parts <- Iterator.range(Parts, leastParts - 1, -1)
      from <- Iterator.range(0, Parts - parts + 1)
    } yield around(sorted, from, from + parts, vertices, leastPart)
    ranges.find(!_.isEmpty).getOrElse(Empty)
  }

  /** The run between two cuts of the sample, extended while gaps stay short; empty if the run is not dense. */
  private def around(sorted: Array[Long], from: Int, to: Int, vertices: Int, leastPart: Double): IdRange = {
    var low = from * (sorted.length - 1) / Parts
    var high = to * (sorted.length - 1) / Parts
    val span = if (low < high) sorted(high) - sorted(low) else -1L
    // The span is negative beyond 64 bits.
    if (span < 0 || span >= MostIds) Empty
    else {
      val far = Gaps * (span / (high - low) + 1)
      while (low > 0 && isNear(sorted(low - 1), sorted(low), far)) low -= 1
      while (high < sorted.length - 1 && isNear(sorted(high), sorted(high + 1), far)) high += 1
      val first = if (sorted(low) < Long.MinValue + far) Long.MinValue else sorted(low) - far
      val last = if (sorted(high) > Long.MaxValue - far) Long.MaxValue else sorted(high) + far
      val length = last - first + 1
      val within = vertices.toDouble * (high - low + 1) / sorted.length
      if (length > MostIds || within < leastPart * length) Empty else IdRange(first, length.toInt)
    }
  }

  private def isNear(id: Long, next: Long, far: Long): Boolean = next - id >= 0 && next - id <= far
}
