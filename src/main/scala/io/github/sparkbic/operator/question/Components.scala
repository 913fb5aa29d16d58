package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

/** Which vertices occur, and in which component?
  *
  * @param minSize     components of fewer vertices are left out
  * @param updatesOnly whether only the rows that differ from the window before are given. The component of a vertex
  *   that has left is null
  * @param stable      whether components keep their names while they live; else a component is named by its smallest
  *   vertex
  */
private[sparkbic] final class Components(
    strings: Boolean,
    minSize: Long,
    updatesOnly: Boolean = false,
    stable: Boolean = false
) extends Question {
  override def method: String = "bicComponents"

  override def verticesOfEdges: Seq[String] = Seq("vertex", "component")

  override def timesOfEdges: Seq[String] = if (stable) Seq("born") else Nil

  override val fields: Seq[StructField] =
    verticesOfEdges.map(StructField(_, if (strings) StringType else LongType)) ++
      timesOfEdges.map(StructField(_, LongType))

  override def comparesWindows: Boolean = updatesOnly || stable

  override def updatesFrom: Option[Long] = Option.when(updatesOnly)(minSize)

  override def keepsNames: Boolean = stable

  override def isPacked: Boolean = true

  override def answers(key: Row, window: AnsweredWindows): Iterator[Seq[Any]] =
    if (updatesOnly) updates(window) else members(window)

  private def members(window: AnsweredWindows): Iterator[Seq[Any]] = {
    val found = window.components
    val names = if (stable) window.names else new ComponentNames.BySmallest(found)
    val answered = new AnsweredPlaces(found, minSize)
    answered.map(places => columns(window, places.map(found.vertex), places.map(found.componentOf), names))
  }

  private def updates(window: AnsweredWindows): Iterator[Seq[Any]] = {
    val updates = ComponentUpdates(window, minSize)
    val names = window.names
    chunks(updates.vertices.length).map { case (from, until) =>
      columns(window, updates.vertices.slice(from, until), updates.componentOf.slice(from, until), names)
    } ++ chunks(updates.left.length).map { case (from, until) =>
      // No array of names: each vertex of this row has left.
      window.ids.column(updates.left.slice(from, until)) +: Seq.fill(fields.size - 1)(null)
    }
  }

  private def chunks(length: Int): Iterator[(Int, Int)] =
    (0 until length by AnsweredPlaces.ChunkSize).iterator
      .map(from => (from, math.min(length, from + AnsweredPlaces.ChunkSize)))

  private def columns(
      window: AnsweredWindows,
      vertices: Array[Long],
      components: Array[Int],
      names: ComponentNames
  ): Seq[Any] =
    Seq(window.ids.column(vertices), window.ids.column(components.map(names.vertex))) ++
      Option.when(stable)(components.map(c => window.timeOf(names.born(c))))
}
