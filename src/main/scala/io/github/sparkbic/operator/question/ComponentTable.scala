package io.github.sparkbic.operator.question

import java.util.Arrays

import io.github.sparkbic.index.contract.WindowComponents
import io.github.sparkbic.operator.block.VertexIds

/** The components of one window, with vertices as the user knows them. Vertices have places and components have numbers,
  * as in [[WindowComponents]]. Memory: 8 bytes a component beside it.
  */
private[sparkbic] final class ComponentTable(found: WindowComponents, ids: VertexIds) {
  private lazy val names: Array[Long] = ids.smallest(found)

  /** Places are below. */
  def places: Int = found.places

  /** The component of the vertex at `place`; -1 where there is no vertex. */
  def componentOf(place: Int): Int = found.componentOf(place)

  /** The vertex at `place`, which must have a component. */
  def vertex(place: Int): Long = found.vertex(place)

  /** The number of vertices. */
  def vertices: Long = found.vertices

  /** The number of components. */
  def components: Int = found.components

  /** The number of vertices of a component. */
  def size(component: Int): Long = found.size(component).toLong

  /** The number of vertices of the largest component; 0 if there is no component. */
  def largest: Long = found.largest.toLong

  /** Each size that occurs, with the number of components of this size, by rising size. */
  def sizeCounts: Seq[(Long, Long)] = {
    val sizes = Array.tabulate(components)(found.size)
    Arrays.sort(sizes)
    val counts = Seq.newBuilder[(Long, Long)]
    var from = 0
    while (from < sizes.length) {
      var until = from + 1
      while (until < sizes.length && sizes(until) == sizes(from)) until += 1
      counts += ((sizes(from).toLong, (until - from).toLong))
      from = until
    }
    counts.result()
  }

  /** The smallest vertex of a component, in the user's order of vertices. */
  def smallest(component: Int): Long = names(component)

  /** The user's order of two vertices. */
  def compare(a: Long, b: Long): Int = ids.compare(a, b)

  /** A vertex in a row. */
  def value(vertex: Long): Any = ids.value(vertex)

  /** A copy that stays valid whatever the index does. */
  def keep: ComponentTable = new ComponentTable(found.keep, ids)
}
