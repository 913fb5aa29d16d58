package io.github.sparkbic.operator.question

import java.util.Arrays

import io.github.sparkbic.index.contract.ConnectivityIndex
import io.github.sparkbic.index.kernels.LongInterner
import io.github.sparkbic.operator.block.VertexIds

/** The components of one window, as columns of primitives: two numbers a vertex and 24 to 46 bytes a component.
  *
  * A component is a dense number here.
  */
private[sparkbic] final class ComponentTable private (ids: VertexIds) {
  private var vertexIds = new Array[Long](64)
  private var componentOf = new Array[Int](64)
  private val numbers = new LongInterner()
  private var sizes = new Array[Long](16)
  private var names = new Array[Long](16)
  private var count = 0

  def vertices: Int = count

  def components: Int = numbers.size

  def size(component: Int): Long = sizes(component)

  /** Vertices of the largest component. */
  def largest: Long = (0 until components).foldLeft(0L)((most, c) => math.max(most, sizes(c)))

  /** How many components there are of each size, by rising size. */
  def sizeCounts: Seq[(Long, Long)] =
    Arrays.copyOf(sizes, components).groupBy(identity).toSeq.map { case (size, all) =>
      (size, all.length.toLong)
    }.sorted

  /** The id of the component's smallest vertex, in the order in which the user sees vertices. */
  def smallest(component: Int): Long = names(component)

  /** Vertex and component of every vertex. */
  def members: Iterator[(Long, Int)] = (0 until count).iterator.map(i => (vertexIds(i), componentOf(i)))

  /** The vertices in the order in which they were found, with their components. */
  def vertex(i: Int): Long = vertexIds(i)
  def component(i: Int): Int = componentOf(i)

  /** The order of two vertices as the user sees them. */
  def compare(a: Long, b: Long): Int = ids.compare(a, b)

  /** A vertex as the user knows it. */
  def show(vertex: Long): Any = ids.show(vertex)

  /** @param representative any vertex of the component, the same for all its vertices */
  private def add(vertex: Long, representative: Long): Unit = {
    val component = numbers.intern(representative)
    if (component == sizes.length) {
      sizes = Arrays.copyOf(sizes, component * 2)
      names = Arrays.copyOf(names, component * 2)
    }
    if (sizes(component) == 0 || ids.compare(vertex, names(component)) < 0) names(component) = vertex
    sizes(component) += 1
    if (count == vertexIds.length) {
      vertexIds = Arrays.copyOf(vertexIds, count * 2)
      componentOf = Arrays.copyOf(componentOf, count * 2)
    }
    vertexIds(count) = vertex
    componentOf(count) = component
    count += 1
  }
}

private[operator] object ComponentTable {

  /** The components of the window from pane `start` on, which `index` is ready to answer for. */
  def apply(index: ConnectivityIndex, start: Long, ids: VertexIds): ComponentTable = {
    val table = new ComponentTable(ids)
    index.components(start)(table.add(_, _))
    table
  }

  /** That of a window without edges. */
  def empty(ids: VertexIds): ComponentTable = new ComponentTable(ids)
}
