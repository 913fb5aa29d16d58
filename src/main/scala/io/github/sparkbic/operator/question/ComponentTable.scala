package io.github.sparkbic.operator.question

import java.util.Arrays

import scala.collection.mutable.ArrayBuilder

import io.github.sparkbic.index.contract.ConnectivityIndex
import io.github.sparkbic.index.kernels.LongInterner
import io.github.sparkbic.operator.block.VertexIds

/** The components of one window, as columns of primitives: 12 bytes a vertex and 16 bytes a component.
  *
  * Components are numbered from 0 on. `componentOf(i)` is the number of the component of `vertices(i)`.
  */
private[sparkbic] final class ComponentTable private (
    val vertices: Array[Long],
    val componentOf: Array[Int],
    val components: Int,
    ids: VertexIds
) {
  private val sizes = new Array[Long](components)
  private val names = new Array[Long](components)

  // A loop over a range passes its numbers without boxes.
  vertices.indices.foreach { i =>
    val vertex = vertices(i)
    val component = componentOf(i)
    if (sizes(component) == 0 || ids.compare(vertex, names(component)) < 0) names(component) = vertex
    sizes(component) += 1
  }

  /** The number of vertices of a component. */
  def size(component: Int): Long = sizes(component)

  /** The number of vertices of the largest component; 0 if there is no component. */
  def largest: Long = Arrays.stream(sizes).max.orElse(0L)

  /** Each size that occurs, with the number of components of this size, by rising size. */
  def sizeCounts: Seq[(Long, Long)] = sizes.groupMapReduce(identity)(_ => 1L)(_ + _).toSeq.sorted

  /** The smallest vertex of a component, in the user's order of vertices. */
  def smallest(component: Int): Long = names(component)

  /** The user's order of two vertices. */
  def compare(a: Long, b: Long): Int = ids.compare(a, b)

  /** A vertex as the user knows it. */
  def show(vertex: Long): Any = ids.show(vertex)
}

private[operator] object ComponentTable {

  /** The components of the window that starts at pane `start` and ends with the pane that `index` closed last. */
  def apply(index: ConnectivityIndex, start: Long, ids: VertexIds): ComponentTable = {
    // `addOne` takes primitives, `+=` boxes them.
    val vertices = new ArrayBuilder.ofLong
    val componentOf = new ArrayBuilder.ofInt
    val numbers = new LongInterner()
    index.components(start) { (vertex, smallest) =>
      vertices.addOne(vertex)
      componentOf.addOne(numbers.intern(smallest))
    }
    new ComponentTable(vertices.result(), componentOf.result(), numbers.size, ids)
  }

  /** The components of a window without edges. */
  def empty(ids: VertexIds): ComponentTable = new ComponentTable(Array.empty, Array.empty, 0, ids)
}
