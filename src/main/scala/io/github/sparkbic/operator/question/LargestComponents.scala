package io.github.sparkbic.operator.question

import java.util.{Arrays, Comparator, PriorityQueue}

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

/** Which components are the largest, and how many vertices does each of them have?
  *
  * Larger components come first; of one size, the component with the smaller smallest vertex.
  *
  * Naively: sort all components, and group the vertices of the window by component. Here: a heap of at most `top`
  * components, in one pass over the components; and, for the members, one pass over the vertices that keeps the
  * vertices of the chosen components alone. Memory: 4 bytes a component, and 8 bytes a member.
  *
  * @param top     the most components of an answer
  * @param minSize components of fewer vertices are left out
  * @param members whether to give the vertices of each component, in the user's order
  */
private[sparkbic] final case class LargestComponents(
    strings: Boolean,
    top: Long,
    minSize: Long,
    members: Boolean
) extends Question {
  override def method: String = "bicLargestComponents"

  override def vertices: Seq[String] = "component" +: (if (members) Some("members") else None).toSeq

  override val fields: Seq[StructField] = {
    val vertex = Question.vertex(strings)
    Seq(StructField("component", vertex), StructField("size", LongType)) ++
      (if (members) Some(StructField("members", ArrayType(vertex, containsNull = false))) else None)
  }

  override def answers(key: Row, window: AnsweredWindows): Iterator[Seq[Any]] = {
    val found = window.components
    val chosen = largest(found)
    val held = if (members) verticesOf(found, chosen) else null
    chosen.indices.iterator.map { rank =>
      val component = chosen(rank)
      Seq(found.value(found.smallest(component)), found.size(component)) ++
        (if (members) Some(shown(found, held(rank))) else None)
    }
  }

  /** The numbers of the largest components, the largest first. */
  private def largest(found: ComponentTable): Array[Int] = {
    val smallerFirst: Comparator[Integer] = (one, other) => {
      val bySize = java.lang.Long.compare(found.size(one), found.size(other))
      if (bySize != 0) bySize else found.compare(found.smallest(other), found.smallest(one))
    }
    val heap = new PriorityQueue[Integer](smallerFirst)
    var least = minSize
    var component = 0
    while (component < found.components) {
      // Most components are smaller than all components of a full heap, and cost this comparison alone.
      if (found.size(component) >= least) {
        heap.add(component)
        if (heap.size > top) heap.remove()
        if (heap.size == top) least = found.size(heap.peek)
      }
      component += 1
    }
    val chosen = new Array[Int](heap.size)
    chosen.indices.reverse.foreach(rank => chosen(rank) = heap.remove())
    chosen
  }

  /** The vertices of each chosen component, in no order. */
  private def verticesOf(found: ComponentTable, chosen: Array[Int]): Array[Array[Long]] = {
    val rankOf = new Array[Int](found.components)
    Arrays.fill(rankOf, -1)
    chosen.indices.foreach(rank => rankOf(chosen(rank)) = rank)
    val held = chosen.map(component => new Array[Long](found.size(component).toInt))
    val counts = new Array[Int](chosen.length)
    var place = 1
    while (place < found.places) {
      val component = found.componentOf(place)
      // A place may hold no vertex.
      val rank = if (component >= 0) rankOf(component) else -1
      if (rank >= 0) {
        held(rank)(counts(rank)) = found.vertex(place)
        counts(rank) += 1
      }
      place += 1
    }
    held
  }

  /** The vertices as the user knows and orders them; ids that are their own names stay primitives. */
  private def shown(found: ComponentTable, vertices: Array[Long]): collection.Seq[Any] =
    if (strings) {
      val order = Ordering.fromLessThan[Long](found.compare(_, _) < 0)
      vertices.sorted(order).map(found.value)
    } else {
      Arrays.sort(vertices)
      vertices
    }
}
