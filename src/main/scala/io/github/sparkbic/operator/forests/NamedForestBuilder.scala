package io.github.sparkbic.operator.forests

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.PaneForest
import io.github.sparkbic.index.forests.NumberedForest
import io.github.sparkbic.operator.block.{NameBatch, NameTable, VertexNames}

/** Builds the forest of edges between names, as `PaneForestBuilder` does between ids, for a stream, where every block
  * holds its own names: the table of names numbers them, and edges wait to be looked up together. Vertices leave in the
  * order of the hashes of their names, in which the next table finds them quickly. Not thread safe.
  *
  * @param expected vertices, if known
  */
private[operator] final class NamedForestBuilder(expected: Int) {
  private val names = new NameTable
  // Names that the table has room for: all that are expected, but for a start fewer, since far fewer may come.
  private var room = 0
  private val forest = new NumberedForest
  // The two ends of each edge that waits.
  private val waiting = new NameBatch

  /** Distinct vertices so far, but for those of the edges that wait. */
  def size: Int = names.size

  /** The memory that this takes. */
  def weight: Long = OpenLoad.weightOf(names.memory + waiting.memory + 8L * names.size)

  def add(src: UTF8String, dst: UTF8String): Unit = {
    waiting.add(src)
    waiting.add(dst)
    if (waiting.isFull) flush()
  }

  /** The forest so far, every vertex linked to the root of its tree, and the packed names of its vertices; its ids are
    * positions in there.
    */
  def result(): (PaneForest, Array[Byte]) = {
    flush()
    val order = names.inHashOrder
    val positions = new Array[Int](order.length)
    var i = 0
    while (i < order.length) {
      positions(order(i)) = i
      i += 1
    }
    val roots = forest.roots
    val ids = new Array[Long](order.length)
    val parents = new Array[Int](order.length)
    i = 0
    while (i < order.length) {
      ids(i) = i.toLong
      parents(i) = positions(roots(order(i)))
      i += 1
    }
    (new PaneForest(ids, parents), VertexNames.pack(names, order))
  }

  private def flush(): Unit = {
    if (room < expected && names.size >= room) {
      room = math.min(expected, math.max(NamedForestBuilder.Early, NamedForestBuilder.Step * names.size))
      names.reserve(room)
    }
    names.internAll(waiting)
    forest.enlargeTo(names.size)
    forest.joinAll(waiting.numbers, waiting.size)
    waiting.clear()
  }
}

private object NamedForestBuilder {

  /** Names that there is room for at first, and the factor by which these become more on the way to what is expected. */
  val Early = 256
  val Step = 16
}
