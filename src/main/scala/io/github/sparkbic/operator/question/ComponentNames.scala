package io.github.sparkbic.operator.question

import java.util.Arrays

import io.github.sparkbic.index.format.CorruptStateException
import io.github.sparkbic.index.kernels.RadixSort
import io.github.sparkbic.operator.state.KeptNames

/** The names of the components of a window. A name is a vertex and, where names are stable, the time of birth. */
private[question] trait ComponentNames {

  /** The vertex in the name of a component. */
  def vertex(component: Int): Long

  /** The pane after the window in which a component was born; 0 for all where names are not stable. */
  def born(component: Int): Long
}

private[question] object ComponentNames {

  /** Each component is named by its smallest vertex in the window. */
  final class BySmallest(table: ComponentTable) extends ComponentNames {
    override def vertex(component: Int): Long = table.smallest(component)
    override def born(component: Int): Long = 0
  }
}

/** Names that components keep while they live; 16 bytes a component.
  *
  * The heir of a component of the window before is the component that shares most vertices with it. Of several such
  * components, the heir is the component with the smaller smallest vertex. A component takes over the name of the
  * component, among those whose heir it is, that shares most vertices with it. Of several such components, it takes over
  * from the component born earlier, then from the component with the smaller name. A component that takes over from none
  * is born in this window, and is named by its smallest vertex.
  */
private[question] final class StableNames private (vertices: Array[Long], births: Array[Long])
    extends ComponentNames {
  override def vertex(component: Int): Long = vertices(component)
  override def born(component: Int): Long = births(component)

  /** Visits the vertices in the names. */
  def foreachVertex(visit: Long => Unit): Unit = vertices.foreach(visit)

  /** The names in the form in which the state keeps them. */
  def kept(table: ComponentTable): KeptNames =
    KeptNames(StableNames.smallest(table), vertices, births)
}

private[question] object StableNames {
  val none: StableNames = new StableNames(Array.empty, Array.empty)

  private def smallest(table: ComponentTable): Array[Long] = Array.tabulate(table.components)(table.smallest)

  /** The names of the components of `table` as the state has kept them. */
  def restored(table: ComponentTable, kept: KeptNames): StableNames = {
    val found = RadixSort(smallest(table))
    if (!Arrays.equals(found.sorted, kept.keys))
      throw new CorruptStateException("its names are not those of the components of its last window")
    val vertices = new Array[Long](table.components)
    val births = new Array[Long](table.components)
    found.order.indices.foreach { i =>
      vertices(found.order(i)) = kept.vertices(i)
      births(found.order(i)) = kept.births(i)
    }
    new StableNames(vertices, births)
  }

  /** The names of the components of a window.
    *
    * @param names of the components of `before`
    * @param end   the pane after the window
    */
  def apply(before: ComponentTable, names: StableNames, after: ComponentTable, end: Long)(
      related: RelatedComponents
  ): StableNames = {
    val heirs = Array.fill(before.components)(-1)
    val shares = new Array[Int](before.components)
    var pair = 0
    while (pair < related.size) {
      val (old, now, shared) = (related.before(pair), related.after(pair), related.shared(pair))
      if (shared > shares(old) || shared == shares(old) && isSmaller(after, now, heirs(old))) {
        heirs(old) = now
        shares(old) = shared
      }
      pair += 1
    }
    val from = Array.fill(after.components)(-1)
    var old = 0
    while (old < before.components) {
      val heir = heirs(old)
      if (heir >= 0 && (from(heir) < 0 || takesOver(before, names, shares, old, from(heir)))) from(heir) = old
      old += 1
    }
    val vertices = new Array[Long](after.components)
    val births = new Array[Long](after.components)
    var now = 0
    while (now < after.components) {
      vertices(now) = if (from(now) >= 0) names.vertex(from(now)) else after.smallest(now)
      births(now) = if (from(now) >= 0) names.born(from(now)) else end
      now += 1
    }
    new StableNames(vertices, births)
  }

  private def isSmaller(table: ComponentTable, one: Int, other: Int): Boolean =
    table.compare(table.smallest(one), table.smallest(other)) < 0

  /** Whether their common heir takes over from `one` rather than from `other`. */
  private def takesOver(
      before: ComponentTable,
      names: StableNames,
      shares: Array[Int],
      one: Int,
      other: Int
  ): Boolean =
    if (shares(one) != shares(other)) shares(one) > shares(other)
    else if (names.born(one) != names.born(other)) names.born(one) < names.born(other)
    else before.compare(names.vertex(one), names.vertex(other)) < 0
}
