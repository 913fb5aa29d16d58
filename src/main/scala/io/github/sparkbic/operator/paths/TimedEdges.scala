package io.github.sparkbic.operator.paths

import java.util.Arrays

import io.github.sparkbic.index.kernels.LongInterner

/** Edges of one graph and one window, with their times, and the paths that they form.
  *
  * Vertices are numbers from 0 on. Memory: 16 bytes an edge, and twice as much while the arrays grow; [[paths]] takes 8
  * bytes an edge and 20 bytes a vertex more. Not thread safe.
  */
private[sparkbic] final class TimedEdges {
  private var sources = new Array[Int](TimedEdges.FewEdges)
  private var targets = new Array[Int](TimedEdges.FewEdges)
  private var times = new Array[Long](TimedEdges.FewEdges)
  private var count = 0

  def size: Int = count

  def source(edge: Int): Int = sources(edge)

  def target(edge: Int): Int = targets(edge)

  def time(edge: Int): Long = times(edge)

  def add(source: Int, target: Int, time: Long): Unit = {
    if (count == times.length) grow()
    sources(count) = source
    targets(count) = target
    times(count) = time
    count += 1
  }

  private def grow(): Unit = {
    if (count == Neighbours.MaxEdges)
      throw new IllegalStateException(
        s"more than $count edges in one window of one graph; split the graph with `by`, or ask for paths in a shorter window"
      )
    val room = math.min(2L * count, Neighbours.MaxEdges.toLong).toInt
    sources = Arrays.copyOf(sources, room)
    targets = Arrays.copyOf(targets, room)
    times = Arrays.copyOf(times, room)
  }

  /** The edges of the path of each pair, from source to target: the fewest edges; of several such paths, the
    * lexicographically smallest sequence of vertices; of repeated edges the earliest, then the edge with the smaller source.
    * Null where a pair is not connected.
    *
    * @param vertices the number of vertices
    * @param compare  the order of two vertices
    */
  def paths(vertices: Int, pairs: Iterable[(Int, Int)], compare: (Int, Int) => Int): Seq[Array[Int]] = {
    val search = new ShortestPaths(Neighbours(vertices, sources, targets, count), compare)
    val found = pairs.map { case (source, target) => search.between(source, target) }.toArray
    val steps = new LongInterner
    found.foreach(path => if (path != null) foreachStep(path)(step => steps.intern(step): Unit))
    val earliest = earliestOf(steps, compare)
    found.toSeq.map { path =>
      if (path == null) null
      else {
        val edges = new Array[Int](path.length - 1)
        var i = 0
        foreachStep(path) { step =>
          edges(i) = earliest(steps.find(step))
          i += 1
        }
        edges
      }
    }
  }

  private def foreachStep(path: Array[Int])(visit: Long => Unit): Unit =
    (1 until path.length).foreach(i => visit(TimedEdges.step(path(i - 1), path(i))))

  /** For each of the steps the earliest edge between its two vertices. */
  private def earliestOf(steps: LongInterner, compare: (Int, Int) => Int): Array[Int] = {
    val earliest = Array.fill(steps.size)(-1)
    var e = 0
    while (e < count && earliest.length > 0) {
      val step = steps.find(TimedEdges.step(sources(e), targets(e)))
      if (step >= 0) {
        val best = earliest(step)
        if (best < 0 || isBefore(e, best, compare)) earliest(step) = e
      }
      e += 1
    }
    earliest
  }

  private def isBefore(edge: Int, other: Int, compare: (Int, Int) => Int): Boolean =
    times(edge) < times(other) ||
      times(edge) == times(other) && compare(sources(edge), sources(other)) < 0
}

private object TimedEdges {
  private val FewEdges = 1 << 10

  /** Two neighbours in any order, as one number. */
  private def step(a: Int, b: Int): Long = math.min(a, b).toLong << 32 | math.max(a, b)
}
