package io.github.sparkbic.index.forests

import io.github.sparkbic.index.contract.EdgeSink

/** Takes the edges of sets into an index, whose vertices have numbers: looks vertices up in batches, then joins them.
  *
  * A batch of a forest is joined right after its look-ups, while its links are in the cache. To look up all vertices
  * first takes half as much time again. So a parent must come before its children.
  */
private[index] abstract class ForestFeed extends EdgeSink {
  import ForestFeed.Batch

  // The numbers of the ends of the batch at hand.
  private var ends = Array.emptyIntArray

  /** Looks up the vertices `ids(from)` and the others of `count`, which have edges in the open pane. */
  protected def enterAll(ids: Array[Long], from: Int, count: Int, numbers: Array[Int]): Unit

  /** Adds the edges `numbers(0) – numbers(1)`, `numbers(2) – numbers(3)` …; `numbers` may be overwritten. */
  protected def joinEdges(numbers: Array[Int], count: Int): Unit

  /** The same for the links of a forest: the links of a tree come one after the other and share `numbers(0)`. */
  protected def joinTrees(numbers: Array[Int], count: Int): Unit

  override def addEdges(edges: Array[Long], count: Int): Unit = {
    if (ends.length < math.min(count, 2 * Batch)) ends = new Array[Int](math.min(count, 2 * Batch))
    var from = 0
    while (from < count) {
      val length = math.min(2 * Batch, count - from)
      enterAll(edges, from, length, ends)
      joinEdges(ends, length)
      from += length
    }
  }

  override def addForest(ids: Array[Long], parents: Array[Int]): Unit = {
    val count = ids.length
    // Most forests of very many graphs have a few vertices.
    val most = math.min(Batch, count)
    val entered = new Array[Int](most)
    if (ends.length < 2 * most) ends = new Array[Int](2 * most)
    val numbers = new Array[Int](count)
    var from = 0
    while (from < count) {
      val until = math.min(count, from + Batch)
      enterAll(ids, from, until - from, entered)
      System.arraycopy(entered, 0, numbers, from, until - from)
      var end = 0
      var i = from
      while (i < until) {
        if (parents(i) > i) throw new IllegalArgumentException(
          s"vertex $i of a pane forest comes before its parent, which is ${parents(i)}; a parent has to come first"
        )
        ends(end) = numbers(parents(i))
        ends(end + 1) = entered(i - from)
        end += 2
        i += 1
      }
      joinTrees(ends, end)
      from = until
    }
  }
}

private object ForestFeed {

  /** Edges, or vertices of a forest, that are looked up together. */
  private final val Batch = 128
}
