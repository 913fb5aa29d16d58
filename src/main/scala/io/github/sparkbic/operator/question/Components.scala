package io.github.sparkbic.operator.question

import java.util.function.{IntToLongFunction, IntUnaryOperator}

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.operator.state.Kept

/** Which vertices occur, and in which component?
  *
  * @param minSize     components of fewer vertices are left out
  * @param updatesOnly whether only the rows that differ from the window before are given. The component of a vertex
  *   that has left is null
  * @param stable      whether components keep their names while they live; else a component is named by its smallest
  *   vertex
  */
private[sparkbic] final case class Components(
    strings: Boolean,
    minSize: Long,
    updatesOnly: Boolean = false,
    stable: Boolean = false
) extends Question {
  override def method: String = "bicComponents"

  override def vertices: Seq[String] = Seq("vertex", "component")

  override def timesOfEdges: Seq[String] = if (stable) Seq("born") else Nil

  override val fields: Seq[StructField] =
    vertices.map(StructField(_, Question.vertex(strings))) ++
      timesOfEdges.map(StructField(_, LongType))

  override def kept: Kept = {
    val updatesFrom = if (updatesOnly) minSize else 0L
    if (stable) Kept.Names(updatesFrom)
    else if (updatesOnly) Kept.WindowBefore(updatesFrom)
    else Kept.Nothing
  }

  override def isPacked: Boolean = true

  override def answers(key: Row, window: AnsweredWindows): Iterator[Seq[Any]] =
    if (updatesOnly) updates(window) else members(window)

  private def members(window: AnsweredWindows): Iterator[Seq[Any]] = {
    val found = window.components
    val names = if (stable) window.names else new ComponentNames.BySmallest(found)
    new AnsweredPlaces(found, minSize).map { places =>
      columns(window, names, places.length)(
        i => found.vertex(places(i)),
        i => found.componentOf(places(i))
      )
    }
  }

  private def updates(window: AnsweredWindows): Iterator[Seq[Any]] = {
    val updates = ComponentUpdates(window, minSize)
    val names = window.names
    chunks(updates.vertices.length).map { case (from, until) =>
      columns(window, names, until - from)(
        i => updates.vertices(from + i),
        i => updates.componentOf(from + i)
      )
    } ++ chunks(updates.left.length).map { case (from, until) =>
      // No array of names: each vertex of this row has left.
      window.ids.column(updates.left.slice(from, until)) +: Seq.fill(fields.size - 1)(null)
    }
  }

  private def chunks(length: Int): Iterator[(Int, Int)] =
    (0 until length by AnsweredPlaces.ChunkSize).iterator
      .map(from => (from, math.min(length, from + AnsweredPlaces.ChunkSize)))

  /** So many answers, by functions of primitives: a `map` over an array would box each of them. */
  private def columns(window: AnsweredWindows, names: ComponentNames, count: Int)(
      vertex: IntToLongFunction,
      component: IntUnaryOperator
  ): Seq[Any] = {
    val vertices, components, births = new Array[Long](count)
    var i = 0
    while (i < count) {
      val c = component.applyAsInt(i)
      vertices(i) = vertex.applyAsLong(i)
      components(i) = names.vertex(c)
      if (stable) births(i) = window.timeOf(names.born(c))
      i += 1
    }
    Seq(window.ids.column(vertices), window.ids.column(components)) ++ (if (stable) Some(births) else None)
  }
}
