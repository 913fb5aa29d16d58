package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.operator.state.Kept

/** Which components appeared, merged, split or vanished from the window one slide before to this window?
  *
  * Two components, one of each window, are related if they share a vertex. A component of this window *appeared* if it
  * has no related component, and *merged* if it has several. A component of the window before *vanished* if it has no
  * related component, and *split* if it has several. Other components give no row, even if they grew or shrank.
  *
  * Naively: intersect every component of one window with every component of the other. Here: [[RelatedComponents]], a
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

  override def answers(key: Row, window: AnsweredWindows): Iterator[Seq[Any]] = {
    val related = window.related
    val before = new Side(window.previous, window.previousNames, window, related.size, related.before)
    val after = new Side(window.components, window.names, window, related.size, related.after)
    before.changed.map { c =>
      val now = before.pairsOf(c).map(related.after)
      Seq[Any](
        if (now.isEmpty) "vanished" else "split",
        before.show(Array(c)),
        after.show(now),
        before.size(c)
      )
    } ++ after.changed.map { c =>
      val old = after.pairsOf(c).map(related.before)
      Seq[Any](
        if (old.isEmpty) "appeared" else "merged",
        before.show(old),
        after.show(Array(c)),
        after.size(c)
      )
    }
  }

  /** The components of one window, with the pairs that each is in: 4 bytes a pair and a component. */
  private final class Side(
      table: ComponentTable,
      names: ComponentNames,
      window: AnsweredWindows,
      pairs: Int,
      componentOf: Int => Int
  ) {
    // The pairs of component c are those from `ends(c - 1)` until `ends(c)`.
    private val ends = new Array[Int](table.components)
    private val byComponent = new Array[Int](pairs)

    group()

    def size(component: Int): Long = table.size(component)

    /** The components that give a row. */
    def changed: Iterator[Int] =
      (0 until table.components).iterator.filter(c => size(c) >= minSize && ends(c) - startOf(c) != 1)

    /** The numbers of the pairs that a component is in. */
    def pairsOf(component: Int): Array[Int] = byComponent.slice(startOf(component), ends(component))

    /** The names of these components, in rising order. */
    def show(components: Array[Int]): Seq[Any] = components.sortWith(precedes).toSeq.map { c =>
      val vertex = window.ids.value(names.vertex(c))
      if (stable) Row(vertex, window.timeOf(names.born(c))) else vertex
    }

    private def precedes(one: Int, other: Int): Boolean = {
      val order = window.ids.compare(names.vertex(one), names.vertex(other))
      order < 0 || order == 0 && names.born(one) < names.born(other)
    }

    private def startOf(component: Int): Int = if (component == 0) 0 else ends(component - 1)

    /** Counts the pairs of each component, then puts each pair before the end of its component's pairs. */
    private def group(): Unit = {
      var pair = 0
      while (pair < pairs) {
        ends(componentOf(pair)) += 1
        pair += 1
      }
      val next = ends.scanLeft(0)(_ + _)
      ends.indices.foreach(c => ends(c) = next(c + 1))
      pair = 0
      while (pair < pairs) {
        val component = componentOf(pair)
        byComponent(next(component)) = pair
        next(component) += 1
        pair += 1
      }
    }
  }
}
