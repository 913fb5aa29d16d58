package io.github.sparkbic.operator.question

import java.util.Arrays

import io.github.sparkbic.index.contract.WindowComponents
import io.github.sparkbic.index.format.CorruptStateException
import io.github.sparkbic.index.kernels.RadixSort
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.state.KeptNames

/** The components of one window, with their names: 8 bytes a component, or 24 where names are stable.
  *
  * A component is named by its smallest vertex, or it keeps its name while it lives. The heir of a component of the window
  * before is the component that shares most vertices with it. Of several such components, the heir is the component with the
  * smaller smallest vertex. A component takes over the name of the component, among those whose heir it is, that shares most
  * vertices with it. Of several such components, it takes over from the component born earlier, then from the component with
  * the smaller name. A component that takes over from none is born in this window, and is named by its smallest vertex.
  */
private[question] final class ComponentTable(val found: WindowComponents, ids: VertexIds) {
  private var stable, born: Array[Long] = _

  /** The smallest vertex of each component, in the user's order of vertices. */
  lazy val smallest: Array[Long] = ids.smallest(found)

  /** The vertex in the name of each component. */
  def names: Array[Long] = if (stable != null) stable else smallest

  /** Where names are stable: the pane after the window in which each component was born. */
  def births: Array[Long] = born

  /** The user's order of components by their smallest vertices. */
  def compare(one: Int, other: Int): Int = ids.compare(smallest(one), smallest(other))

  /** A copy that stays valid whatever the index does. */
  def keep: ComponentTable = new ComponentTable(found.keep, ids)

  /** Gives the components their names as the state has kept them. */
  def restoreNames(kept: KeptNames): Unit = {
    val sort = RadixSort(smallest)
    if (!Arrays.equals(sort.sorted, kept.keys))
      throw new CorruptStateException("its names are not those of the components of its last window")
    stable = new Array[Long](kept.size)
    born = new Array[Long](kept.size)
    sort.order.indices.foreach { i =>
      stable(sort.order(i)) = kept.vertices(i)
      born(sort.order(i)) = kept.births(i)
    }
  }

  /** Gives the components stable names.
    *
    * @param before the components of the window before
    * @param end    the pane after the window
    */
  def takeNames(before: ComponentTable, shared: SharedVertices, end: Long): Unit = {
    val heirs = Array.fill(before.found.components)(-1)
    val shares = new Array[Int](heirs.length)
    (0 until shared.pairs).foreach { pair =>
      val (old, now, share) = (shared.before(pair), shared.after(pair), shared.shared(pair))
      if (share > shares(old) || share == shares(old) && compare(now, heirs(old)) < 0) {
        heirs(old) = now
        shares(old) = share
      }
    }
    val from = Array.fill(found.components)(-1)
    def takesOver(one: Int, other: Int): Boolean =
      if (shares(one) != shares(other)) shares(one) > shares(other)
      else if (before.births(one) != before.births(other)) before.births(one) < before.births(other)
      else ids.compare(before.names(one), before.names(other)) < 0
    heirs.indices.foreach { old =>
      val heir = heirs(old)
      if (heir >= 0 && (from(heir) < 0 || takesOver(old, from(heir)))) from(heir) = old
    }
    stable = Question.longs(from.length)(now => if (from(now) < 0) smallest(now) else before.names(from(now)))
    born = Question.longs(from.length)(now => if (from(now) < 0) end else before.births(from(now)))
  }
}
