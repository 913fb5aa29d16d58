package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.kernels.RadixSort
import io.github.sparkbic.operator.state.Kept

/** Which components appeared, merged, split or vanished from the window one slide before to this window?
  *
  * Two components, one of each window, are related if they share a vertex. A component of this window *appeared* if it
  * has no related component, and *merged* if it has several. A component of the window before *vanished* if it has no
  * related component, and *split* if it has several. Other components give no row, even if they grew or shrank.
  *
  * Naively: intersect every component of one window with every component of the other. Here: [[SharedVertices]], a
  * pass over the vertices of both windows; O(vertices) time and memory.
  *
  * @param minSize changes of components of fewer vertices are left out
  * @param stable  whether components keep their names while they live; a name is then a struct with the time of birth
  */
private[sparkbic] final case class Changes(strings: Boolean, minSize: Long, stable: Boolean = false)
    extends Question {
  override def method: String = "bicChanges"

  override val fields: Seq[StructField] = {
    val vertex = Question.vertex(strings)
    val name =
      if (stable) StructType(Seq(StructField("component", vertex), StructField("born", LongType))) else vertex
    val names = ArrayType(name, containsNull = false)
    Seq(StructField("change", StringType), StructField("before", names), StructField("after", names)) :+
      StructField("size", LongType)
  }

  override def vertices: Seq[String] = Seq("before", "after")

  override def kept: Kept = if (stable) Kept.Names() else Kept.WindowBefore()

  override def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]] = {
    val shared = window.shared
    val before = new Side(window, window.previous, Array.tabulate(shared.pairs)(shared.before))
    val after = new Side(window, window.components, Array.tabulate(shared.pairs)(shared.after))
    before.changed.map { c =>
      val now = before.pairsOf(c).map(shared.after)
      Seq[Any](
        if (now.isEmpty) "vanished" else "split",
        before.show(Array(c)),
        after.show(now),
        before.size(c)
      )
    } ++ after.changed.map { c =>
      val old = after.pairsOf(c).map(shared.before)
      Seq[Any](
        if (old.isEmpty) "appeared" else "merged",
        before.show(old),
        after.show(Array(c)),
        after.size(c)
      )
    }
  }

  /** The components of one window, with the pairs that each is in.
    * @param ofPairs the component of this window in each pair
    */
  private final class Side(window: ClosedWindows, table: ComponentTable, ofPairs: Array[Int]) {
    private val names = table.names
    private val byComponent = RadixSort(ofPairs.map(_.toLong)).order
    // The pairs of component c are those from `ends(c)` until `ends(c + 1)` in this order.
    private val ends = new Array[Int](table.found.components + 1)
    ofPairs.foreach(c => ends(c + 1) += 1)
    ends.indices.drop(1).foreach(c => ends(c) += ends(c - 1))

    def size(component: Int): Long = table.found.size(component).toLong

    /** The components that give a row. */
    def changed: Iterator[Int] =
      (0 until table.found.components).iterator.filter(c => size(c) >= minSize && ends(c + 1) - ends(c) != 1)

    /** The numbers of the pairs that a component is in. */
    def pairsOf(component: Int): Array[Int] = byComponent.slice(ends(component), ends(component + 1))

    /** The names of these components, in rising order. */
    def show(components: Array[Int]): Seq[Any] = components.sortWith(precedes).toSeq.map { c =>
      val vertex = window.ids.value(names.vertex(c))
      if (stable) Row(vertex, window.timeOf(names.born(c))) else vertex
    }

    private def precedes(one: Int, other: Int): Boolean = {
      val order = window.ids.compare(names.vertex(one), names.vertex(other))
      order < 0 || order == 0 && names.born(one) < names.born(other)
    }
  }
}
