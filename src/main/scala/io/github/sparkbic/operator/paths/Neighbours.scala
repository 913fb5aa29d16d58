package io.github.sparkbic.operator.paths

/** The neighbours of every vertex of an undirected graph, in compressed sparse rows.
  *
  * The neighbours of vertex `v` are `of(i)` for `from(v) <= i < from(v + 1)`. A repeated edge is there each time, and a
  * self-loop is left out. Memory: 8 bytes an edge and 4 bytes a vertex. Vertices are numbers from 0 on.
  */
private[sparkbic] final class Neighbours(val from: Array[Int], val of: Array[Int]) {
  def vertices: Int = from.length - 1

  def degree(vertex: Int): Int = from(vertex + 1) - from(vertex)
}

private[sparkbic] object Neighbours {

  /** The most edges of a graph: an array has room for both ends of so many. */
  val MaxEdges: Int = (1 << 30) - 8

  /** @param sources and `targets`: the ends of the edges, of which the first `edges` count */
  def apply(vertices: Int, sources: Array[Int], targets: Array[Int], edges: Int): Neighbours = {
    val from = new Array[Int](vertices + 1)
    var e = 0
    while (e < edges) {
      if (sources(e) != targets(e)) {
        from(sources(e)) += 1
        from(targets(e)) += 1
      }
      e += 1
    }
    var sum = 0
    var v = 0
    while (v <= vertices) {
      sum += from(v)
      from(v) = sum
      v += 1
    }
    // From here on `from(v)` is where the next neighbour of `v` ends, and goes down to where the first one starts.
    val of = new Array[Int](sum)
    e = 0
    while (e < edges) {
      val (s, t) = (sources(e), targets(e))
      if (s != t) {
        from(s) -= 1
        of(from(s)) = t
        from(t) -= 1
        of(from(t)) = s
      }
      e += 1
    }
    new Neighbours(from, of)
  }
}
