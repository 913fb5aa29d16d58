package io.github.sparkbic.bench.baseline

import java.util.Arrays

/** What [[Hdt]] and [[EtTree]] share: they are the same but for the number of levels. On the highest level edges are
  * searched, but stay where they are.
  */
private[baseline] abstract class LeveledForest(levels: Int) extends DynamicSystem {
  import LeveledForest.{Absent, HasEdges, TreeEdge}

  /** Forest and other edges of one level. */
  private final class Level {
    val forest = new EulerForest
    val others = new Adjacency
    // Node of each vertex, plus one; and the edge of each of the others.
    var vertices = new Array[Int](16)
    var edgeOf = new Array[Int](16)

    def vertex(v: Int): Int = {
      if (v >= vertices.length || vertices(v) == 0)
        vertices = EulerForest.put(vertices, v, forest.newNode(v, 1) + 1)
      vertices(v) - 1
    }

    def link(e: Int, exact: Boolean): Unit = {
      val forth = forest.newNode(e, 0)
      val back = forest.newNode(e, 0)
      arcs.push(e, forth, back)
      forest.link(vertex(edges.source(e)), vertex(edges.target(e)), forth, back)
      if (exact) forest.mark(forth, TreeEdge)
    }

    /** Of an edge whose highest level this is. */
    def cut(e: Int): Unit = {
      forest.cut(arcs.forth(e), arcs.back(e))
      arcs.pop(e)
    }

    def add(e: Int): Int = {
      val at = others.add(edges.source(e), edges.target(e))
      edgeOf = EulerForest.put(edgeOf, at, e)
      markEnds(e)
      at
    }

    def remove(e: Int, at: Int): Unit = {
      others.remove(at)
      markEnds(e)
    }

    private def markEnds(e: Int): Unit = {
      val u = edges.source(e)
      val v = edges.target(e)
      forest.mark(vertex(u), if (others.first(u) >= 0) HasEdges else 0)
      forest.mark(vertex(v), if (others.first(v) >= 0) HasEdges else 0)
    }
  }

  private val arcs = new Arcs
  private val forests = Array.fill(levels)(new Level)
  // Of each edge its level, and its number among the others of that level, or Absent for a tree edge.
  private var levelOf = new Array[Int](16)
  private var places = new Array[Int](16)

  override protected def reserve(vertices: Int): Unit = ()

  override protected def joined(u: Int, v: Int): Boolean =
    forests(0).forest.joined(forests(0).vertex(u), forests(0).vertex(v))

  override protected def link(e: Int, u: Int, v: Int): Unit = {
    levelOf = EulerForest.put(levelOf, e, 0)
    if (joined(u, v)) places = EulerForest.put(places, e, forests(0).add(e))
    else {
      places = EulerForest.put(places, e, Absent)
      forests(0).link(e, exact = true)
    }
  }

  override protected def unlink(e: Int, u: Int, v: Int): Unit = {
    val level = levelOf(e)
    if (places(e) != Absent) forests(level).remove(e, places(e))
    else {
      var i = level
      while (i >= 0) {
        forests(i).cut(e)
        i -= 1
      }
      i = level
      while (i >= 0) i = if (replaced(i, u, v)) Absent else i - 1
    }
  }

  /** Searches level `i` for an edge between the parts of `u` and `v`. */
  private def replaced(i: Int, u: Int, v: Int): Boolean = {
    val level = forests(i)
    val forest = level.forest
    val a = level.vertex(u)
    val b = level.vertex(v)
    val small = if (forest.size(a) <= forest.size(b)) a else b
    val large = a + b - small
    if (i + 1 < levels) lift(i, small, large) else scan(level, small, large)
  }

  private def lift(i: Int, small: Int, large: Int): Boolean = {
    val level = forests(i)
    val forest = level.forest
    var arc = forest.marked(small, TreeEdge)
    while (arc != Absent) {
      val e = forest.label(arc)
      forest.mark(arc, 0)
      levelOf(e) = i + 1
      forests(i + 1).link(e, exact = true)
      arc = forest.marked(small, TreeEdge)
    }
    var node = forest.marked(small, HasEdges)
    while (node != Absent) {
      val x = forest.label(node)
      val half = level.others.first(x)
      val e = level.edgeOf(half >> 1)
      val far = level.vertex(level.others.end(half ^ 1))
      level.remove(e, half >> 1)
      if (forest.joined(far, large)) {
        replace(i, e)
        return true
      }
      levelOf(e) = i + 1
      places(e) = forests(i + 1).add(e)
      node = forest.marked(small, HasEdges)
    }
    false
  }

  private def scan(level: Level, small: Int, large: Int): Boolean = {
    val forest = level.forest
    // Marks are taken off what has been searched, and put back in the end.
    var searched = Array.empty[Int]
    var count = 0
    var found = Absent
    var node = forest.marked(small, HasEdges)
    while (node != Absent && found == Absent) {
      var half = level.others.first(forest.label(node))
      while (half >= 0 && found == Absent) {
        if (forest.joined(level.vertex(level.others.end(half ^ 1)), large)) found = level.edgeOf(half >> 1)
        half = level.others.next(half)
      }
      forest.mark(node, 0)
      if (count == searched.length) searched = Arrays.copyOf(searched, count * 2 + 8)
      searched(count) = node
      count += 1
      node = if (found == Absent) forest.marked(small, HasEdges) else Absent
    }
    while (count > 0) {
      count -= 1
      forest.mark(searched(count), HasEdges)
    }
    if (found != Absent) {
      level.remove(found, places(found))
      replace(levels - 1, found)
    }
    found != Absent
  }

  private def replace(i: Int, e: Int): Unit = {
    places(e) = Absent
    levelOf(e) = i
    (0 to i).foreach(j => forests(j).link(e, exact = j == i))
  }
}

private object LeveledForest {
  final val Absent = -1
  final val HasEdges = 1
  final val TreeEdge = 2
}
