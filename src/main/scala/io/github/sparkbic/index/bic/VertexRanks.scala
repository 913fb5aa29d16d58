package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.VertexTable
import io.github.sparkbic.index.vertices.VertexNumbers

/** The vertices that windows to come may hold, ranked by id. */
private[bic] final class VertexRanks(vertices: VertexNumbers) {
  private val ids = new Array[Long](vertices.size)
  private val found = new Array[Int](vertices.size)
  private val panes = new Array[Int](vertices.size)
  private var count = 0
  vertices.foreachSeen(vertices.floor) { (id, number, seen) =>
    ids(count) = id
    found(count) = number
    panes(count) = seen
    count += 1
  }

  val table = new VertexTable(Arrays.copyOf(ids, count))

  private val numbers = new Array[Int](count)
  private val ofNumber = new Array[Int](vertices.top)
  count = 0
  while (count < numbers.length) {
    val number = found(table.position(count))
    numbers(count) = number
    ofNumber(number) = count
    count += 1
  }

  def number(rank: Int): Int = numbers(rank)

  def of(number: Int): Int = ofNumber(number)

  /** The pane in which the vertex was seen last. */
  def seen(rank: Int): Int = panes(table.position(rank))
}
