package io.github.sparkbic.bench.baseline

import java.util.Arrays

import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.index.kernels.LongInterner

/** The components of some edges, computed from scratch by union–find over an array. A program that keeps nothing from one
  * window to the next does this work in each window.
  *
  * Ids are places in the array, so no id is looked up. A root is the smallest vertex of its component, so the root is
  * the name of the component. One pass in rising order gives each vertex its name. Path halving, and links to the
  * smaller root: see [[UnionFind]].
  *
  * @param names by vertex, the smallest vertex of its component; [[ScratchComponents.Absent]] if it does not occur
  */
final class ScratchComponents private (val names: Array[Int], val edges: Long) {
  import ScratchComponents._

  /** The vertices of each component, at the place of its name. */
  private lazy val sizes: Array[Int] = {
    val sizes = new Array[Int](names.length)
    names.foreach(name => if (name != Absent) sizes(name) += 1)
    sizes
  }

  /** Vertex and component, side by side. */
  def rows: (Array[Long], Array[Long]) = select(names(_) != Absent)

  /** Rows that differ from those of the window before; a vertex that left has component [[ScratchComponents.Absent]]. */
  def updates(before: ScratchComponents): (Array[Long], Array[Long]) =
    select(v => names(v) != before.names(v))

  private def select(isRow: Int => Boolean): (Array[Long], Array[Long]) = {
    val vertices = new Array[Long](names.indices.count(isRow))
    val components = new Array[Long](vertices.length)
    var row = 0
    names.indices.foreach { v =>
      if (isRow(v)) {
        vertices(row) = v.toLong
        components(row) = names(v).toLong
        row += 1
      }
    }
    (vertices, components)
  }

  /** Vertices, edges, components, and vertices of the largest component. */
  def stats: Seq[Long] =
    Seq(sizes.foldLeft(0L)(_ + _), edges, sizes.count(_ > 0).toLong, sizes.foldLeft(0)(math.max).toLong)

  /** Component and size of the largest ones, largest first; of two of one size, that of the smaller name first. */
  def largest(top: Int): Seq[(Long, Long)] = {
    val found = ArrayBuffer.empty[Int]
    sizes.indices.foreach { name =>
      val size = sizes(name)
      if (size > 0 && (found.size < top || size > sizes(found.last))) {
        if (found.size == top) found.dropRightInPlace(1)
        found.insert(found.indexWhere(sizes(_) < size) match { case -1 => found.size; case at => at }, name)
      }
    }
    found.toSeq.map(name => (name.toLong, sizes(name).toLong))
  }

  /** The changes since the window before, as `bicChanges` has them. */
  def changes(before: ScratchComponents): Seq[Change] = {
    val pairs = new LongInterner()
    names.indices.foreach { v =>
      if (names(v) != Absent && before.names(v) != Absent)
        pairs.intern(before.names(v).toLong << 32 | names(v))
    }
    val (ofBefore, ofAfter) = (new Related(names.length), new Related(names.length))
    (0 until pairs.size).foreach { n =>
      val (b, a) = ((pairs.id(n) >>> 32).toInt, pairs.id(n).toInt)
      ofBefore.note(b, a)
      ofAfter.note(a, b)
    }
    def rows(here: ScratchComponents, related: Related, none: String, several: String) =
      here.sizes.indices.filter(name => here.sizes(name) > 0 && related.isChange(name)).map { name =>
        val others = related.of(name)
        (if (others.isEmpty) none else several, Seq(name), others, here.sizes(name).toLong)
      }
    rows(before, ofBefore, "vanished", "split").map { case (kind, own, others, size) =>
      Change(kind, own, others, size)
    } ++ rows(this, ofAfter, "appeared", "merged").map { case (kind, own, others, size) =>
      Change(kind, others, own, size)
    }
  }
}

object ScratchComponents {
  val Absent: Int = -1

  final case class Change(kind: String, before: Seq[Int], after: Seq[Int], size: Long)

  /** Of the edges from `sources(i)` to `targets(i)`, for `i` in `edges`; ids are below `limit`. */
  def of(sources: Array[Long], targets: Array[Long], edges: Range, limit: Int): ScratchComponents = {
    val parents = new Array[Int](limit)
    Arrays.fill(parents, Absent)
    var i = edges.start
    while (i < edges.end) {
      val u = root(parents, sources(i).toInt)
      val v = root(parents, targets(i).toInt)
      if (u < v) parents(v) = u else if (v < u) parents(u) = v
      i += 1
    }
    // A parent is smaller than its child, so it has its name already.
    i = 0
    while (i < limit) {
      if (parents(i) != Absent) parents(i) = parents(parents(i))
      i += 1
    }
    new ScratchComponents(parents, edges.size.toLong)
  }

  /** The root of a vertex, which occurs from now on. */
  private def root(parents: Array[Int], vertex: Int): Int = {
    if (parents(vertex) == Absent) parents(vertex) = vertex
    var v = vertex
    while (parents(v) != v) {
      parents(v) = parents(parents(v))
      v = parents(v)
    }
    v
  }

  /** The components of the other window that each component of a window shares vertices with. */
  private final class Related(limit: Int) {
    private val first = new Array[Int](limit)
    Arrays.fill(first, Absent)
    private val more = scala.collection.mutable.HashMap.empty[Int, ArrayBuffer[Int]]

    def note(name: Int, other: Int): Unit =
      if (first(name) == Absent) first(name) = other
      else more.getOrElseUpdate(name, ArrayBuffer(first(name))) += other

    /** Whether there is none, or more than one. */
    def isChange(name: Int): Boolean = first(name) == Absent || more.contains(name)

    /** Rising. */
    def of(name: Int): Seq[Int] =
      more.get(name).fold(Seq(first(name)).filter(_ != Absent))(_.sorted.toSeq)
  }
}
