package io.github.sparkbic.operator.question

import java.util.{Arrays, PriorityQueue}

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.contract.WindowComponents
import io.github.sparkbic.index.kernels.LongInterner
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.question.Question.when

/** Which components are the largest, and how many vertices does each of them have?
  *
  * Larger components come first; of one size, the component with the smaller smallest vertex.
  *
  * Naively: sort all components, and group the vertices of the window by component. Here: a heap of at most `top`
  * components, in one pass over the components. The members take a pass over the vertices, and so do marked vertices, where
  * each vertex is looked up in a hash table. Memory: 4 bytes a component, and 8 bytes a member.
  *
  * @param top     the most components of an answer
  * @param minSize components of fewer vertices are left out
  * @param members whether to give the vertices of each component, in the user's order
  * @param marked  where given, only components that hold a marked vertex count
  */
private[sparkbic] final case class LargestComponents(
    strings: Boolean,
    top: Long,
    minSize: Long,
    members: Boolean,
    marked: Option[Queries] = None
) extends Question(
      "bicLargestComponents",
      Question.vertices(strings, "component") ++ Question.numbers("size") ++
        when(marked.nonEmpty)(StructField("marked", LongType)) ++
        when(members)(StructField("members", ArrayType(Question.vertex(strings), containsNull = false))),
      vertices = "component" +: when(members)("members"),
      list = marked
    )
    with WindowQuestion {

  override def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]] = {
    val table = window.components
    val marks = asked.map(all => marksOf(table.found, window.ids.find(all.of(key).head)))
    val chosen = largest(table, component => marks.forall(_(component) > 0))
    val held = if (members) verticesOf(table.found, chosen) else null
    chosen.indices.iterator.map { rank =>
      val component = chosen(rank)
      Seq(window.ids.value(table.smallest(component)), table.found.size(component).toLong) ++
        marks.map(_(component)) ++
        when(members)(shown(window.ids, held(rank)))
    }
  }

  /** How many of these marked vertices each component holds.
    * @param marked each once; −1 for a string that no edge has
    */
  private def marksOf(found: WindowComponents, marked: Array[Long]): Array[Long] = {
    val counts = new Array[Long](found.components)
    val marks = new LongInterner(marked.length)
    marked.foreach(id => if (!strings || id >= 0) marks.intern(id))
    if (marks.size > 0) Question.foreachPlace(found) { (place, component) =>
      if (marks.find(found.vertex(place)) >= 0) counts(component) += 1
    }
    counts
  }

  /** The numbers of the largest components that may be chosen, the largest first. */
  private def largest(table: ComponentTable, isWanted: Int => Boolean): Array[Int] = {
    val found = table.found
    val heap = new PriorityQueue[Integer]((one: Integer, other: Integer) => {
      val bySize = Integer.compare(found.size(one), found.size(other))
      if (bySize != 0) bySize else table.compare(other, one)
    })
    var least = minSize
    (0 until found.components).foreach { component =>
      // Most components are smaller than all components of a full heap, and cost this comparison alone.
      if (found.size(component) >= least && isWanted(component)) {
        heap.add(component)
        if (heap.size > top) heap.remove()
        if (heap.size == top) least = found.size(heap.peek).toLong
      }
    }
    Array.fill(heap.size)(heap.remove().intValue).reverse
  }

  /** The vertices of each chosen component, in no order. */
  private def verticesOf(found: WindowComponents, chosen: Array[Int]): Array[Array[Long]] = {
    val rankOf = Array.fill(found.components)(-1)
    chosen.indices.foreach(rank => rankOf(chosen(rank)) = rank)
    val held = chosen.map(component => new Array[Long](found.size(component)))
    val counts = new Array[Int](chosen.length)
    Question.foreachPlace(found) { (place, component) =>
      val rank = rankOf(component)
      if (rank >= 0) {
        held(rank)(counts(rank)) = found.vertex(place)
        counts(rank) += 1
      }
    }
    held
  }

  /** The vertices as the user knows and orders them; ids that are their own names stay primitives. */
  private def shown(ids: VertexIds, vertices: Array[Long]): collection.Seq[Any] =
    if (strings) vertices.sorted(Ordering.fromLessThan[Long](ids.compare(_, _) < 0)).map(ids.value)
    else {
      Arrays.sort(vertices)
      vertices
    }
}
