package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.contract.WindowComponents
import io.github.sparkbic.operator.question.Question.when
import io.github.sparkbic.operator.state.Kept

/** Which vertices occur, and in which component?
  *
  * @param minSize     components of fewer vertices are left out
  * @param updatesOnly whether only rows that differ from the window before are given, with null for a vertex that left
  * @param stable      whether components keep their names while they live; else the smallest vertex is the name
  */
private[sparkbic] final case class Components(
    strings: Boolean,
    minSize: Long,
    updatesOnly: Boolean = false,
    stable: Boolean = false
) extends Question(
      "bicComponents",
      Question.vertices(strings, "vertex", "component") ++ when(stable)(StructField("born", LongType)),
      vertices = Seq("vertex", "component"),
      timesOfEdges = when(stable)("born"),
      isPacked = true,
      kept =
        if (stable) Kept.Names(if (updatesOnly) minSize else 0L)
        else if (updatesOnly) Kept.WindowBefore(minSize)
        else Kept.Nothing
    )
    with WindowQuestion {

  override def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]] =
    if (updatesOnly) updates(window)
    else {
      val table = window.components
      val found = table.found
      // The size of each component would be a cache miss.
      chunks(found)(place => minSize <= 1 || found.size(found.componentOf(place)) >= minSize)
        .map(row(window, table, window.ids.columns(table.names, areMost = minSize <= 1)))
    }

  /** A vertex enters with its component, and leaves when its component has become smaller than `minSize`.
    *
    * Most vertices are in a component that has the name of their component before, which is noted once a component. Such
    * a vertex then costs two comparisons of numbers.
    */
  private def updates(window: ClosedWindows): Iterator[Seq[Any]] = {
    val (before, after, shared) = (window.previous.found, window.components.found, window.shared)
    val (old, names) = (window.previous.names, window.components.names)
    val (oldBirths, births) = (window.previous.births, window.components.births)
    def wasCounted(place: Int) = place >= 0 && before.size(before.componentOf(place)) >= minSize
    def isCounted(now: Int) = after.size(now) >= minSize
    // For a component of this window the component before of the same name, if both count; else -1.
    val sameBefore = Array.fill(after.components)(-1)
    def isSame(now: Int, from: Int) = from >= 0 && {
      val was = before.componentOf(from)
      sameBefore(now) == was || isCounted(now) && wasCounted(from) && names(now) == old(was) &&
      (!stable || births(now) == oldBirths(was)) && {
        sameBefore(now) = was
        true
      }
    }
    val changed = chunks(after) { place =>
      val now = after.componentOf(place)
      !isSame(now, shared.from(place)) && isCounted(now)
    }
    val shrunk =
      chunks(after)(place => !isCounted(after.componentOf(place)) && wasCounted(shared.from(place)))
    val left = chunks(before)(place => shared.left.get(place) && wasCounted(place))
    val columns = window.ids.columns(names, areMost = false)
    changed.map(row(window, window.components, columns)) ++ shrunk.map(rowOfLeft(window, after)) ++
      left.map(rowOfLeft(window, before))
  }

  /** The places with a vertex that `isWanted` takes. */
  private def chunks(found: WindowComponents)(isWanted: Int => Boolean): Iterator[Array[Int]] =
    Question.chunks(found.places)(place => found.componentOf(place) >= 0 && isWanted(place))

  /** @param names makes a column of the names of components */
  private def row(window: ClosedWindows, table: ComponentTable, names: Array[Long] => AnyRef)(
      places: Array[Int]
  ): Seq[Any] = {
    val components = Question.longs(places.length)(i => table.found.componentOf(places(i)).toLong)
    Seq(vertexColumn(window, table.found, places), names(components)) ++
      when(stable)(Question.longs(places.length)(i => window.panes.timeOf(table.births(components(i).toInt))))
  }

  /** A row of vertices that have left: there is no array of names. */
  private def rowOfLeft(window: ClosedWindows, found: WindowComponents)(places: Array[Int]): Seq[Any] =
    vertexColumn(window, found, places) +: Seq.fill(fields.size - 1)(null)

  private def vertexColumn(window: ClosedWindows, found: WindowComponents, places: Array[Int]): AnyRef =
    window.ids.column(Question.longs(places.length)(i => found.vertex(places(i))))
}
