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

  override def answers(key: Row, window: AnsweredWindows): Iterator[Seq[Any]] =
    if (updatesOnly) updates(window) else members(window)

  private def members(window: AnsweredWindows): Iterator[Seq[Any]] = {
    val found = window.components
    val names = if (stable) window.names else new ComponentNames.BySmallest(found)
    (0 until found.vertices.length).iterator
      .filter(place => found.componentOf(place) >= 0 && found.size(found.componentOf(place)) >= minSize)
      .map(place => row(window, found.vertices(place), found.componentOf(place), names))
  }

  private def updates(window: AnsweredWindows): Iterator[Seq[Any]] = {
    val updates = ComponentUpdates(window, minSize)
    val names = window.names
    (0 until updates.size).iterator.map(i => row(window, updates.vertex(i), updates.component(i), names))
  }

  private def row(window: AnsweredWindows, vertex: Long, component: Int, names: ComponentNames): Seq[Any] = {
    val name = if (component < 0) null else window.ids.show(names.vertex(component))
    val values = Seq(window.ids.show(vertex), name)
    if (!stable) values
    else values :+ (if (component < 0) null else window.timeOf(names.born(component)))
  }
}
