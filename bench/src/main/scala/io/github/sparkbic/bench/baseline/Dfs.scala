package io.github.sparkbic.bench.baseline

import java.util.Arrays

import io.github.sparkbic.bench.WindowSystem
import io.github.sparkbic.index.kernels.LongInterner

/** Depth-First Search (DFS): keeps the edges of the window as adjacency lists and traverses them for each question.
  *
  * J. Hopcroft, R. Tarjan, "Algorithm 447: efficient algorithms for graph manipulation", Comm. ACM 16(6), 1973.
  */
final class Dfs extends WindowSystem {
  private val interner = new LongInterner()
  private val graph = new Adjacency
  // Of each arrival its number in the graph, in both fields.
  private val arrivals = new EdgeQueue
  private var visited = new Array[Int](16)
  private var stack = new Array[Int](16)
  private var visit = 0

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    val e = graph.add(interner.intern(src), interner.intern(dst))
    arrivals.add(pane, e, e)
  }

  override def complete(windowStart: Long): Unit =
    while (arrivals.size > 0 && arrivals.headPane < windowStart) {
      graph.remove(arrivals.headSource)
      arrivals.drop()
    }

  override def connected(source: Long, target: Long): Boolean = {
    val s = interner.find(source)
    val t = interner.find(target)
    if (s < 0 || t < 0 || graph.first(s) < 0 || graph.first(t) < 0) false
    else {
      if (visited.length < interner.size) {
        visited = Arrays.copyOf(visited, interner.size * 2)
        stack = new Array[Int](visited.length)
      }
      visit += 1
      visited(s) = visit
      stack(0) = s
      var depth = 1
      while (depth > 0 && visited(t) != visit) {
        depth -= 1
        var half = graph.first(stack(depth))
        while (half >= 0) {
          val far = graph.end(half ^ 1)
          if (visited(far) != visit) {
            visited(far) = visit
            stack(depth) = far
            depth += 1
          }
          half = graph.next(half)
        }
      }
      visited(t) == visit
    }
  }
}
