package io.github.sparkbic.operator.paths

import java.util.Arrays

/** Finds for a pair of vertices the path of fewest edges; of several such paths, the lexicographically smallest sequence
  * of vertices; of repeated edges the earliest, then the edge with the smaller source, then by
  * [[WindowEdges.compareKept]].
  *
  * Breadth-first searches from both ends take turns: the search whose next level has fewer edges goes on, a whole level at a
  * time, until the searches meet. From where they met the backward search goes on along shortest paths alone, down the
  * levels of the forward search, to the source. A walk from the source then takes the smallest neighbour that is one edge
  * closer to the target. Both read the edges between two levels from the side with fewer edges: a hub may have half of
  * all edges, and most paths lead through it.
  *
  * Cost: O(edges at the vertices from which either search went on), so the edges of a hub where the searches meet are not
  * read. Two vertices that are not connected cost the smaller component at most twice. Memory: 24 bytes an edge with its
  * time, once its ends are given up, and 20 bytes a vertex, allocated once for all pairs.
  */
private[paths] final class ShortestPaths(edges: WindowEdges) {
  // The edges at vertex v are `entries(i)` for `from(v) <= i < from(v + 1)`; self-loops are left out. The upper half is the
  // other end, the lower half twice the number of the edge, and one more if v is its source.
  private val from = new Array[Int](edges.vertices.size + 1)
  private val entries = groupByVertex(edges.takeEnds())
  private val forward, backward = new Search

  private def groupByVertex(ends: Array[Long]): Array[Long] = {
    def foreachEnd(visit: (Int, Int, Int) => Unit): Unit = (0 until edges.size).foreach { e =>
      val (source, target) = ((ends(e) >>> 32).toInt, ends(e).toInt)
      if (source != target) {
        visit(source, target, 2 * e + 1)
        visit(target, source, 2 * e)
      }
    }
    foreachEnd((v, _, _) => from(v) += 1)
    from.indices.drop(1).foreach(v => from(v) += from(v - 1))
    // From here on `from(v)` is where the next edge of `v` ends, and goes down to where the first one starts.
    val grouped = new Array[Long](from.last)
    foreachEnd { (v, w, edge) =>
      from(v) -= 1
      grouped(from(v)) = w.toLong << 32 | edge
    }
    grouped
  }

  private def otherEnd(entry: Long): Int = (entry >>> 32).toInt

  private def degree(v: Int): Int = from(v + 1) - from(v)

  private def edge(entry: Long): Int = entry.toInt >>> 1

  /** The source of an edge at `v`. */
  private def sourceOf(v: Int, entry: Long): Int = if ((entry & 1) == 1) v else otherEnd(entry)

  /** The edges of the path with their sources and targets; null if there is no path, or if an end is -1. */
  def between(source: Int, target: Int): Array[(Int, Int, Int)] =
    if (source < 0 || target < 0) null
    else {
      forward.start(source)
      backward.start(target)
      var haveMet = source == target
      while (!haveMet && !forward.isDone && !backward.isDone)
        haveMet = if (forward.work <= backward.work) forward.goOn(backward) else backward.goOn(forward)
      if (!haveMet) null
      else {
        forward.goBack()
        (0 until forward.depth).foreach { _ =>
          forward.goFurtherBack()
          backward.goOnWithin(forward)
        }
        walk(source, backward.depth)
      }
    }

  private def walk(source: Int, distance: Int): Array[(Int, Int, Int)] = {
    var v = source
    backward.goBack()
    Array.tabulate(distance) { _ =>
      backward.goFurtherBack()
      val best = smallest(v)
      val (here, first) = (v, sourceOf(v, best))
      v = otherEnd(best)
      (first, here ^ v ^ first, edge(best))
    }
  }

  /** The edge with which a path goes on from `v`, to the level to which the backward search has gone back. */
  private def smallest(v: Int): Long = {
    var best = -1L
    def compare(entry: Long): Unit = if (best < 0 || isBefore(v, entry, best)) best = entry
    if (degree(v) <= backward.levelWork) {
      var n = from(v)
      while (n < from(v + 1)) {
        if (backward.isInLevel(otherEnd(entries(n)))) compare(entries(n))
        n += 1
      }
    } else
      backward.foreachOfLevel { w =>
        var n = from(w)
        while (n < from(w + 1)) {
          // The same edge, as it is among the entries of `v`.
          if (otherEnd(entries(n)) == v) compare(w.toLong << 32 | (entries(n) & 0xffffffffL) ^ 1)
          n += 1
        }
      }
    best
  }

  /** Whether a path goes on from `v` with one edge rather than with the other. */
  private def isBefore(v: Int, one: Long, other: Long): Boolean = {
    import edges.vertices.compare
    val (time, otherTime) = (edges.time(edge(one)), edges.time(edge(other)))
    if (otherEnd(one) != otherEnd(other)) compare(otherEnd(one), otherEnd(other)) < 0
    else if (time != otherTime) time < otherTime
    else if (sourceOf(v, one) != sourceOf(v, other)) compare(sourceOf(v, one), sourceOf(v, other)) < 0
    else edges.compareKept(edge(one), edge(other)) < 0
  }

  /** One breadth-first search. Levels are kept as `base` + level, and a later search starts above all levels of the search
    * before. So nothing is cleared between two pairs.
    */
  private final class Search {
    private val levels, queue = new Array[Int](edges.vertices.size)
    private var base = 1
    // The last level is in the queue, from `first` until `end`.
    private var first, end = 0
    // The level to which the search has gone back, in the queue.
    private var levelFirst, levelEnd = 0
    var depth = 0

    /** Edges at the vertices of the last level. */
    var work = 0L

    def start(vertex: Int): Unit = {
      base += depth + 1
      // The highest level is below the number of vertices, so no level overflows.
      if (base > Int.MaxValue - edges.vertices.size) {
        Arrays.fill(levels, 0)
        base = 1
      }
      depth = 0
      first = 0
      end = 0
      work = 0
      put(vertex)
    }

    private def put(vertex: Int): Unit = {
      levels(vertex) = base + depth
      queue(end) = vertex
      end += 1
      work += degree(vertex)
    }

    private def has(vertex: Int): Boolean = levels(vertex) >= base

    def isDone: Boolean = first == end

    /** Reaches the next level; true if `other` has reached a vertex of this level, too. */
    def goOn(other: Search): Boolean = {
      var i = first
      beginLevel()
      var haveMet = false
      while (i < first) {
        val v = queue(i)
        var n = from(v)
        while (n < from(v + 1)) {
          val w = otherEnd(entries(n))
          if (!has(w)) {
            put(w)
            haveMet |= other.has(w)
          }
          n += 1
        }
        i += 1
      }
      haveMet
    }

    /** Reaches those vertices of the level to which `other` has gone back that are neighbours of the last level. */
    def goOnWithin(other: Search): Unit = {
      var i = first
      val isCheaper = work <= other.levelWork
      beginLevel()
      if (isCheaper)
        while (i < first) {
          val v = queue(i)
          var n = from(v)
          while (n < from(v + 1)) {
            val w = otherEnd(entries(n))
            if (!has(w) && other.isInLevel(w)) put(w)
            n += 1
          }
          i += 1
        }
      else
        other.foreachOfLevel { w =>
          var n = from(w)
          while (n < from(w + 1) && levels(otherEnd(entries(n))) != base + depth - 1) n += 1
          if (n < from(w + 1)) put(w)
        }
    }

    private def beginLevel(): Unit = {
      first = end
      depth += 1
      work = 0
    }

    /** Goes back to the last level. */
    def goBack(): Unit = {
      levelFirst = first
      levelEnd = end
    }

    /** Goes back to the level before. */
    def goFurtherBack(): Unit = {
      levelEnd = levelFirst
      levelFirst -= 1
      while (levelFirst > 0 && isInLevel(queue(levelFirst - 1))) levelFirst -= 1
    }

    /** Whether a vertex is in the level to which the search has gone back. */
    def isInLevel(vertex: Int): Boolean = levels(vertex) == levels(queue(levelEnd - 1))

    def foreachOfLevel(visit: Int => Unit): Unit = {
      var i = levelFirst
      while (i < levelEnd) {
        visit(queue(i))
        i += 1
      }
    }

    /** Edges at the vertices of the level to which the search has gone back. */
    def levelWork: Long = {
      var sum = 0L
      var i = levelFirst
      while (i < levelEnd) {
        sum += degree(queue(i))
        i += 1
      }
      sum
    }
  }
}
