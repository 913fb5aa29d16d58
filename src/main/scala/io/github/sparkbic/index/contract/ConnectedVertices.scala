package io.github.sparkbic.index.contract

import java.util.function.IntToLongFunction

/** The vertices that edges of the panes held connect with a marked vertex, in no order.
  *
  * A window that ends now has the vertices whose `since` is not before the window, whatever its length. Numbers and vertices
  * may be read until the index takes the next edge. Memory: 12 bytes a vertex.
  *
  * @param last the pane from which ages count backwards
  * @param ages how many panes `since` is before `last`
  * @param ids  from numbers to vertices
  */
private[sparkbic] final class ConnectedVertices(
    val size: Int,
    last: Long,
    numbers: Array[Int],
    ages: Array[Int],
    marks: Array[Int],
    ids: IntToLongFunction
) {

  /** The number that the index gives to vertex `i`: mostly the same as in the window before. */
  def number(i: Int): Int = numbers(i)

  def vertex(i: Int): Long = ids.applyAsLong(numbers(i))

  /** The latest pane from which on edges connect vertex `i` with a marked vertex. */
  def since(i: Int): Long = last - ages(i)

  /** The place of the first marked vertex of the list that edges from `since(i)` on connect with vertex `i`. */
  def mark(i: Int): Int = marks(i)
}

private[sparkbic] object ConnectedVertices {
  private val none = Array.emptyIntArray
  val Empty: ConnectedVertices = new ConnectedVertices(0, 0, none, none, none, _ => 0)
}
