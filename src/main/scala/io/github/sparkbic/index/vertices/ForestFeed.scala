package io.github.sparkbic.index.vertices

import io.github.sparkbic.index.PaneForest

/** An index that takes pane forests in batches of vertices. */
private[index] trait ForestFeed {

  /** Notes that the vertices `ids(from)` and the others of `count` have edges, and what their numbers are. */
  def enterAll(ids: Array[Long], from: Int, count: Int, numbers: Array[Int]): Unit

  /** Adds the edges between `numbers(0)` and `numbers(1)`, `numbers(2)` and `numbers(3)` and so on, up to `ends`; the
    * numbers may be overwritten.
    */
  def joinAll(numbers: Array[Int], ends: Int): Unit
}

private[index] object ForestFeed {

  /** Vertices that are entered together. */
  private final val Batch = 128

  /** Feeds every vertex of `forest`, and every link, a root being linked to itself.
    *
    * A vertex is linked as soon as it is entered, while what the index has of it is in the cache: to do all of one and
    * then all of the other takes a half more time. That wants its parent to come with it or before, as builders of
    * forests have it; other links follow at the end.
    */
  def feed(forest: PaneForest, index: ForestFeed): Unit = {
    val ids = forest.ids
    val parents = forest.parents
    val count = forest.size
    // Most forests of very many graphs have a few vertices.
    val most = math.min(Batch, count)
    val entered = new Array[Int](most)
    val numbers = new Array[Int](count)
    val ends = new Array[Int](2 * most)
    var isComplete = true
    var from = 0
    while (from < count) {
      val until = math.min(count, from + Batch)
      index.enterAll(ids, from, until - from, entered)
      System.arraycopy(entered, 0, numbers, from, until - from)
      var end = 0
      var i = from
      while (i < until) {
        if (parents(i) < until) {
          ends(end) = numbers(parents(i))
          ends(end + 1) = numbers(i)
          end += 2
        } else isComplete = false
        i += 1
      }
      index.joinAll(ends, end)
      from = until
    }
    if (!isComplete) feedForward(parents, numbers, ends, index)
  }

  /** The links to a parent that was entered after its child.
    *
    * @param ends room for some links
    */
  private def feedForward(
      parents: Array[Int],
      numbers: Array[Int],
      ends: Array[Int],
      index: ForestFeed
  ): Unit = {
    var end = 0
    var i = 0
    while (i < parents.length) {
      if (parents(i) / Batch > i / Batch) {
        ends(end) = numbers(parents(i))
        ends(end + 1) = numbers(i)
        end += 2
        if (end == ends.length) {
          index.joinAll(ends, end)
          end = 0
        }
      }
      i += 1
    }
    index.joinAll(ends, end)
  }
}
