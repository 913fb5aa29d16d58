package io.github.sparkbic.operator.paths

import java.util.Arrays

/** Finds for a pair of vertices the path of fewest edges; of several such paths, the lexicographically smallest sequence
  * of vertices.
  *
  * Breadth-first searches from both ends take turns: the search whose next level has fewer neighbours goes on, a whole level
  * at a time. The first level in which the searches meet gives the distance. Every vertex where they meet is on a shortest
  * path, and so is each vertex of the level before that has a neighbour there, back to the source. These vertices get
  * their distance to the target as well. A walk from the source then takes the smallest neighbour that is one edge closer
  * to the target.
  *
  * Cost: O(neighbours of the vertices that either search reaches). Two vertices that are not connected cost the smaller
  * component at most twice. Memory: 16 bytes a vertex, allocated once for all pairs. Not thread safe.
  *
  * @param compare the order of two vertices
  */
private[sparkbic] final class ShortestPaths(neighbours: Neighbours, compare: (Int, Int) => Int) {
  import neighbours.{from, of}

  private val forward = new Search(neighbours.vertices)
  private val backward = new Search(neighbours.vertices)

  /** The vertices of the path, from `source` to `target`; null if there is no path. */
  def between(source: Int, target: Int): Array[Int] =
    if (source == target) Array(source)
    else {
      forward.start(source)
      backward.start(target)
      val last = meet()
      if (last < 0) null else walk(source, last)
    }

  /** Searches until both searches meet: the distance of source and target, or -1. */
  private def meet(): Int = {
    var distance = -1
    while (distance < 0 && !forward.isDone && !backward.isDone) {
      val search = if (forward.work <= backward.work) forward else backward
      val other = if (search eq forward) backward else forward
      if (search.goOn(other)) distance = search.depth + other.depth
    }
    if (distance >= 0) markForward(distance)
    distance
  }

  /** Gives the vertices of all shortest paths, of those that the forward search has reached, their distance to the target. */
  private def markForward(distance: Int): Unit = {
    var level = forward.depth
    // The queue of the forward search has its levels one after the other; `marked` vertices are moved to the front.
    var marked = 0
    var i = forward.levelStart(level)
    while (i < forward.reached) {
      val v = forward.queue(i)
      if (backward.has(v)) {
        forward.queue(forward.levelStart(level) + marked) = v
        marked += 1
      }
      i += 1
    }
    while (level > 0) {
      val start = forward.levelStart(level)
      level -= 1
      var before = 0
      val room = forward.levelStart(level)
      i = start
      while (i < start + marked) {
        val v = forward.queue(i)
        var n = from(v)
        while (n < from(v + 1)) {
          val w = of(n)
          if (forward.isAt(w, level) && !backward.has(w)) {
            backward.put(w, distance - level)
            forward.queue(room + before) = w
            before += 1
          }
          n += 1
        }
        i += 1
      }
      marked = before
    }
  }

  private def walk(source: Int, distance: Int): Array[Int] = {
    val path = new Array[Int](distance + 1)
    path(0) = source
    var left = distance
    while (left > 0) {
      val v = path(distance - left)
      left -= 1
      var best = -1
      var n = from(v)
      while (n < from(v + 1)) {
        val w = of(n)
        if (w != best && backward.isAt(w, left) && (best < 0 || compare(w, best) < 0)) best = w
        n += 1
      }
      path(distance - left) = best
    }
    path
  }

  /** One breadth-first search. Levels are kept as `base` + level, and a later search starts above all levels of the search
    * before. So nothing is cleared between two pairs.
    */
  private final class Search(vertices: Int) {
    private val levels = new Array[Int](vertices)
    val queue = new Array[Int](vertices)
    private var starts = new Array[Int](16)
    private var base = 1
    private var end = 0
    private var highest = 0
    var depth = 0

    /** Neighbours of the vertices of the last level. */
    var work = 0L

    def start(vertex: Int): Unit = {
      base += highest + 1
      if (base > Search.MaxBase) {
        Arrays.fill(levels, 0)
        base = 1
      }
      depth = 0
      highest = 0
      queue(0) = vertex
      end = 1
      starts(0) = 0
      put(vertex, 0)
      work = neighbours.degree(vertex).toLong
    }

    def has(vertex: Int): Boolean = levels(vertex) >= base

    def isAt(vertex: Int, level: Int): Boolean = levels(vertex) == base + level

    def put(vertex: Int, level: Int): Unit = {
      levels(vertex) = base + level
      highest = math.max(highest, level)
    }

    /** Vertices reached so far. */
    def reached: Int = end

    def levelStart(level: Int): Int = starts(level)

    def isDone: Boolean = starts(depth) == end

    /** Reaches the next level; true if a vertex of this level has been reached by the other search. */
    def goOn(other: Search): Boolean = {
      var i = starts(depth)
      val until = end
      depth += 1
      if (depth == starts.length) starts = Arrays.copyOf(starts, 2 * depth)
      starts(depth) = end
      work = 0
      var hasMet = false
      while (i < until) {
        val v = queue(i)
        var n = from(v)
        while (n < from(v + 1)) {
          val w = of(n)
          if (!has(w)) {
            put(w, depth)
            queue(end) = w
            end += 1
            work += neighbours.degree(w)
            hasMet |= other.has(w)
          }
          n += 1
        }
        i += 1
      }
      hasMet
    }
  }

  private object Search {

    /** The highest level is below the number of vertices, so no level overflows. */
    val MaxBase: Int = Int.MaxValue - neighbours.vertices - 2
  }
}
