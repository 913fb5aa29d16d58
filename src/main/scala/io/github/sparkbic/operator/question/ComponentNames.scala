package io.github.sparkbic.operator.question

import java.util.Arrays

import io.github.sparkbic.index.contract.WindowComponents
import io.github.sparkbic.index.format.CorruptStateException
import io.github.sparkbic.index.kernels.RadixSort
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.state.KeptNames

/** The components of one window, with their names: 8 bytes a component, or 24 where names are stable. */
private[question] final class ComponentTable(val found: WindowComponents, ids: VertexIds) {
  private var stable: ComponentNames = _

  /** The smallest vertex of each component, in the user's order of vertices. */
  lazy val smallest: Array[Long] = ids.smallest(found)

  /** Each component is named by its smallest vertex, unless it has a stable name. */
  def names: ComponentNames =
    if (stable != null) stable else new ComponentNames(smallest, Array.emptyLongArray)

  def names_=(names: ComponentNames): Unit = stable = names

  /** The user's order of components by their smallest vertices. */
  def compare(one: Int, other: Int): Int = ids.compare(smallest(one), smallest(other))

  /** A copy that stays valid whatever the index does. */
  def keep: ComponentTable = new ComponentTable(found.keep, ids)
}

/** The names of the components of a window. A name is a vertex and, where names are stable, the time of birth: the pane
  * after the window in which the component was born.
  *
  * @param births of all components; empty where names are not stable
  */
private[question] final class ComponentNames(val vertices: Array[Long], val births: Array[Long]) {
  def vertex(component: Int): Long = vertices(component)

  def born(component: Int): Long = if (births.isEmpty) 0 else births(component)
}

/** Names that components keep while they live.
  *
  * The heir of a component of the window before is the component that shares most vertices with it. Of several such
  * components, the heir is the component with the smaller smallest vertex. A component takes over the name of the
  * component, among those whose heir it is, that shares most vertices with it. Of several such components, it takes over
  * from the component born earlier, then from the component with the smaller name. A component that takes over from none
  * is born in this window, and is named by its smallest vertex.
  */
private[question] object StableNames {

  /** The names of the components of `table` as the state has kept them. */
  def restored(table: ComponentTable, kept: KeptNames): ComponentNames = {
    val sort = RadixSort(table.smallest)
    if (!Arrays.equals(sort.sorted, kept.keys))
      throw new CorruptStateException("its names are not those of the components of its last window")
    val vertices, births = new Array[Long](kept.size)
    sort.order.indices.foreach { i =>
      vertices(sort.order(i)) = kept.vertices(i)
      births(sort.order(i)) = kept.births(i)
    }
    new ComponentNames(vertices, births)
  }

  /** The names of the components of `after`.
    *
    * @param end the pane after the window
    */
  def apply(
      before: ComponentTable,
      after: ComponentTable,
      ids: VertexIds,
      end: Long
  )(shared: SharedVertices): ComponentNames = {
    val names = before.names
    val heirs = Array.fill(before.found.components)(-1)
    val shares = new Array[Int](heirs.length)
    (0 until shared.pairs).foreach { pair =>
      val (old, now, share) = (shared.before(pair), shared.after(pair), shared.shared(pair))
      if (share > shares(old) || share == shares(old) && after.compare(now, heirs(old)) < 0) {
        heirs(old) = now
        shares(old) = share
      }
    }
    val from = Array.fill(after.found.components)(-1)
    def takesOver(one: Int, other: Int): Boolean =
      if (shares(one) != shares(other)) shares(one) > shares(other)
      else if (names.born(one) != names.born(other)) names.born(one) < names.born(other)
      else ids.compare(names.vertex(one), names.vertex(other)) < 0
    heirs.indices.foreach { old =>
      val heir = heirs(old)
      if (heir >= 0 && (from(heir) < 0 || takesOver(old, from(heir)))) from(heir) = old
    }
    new ComponentNames(
      Array.tabulate(from.length)(now =>
        if (from(now) >= 0) names.vertex(from(now)) else after.smallest(now)
      ),
      Array.tabulate(from.length)(now => if (from(now) >= 0) names.born(from(now)) else end)
    )
  }
}
