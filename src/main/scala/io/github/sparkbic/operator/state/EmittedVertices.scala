package io.github.sparkbic.operator.state

import java.util.Arrays

import scala.collection.mutable.ArrayBuilder

import io.github.sparkbic.index.contract.{ConnectedVertices, Panes}
import io.github.sparkbic.index.kernels.LongInterner

/** [[EmittedRows]] of vertices.
  *
  * Most vertices have the number in the index that they had when their last row came. So [[slotsOf]] looks there first, and
  * only other vertices are looked up by hash.
  *
  * Memory: 25 to 40 bytes a vertex, and 20 for each run. In the state: 3 bytes a vertex and its difference to the vertex
  * before.
  */
private[operator] final class EmittedVertices(panes: Panes, ofLast: Boolean)
    extends EmittedRows(panes, ofLast, "vertex", width = 1) {
  private var vertices = new LongInterner
  // By the number in the index: a slot of the vertex that last had the number, plus one.
  private var hints = Array.emptyIntArray

  override def size: Int = vertices.size
  override def ofVertices: EmittedVertices = this

  /** The slots of the vertices whose `since` is not before `from`, each at its place in `found`. A vertex that is not there
    * gets a slot.
    */
  def slotsOf(found: ConnectedVertices, from: Long): Array[Int] = {
    val slots = new Array[Int](found.size)
    // Vertices are looked up by hash in blocks, so that many cache lines are waited for at once.
    val unhinted = new Array[Int](EmittedVertices.Block)
    var begin = 0
    while (begin < found.size) {
      val end = math.min(found.size, begin + unhinted.length)
      var count = 0
      var i = begin
      while (i < end) {
        if (found.since(i) >= from) {
          slots(i) = hinted(found.number(i), found.vertex(i))
          if (slots(i) < 0) {
            unhinted(count) = i
            count += 1
          }
        }
        i += 1
      }
      if (count > 0) enterAll(found, unhinted, count, slots)
      begin = end
    }
    slots
  }

  /** The slot of a vertex if the last vertex with its number was the same; else -1. */
  private def hinted(number: Int, vertex: Long): Int = {
    val hint = if (number < hints.length) hints(number) - 1 else -1
    if (hint >= 0 && vertices.id(hint) == vertex) hint else -1
  }

  /** Looks `count` vertices at some places in `found` up by hash. */
  private def enterAll(found: ConnectedVertices, places: Array[Int], count: Int, slots: Array[Int]): Unit = {
    val wanted = new Array[Long](count)
    var i = 0
    while (i < count) {
      wanted(i) = found.vertex(places(i))
      i += 1
    }
    val entered = new Array[Int](count)
    vertices.internAll(wanted, 0, count, entered)
    reserve(vertices.size)
    i = 0
    while (i < count) {
      slots(places(i)) = entered(i)
      note(found.number(places(i)), entered(i))
      i += 1
    }
  }

  private def note(number: Int, slot: Int): Unit = {
    if (number >= hints.length) hints = Arrays.copyOf(hints, math.max(number + 1, 2 * hints.length))
    hints(number) = slot + 1
  }

  /** Notes a vertex with a row in a window; false if it had a row in the window before. */
  def addNew(slot: Int, window: Long): Boolean = {
    val had = contains(slot, 0, window - step, window - step)
    add(slot, 0, window)
    !had
  }

  /** The vertices with a row in the window before that have none in this window. */
  def leftBy(window: Long): Array[Long] = {
    val left = new ArrayBuilder.ofLong
    var slot = 0
    while (slot < vertices.size) {
      if (latest(slot, 0) == window - step) left += vertices.id(slot)
      slot += 1
    }
    left.result()
  }

  override protected def vertexOf(slot: Int, i: Int): Long = vertices.id(slot)

  override protected def repeatOf(slot: Int): Int = 0

  override protected def enter(of: Array[Long], at: Int, repeat: Int): Int = vertices.intern(of(at))

  override protected def clearSlots(expected: Int): Unit = {
    vertices = new LongInterner(math.max(8, expected))
    hints = Array.emptyIntArray
  }
}

private[operator] object EmittedVertices {

  // Vertices that are looked up together.
  private final val Block = 256
}
