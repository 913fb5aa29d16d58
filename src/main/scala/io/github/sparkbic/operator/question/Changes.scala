package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.kernels.RadixSort
import io.github.sparkbic.operator.state.Kept

/** Which components appeared, merged, split, vanished, grew or shrank from the window one slide before to this window?
  *
  * Two components, one of each window, are related if they share a vertex. A component of this window *appeared* if it
  * has no related component, and *merged* if it has several. A component of the window before *vanished* if it has no
  * related component, and *split* if it has several. A component of this window *grew* or *shrank* if it and the only
  * component related to it are related to no others, and this window's has more or fewer vertices.
  *
  * Naively: intersect every component of one window with every component of the other. Here: [[SharedVertices]], a
  * pass over the vertices of both windows; O(vertices) time and memory.
  *
  * @param minSize changes of components of fewer vertices are left out
  * @param stable  whether components keep their names while they live; a name is then a struct with the time of birth
  * @param growth  whether components that grew or shrank give rows too, and each row tells the size before
  */
private[sparkbic] final case class Changes(strings: Boolean, minSize: Long, stable: Boolean, growth: Boolean)
    extends Question(
      "bicChanges",
      Seq(StructField("change", StringType)) ++
        Seq("before", "after").map { names =>
          val vertex = Question.vertices(strings, "component")
          val name = if (stable) StructType(vertex ++ Question.numbers("born")) else vertex.head.dataType
          StructField(names, ArrayType(name, containsNull = false))
        } ++ Question.numbers("size") ++ Question.when(growth)(StructField("size_before", LongType)),
      vertices = Seq("before", "after"),
      kept = if (stable) Kept.Names() else Kept.WindowBefore()
    )
    with WindowQuestion {

  override def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]] = {
    val shared = window.shared
    val before = new Side(window, window.previous, Array.tabulate(shared.pairs)(shared.before))
    val after = new Side(window, window.components, Array.tabulate(shared.pairs)(shared.after))
    def row(change: String, old: Array[Int], now: Array[Int], size: Long) =
      Seq[Any](change, before.show(old), after.show(now), size) ++
        Question.when(growth)(old.iterator.map(before.size).sum)
    def grown = (0 until shared.pairs).iterator.flatMap { pair =>
      val (old, now) = (shared.before(pair), shared.after(pair))
      val (sizeBefore, size) = (before.size(old), after.size(now))
      val isOne = before.related(old) == 1 && after.related(now) == 1
      if (!isOne || size == sizeBefore || size < minSize) None
      else Some(row(if (size > sizeBefore) "grew" else "shrank", Array(old), Array(now), size))
    }
    before.changed.map { c =>
      val now = before.pairsOf(c).map(shared.after)
      row(if (now.isEmpty) "vanished" else "split", Array(c), now, before.size(c))
    } ++ after.changed.map { c =>
      val old = after.pairsOf(c).map(shared.before)
      row(if (old.isEmpty) "appeared" else "merged", old, Array(c), after.size(c))
    } ++ (if (growth) grown else Iterator.empty)
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

    /** The number of components of the other window that are related to a component. */
    def related(component: Int): Int = ends(component + 1) - ends(component)

    /** The components that have no related component, or several. */
    def changed: Iterator[Int] =
      (0 until table.found.components).iterator.filter(c => size(c) >= minSize && related(c) != 1)

    /** The numbers of the pairs that a component is in. */
    def pairsOf(component: Int): Array[Int] = byComponent.slice(ends(component), ends(component + 1))

    /** The names of these components, in rising order. */
    def show(components: Array[Int]): Seq[Any] = components.sortWith(precedes).toSeq.map { c =>
      val vertex = window.ids.value(names(c))
      if (stable) Row(vertex, window.panes.timeOf(table.births(c))) else vertex
    }

    private def precedes(one: Int, other: Int): Boolean = {
      val order = window.ids.compare(names(one), names(other))
      order < 0 || order == 0 && stable && table.births(one) < table.births(other)
    }
  }
}
