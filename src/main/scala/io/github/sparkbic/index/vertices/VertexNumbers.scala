package io.github.sparkbic.index.vertices

import java.util.Arrays

/** Numbers the vertices of the windows to come, densely, so that all else is arrays of primitives.
  *
  * A vertex keeps its number while a window to come may hold it. Then a sweep, which goes along with the inserts, takes
  * the number back and gives it to another vertex. Each vertex added pays for the sweep of four, so that about an
  * eighth of all numbers are dead however fast vertices come and go; and every edge pays a little, so that memory is
  * given back when they stop coming. For what is where, see [[VertexDirectory]].
  *
  * Panes are the low 32 bits of pane numbers, compared by their difference, which is right while they are less than
  * 2^31^ apart; [[sweepAll]] keeps them so.
  */
private[sparkbic] final class VertexNumbers(val keys: VertexKeys, expected: Int = 0) {
  import VertexDirectory.{nodeOf, seenOf}

  private val directory = new VertexDirectory(expected)
  private val pool = new NumberPool
  private val sweep = new PaidSweep(directory, pool.release(_))

  // The keys of the ids that were entered last.
  private var entered = Array.empty[Long]

  /** Vertices last seen before this pane may be forgotten; set by the index. */
  var floor: Int = 0

  /** Numbers given out so far are `0 until top`. */
  def top: Int = pool.top

  /** Vertices that have a number, with some that are dead, but not swept yet. */
  def size: Int = directory.size

  /** The number of a vertex that occurs in `pane` or later, or -1. */
  def find(id: Long, pane: Int): Int = {
    val entry = directory.find(keys.keyOf(id))
    if (entry == 0 || seenOf(entry) - pane < 0) -1 else nodeOf(entry)
  }

  /** Notes that the first `count` of these vertices have edges in `pane`, and what their numbers are. No vertex has been
    * seen in a later pane.
    */
  def enterAll(vertexKeys: Array[Long], count: Int, pane: Int, numbers: Array[Int]): Unit = {
    val directory = this.directory
    directory.fetchAll(vertexKeys, 0, count)
    var i = 0
    while (i < count) {
      val n = directory.touchNewest(vertexKeys(i), pane)
      numbers(i) = if (n >= 0) n else add(vertexKeys(i), pane)
      i += 1
    }
  }

  /** [[enterAll]] for `ids(from)` and the others of `count`. */
  def enterIds(ids: Array[Long], from: Int, count: Int, pane: Int, numbers: Array[Int]): Unit = {
    if (entered.length < count) entered = new Array[Long](count)
    keys.keysOf(ids, from, count, entered)
    enterAll(entered, count, pane, numbers)
  }

  /** Visits every vertex seen in `pane` or later as `visit(id, number)`. */
  def foreach(pane: Int)(visit: (Long, Int) => Unit): Unit =
    foreachSeen(pane)((id, number, _) => visit(id, number))

  /** Visits every vertex seen in `pane` or later as `visit(id, number, seen)`. */
  def foreachSeen(pane: Int)(visitor: VertexVisitor): Unit =
    directory.foreach { (key, number, seen) =>
      if (seen - pane >= 0) visitor.visit(keys.idOf(key), number, seen)
    }

  /** Sweeps what the vertices and edges since the last call have paid for, if that is a table of the directory. */
  def sweepAsPaid(edges: Int): Unit = {
    sweep.pay(edges)
    sweep.sweep(floor)
  }

  /** Forgets everything that may be forgotten, so that panes may again be compared for 2^30^ panes to come. */
  def sweepAll(): Unit = sweep.sweepAll(floor)

  /** Whether most numbers are dead, and [[renumber]] would save memory. */
  def isSparse: Boolean = top > 1024 && directory.size < top / 4

  /** Gives all vertices new numbers, `0 until size`, and returns the new number of each old one, or -1. */
  def renumber(): Array[Int] = {
    sweepAll()
    val renumbered = new Array[Int](top)
    Arrays.fill(renumbered, -1)
    pool.clear()
    directory.renumber { number =>
      renumbered(number) = pool.allocate()
      renumbered(number)
    }
    renumbered
  }

  private def add(key: Long, pane: Int): Int = {
    val n = pool.allocate()
    directory.add(key, n, pane)
    sweep.pay(VertexNumbers.AddPays)
    n
  }
}

private[sparkbic] object VertexNumbers {

  /** These vertices, numbered from zero on, with the panes in which they were seen last; they owe nothing to the sweep. */
  def of(vertexKeys: VertexKeys, floor: Int, keys: Array[Long], seen: Array[Int]): VertexNumbers = {
    val vertices = new VertexNumbers(vertexKeys, keys.length)
    vertices.floor = floor
    vertices.directory.addAll(keys, seen, keys.length, 0)
    vertices.pool.top = keys.length
    vertices
  }

  /** What an added vertex pays for the sweep, in eighths of a place. */
  private final val AddPays = 60
}
