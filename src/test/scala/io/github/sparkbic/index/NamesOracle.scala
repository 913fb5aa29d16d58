package io.github.sparkbic.index

import scala.collection.compat._

/** Names that components keep, and the rows that differ from window to window, by their definitions: on sets of vertices,
  * each old set against each new one. Only the components themselves are from [[Oracle]].
  */
object NamesOracle {

  /** The smallest vertex of a component when it was born, and the end of that window. */
  final case class Name(component: Long, born: Long)

  /** A window with an edge, or the first one without an edge after others, and the names of its components. */
  final case class Named(start: Long, end: Long, names: Names) {

    /** Vertex to the name of its component, for components of so many vertices. */
    def rows(minSize: Long): Map[Long, Name] =
      for ((vertices, name) <- names if vertices.size >= minSize; vertex <- vertices) yield vertex -> name
  }

  /** Components that keep their names while they live. */
  def stable(stream: Stream): Seq[Named] = named(stream)(heritage)

  /** Components named by their smallest vertex; nothing is born. */
  def smallest(stream: Stream): Seq[Named] =
    named(stream)((_, after, _) => after.map(vertices => vertices -> Name(vertices.min, 0)).toMap)

  /** The rows of each window that differ from the window before: vertex and name, None if the vertex has left. */
  def updates(windows: Seq[Named], slide: Long, minSize: Long): Map[Long, Map[Long, Option[Name]]] = {
    val rows = windows.map(window => window.start -> window.rows(minSize)).toMap
    rows.map { case (start, now) =>
      val before = rows.getOrElse(start - slide, Map.empty)
      val differs = (now.keySet ++ before.keySet).filter(vertex => now.get(vertex) != before.get(vertex))
      start -> differs.map(vertex => vertex -> now.get(vertex)).toMap
    }
  }

  type Names = Map[Set[Long], Name]

  private def named(stream: Stream)(name: (Names, Seq[Set[Long]], Long) => Names): Seq[Named] = {
    val slide = stream.panes.slide
    val length = stream.panes.window
    val sets = Oracle.windows(stream).map { case (start, _, components) =>
      start -> components.toSeq.groupMap(_._2)(_._1).values.map(_.toSet).toSeq
    }.toMap
    sets.keys.flatMap(start => Seq(start, start + slide)).toSeq.distinct.sorted
      .scanLeft(Named(Long.MinValue, 0, Map.empty)) { (last, start) =>
        val before = if (last.start == start - slide) last.names else Map.empty[Set[Long], Name]
        Named(start, start + length, name(before, sets.getOrElse(start, Nil), start + length))
      }.tail
  }

  private def heritage(before: Names, after: Seq[Set[Long]], end: Long): Names = {
    def shared(one: Set[Long], other: Set[Long]) = one.intersect(other).size
    val now = after.flatMap(vertices => vertices.map(_ -> vertices)).toMap
    val heirs = before.keys.toSeq.flatMap { old =>
      val sharing = old.toSeq.flatMap(now.get).distinct
      sharing.sortBy(heir => (-shared(old, heir), heir.min)).headOption.map(_ -> old)
    }.groupMap(_._1)(_._2)
    after.map { now =>
      val from = heirs.getOrElse(now, Nil)
        .sortBy(old => (-shared(old, now), before(old).born, before(old).component)).headOption
      now -> from.fold(Name(now.min, end))(before)
    }.toMap
  }
}
