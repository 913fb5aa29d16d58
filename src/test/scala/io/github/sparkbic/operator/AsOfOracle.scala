package io.github.sparkbic.operator

import scala.collection.mutable

import org.apache.spark.sql.Row

import io.github.sparkbic.index.{Oracle, TimedEdge}
import io.github.sparkbic.operator.block.Names

/** An event of a test; `id` tells it from all others.
  *
  * @param time in seconds; a null is None, as that of a vertex
  */
final case class TestEvent(
    id: Long,
    time: Option[Long],
    source: Option[Long],
    target: Option[Long],
    graph: Int = 0
)

/** What an event is answered, from scratch: the edges of its window, and their components.
  *
  * @param lengths of the windows, in the order of the call; all times are in one unit
  * @param ofPair  whether events have two vertices
  */
final case class AsOfOracle(
    lengths: Seq[Long],
    slide: Long,
    startTime: Long,
    marked: Option[Set[Long]] = None,
    ofPair: Boolean = true
) {
  private val pane = (slide +: lengths).map(BigInt(_)).reduce(_ gcd _).toLong

  /** The start of the pane of a time. */
  def paneStart(time: Long): Long = time - Math.floorMod(time - startTime, pane)

  /** The answer for an event, in the form of [[AsOfOracle.shown]]: successive events of one pane share the components of
    * their windows. Events that do not wait tell whether their answer is final.
    *
    * @param names of the vertices, where they are strings
    */
  def answers(
      edges: Iterable[TimedEdge],
      names: Option[Long => String]
  ): (TestEvent, Option[Boolean]) => String = {
    var before = new AsOfOracle.Before(edges, end = 0)
    (event, isFinal) =>
      event.time.fold("null") { time =>
        if (before.end != paneStart(time)) before = new AsOfOracle.Before(edges, paneStart(time))
        val each = lengths.map(inWindow(event, before, _, names, isFinal))
        if (each.size == 1) each.head else each.mkString("(", ";", ")")
      }
  }

  private def inWindow(
      event: TestEvent,
      before: AsOfOracle.Before,
      length: Long,
      names: Option[Long => String],
      isFinal: Option[Boolean]
  ): String = {
    val start = before.end - length
    def smallest(members: Seq[Long]) =
      names.fold(members.min.toString)(name => members.map(name).min(Names.byBytes))
    def of(vertex: Option[Long]): Seq[String] = {
      val members = vertex.fold(Seq.empty[Long])(before.members(start, _))
      val component = if (members.isEmpty) "null" else smallest(members)
      Seq(component, members.size.toString) ++ marked.map(marks => members.count(marks).toString)
    }
    def since: Option[Long] = for {
      source <- event.source
      target <- event.target
      if before.connects(start, source, target)
      from <- Iterator.iterate(before.end - pane)(_ - pane).takeWhile(_ >= start)
        .find(before.connects(_, source, target))
    } yield from
    val values =
      if (!ofPair) of(event.source)
      else
        Seq(since.nonEmpty.toString, since.fold("null")(_.toString)) ++
          Seq(event.source, event.target).map(of(_).mkString("[", ",", "]"))
    ((s"[$start,${before.end}]" +: values) ++ isFinal.map(_.toString)).mkString("[", ",", "]")
  }
}

object AsOfOracle {

  /** The edges before a time. Of those from another time on, the components are found once. */
  final private class Before(edges: Iterable[TimedEdge], val end: Long) {
    private val found = mutable.Map.empty[Long, (Map[Long, Long], Map[Long, Iterable[Long]])]

    private def from(start: Long) = found.getOrElseUpdate(
      start, {
        val components = Oracle.components(Oracle.between(edges, start, end))
        (components, components.keys.groupBy(components))
      }
    )

    def connects(start: Long, source: Long, target: Long): Boolean =
      Oracle.connected(from(start)._1, source, target)

    def members(start: Long, vertex: Long): Seq[Long] = {
      val (components, byName) = from(start)
      components.get(vertex).toSeq.flatMap(byName)
    }
  }

  /** The column `graph` of an answer.
    * @param unit of the times, in microseconds
    */
  def shown(graph: Any, unit: Long = 1000000L): String = graph match {
    case null                       => "null"
    case row: Row                   => row.toSeq.map(shown(_, unit)).mkString("[", ",", "]")
    case several: collection.Seq[_] => several.map(shown(_, unit)).mkString("(", ";", ")")
    case time: java.sql.Timestamp =>
      ((Math.floorDiv(time.getTime, 1000L) * 1000000L + time.getNanos / 1000) / unit).toString
    case other => other.toString
  }
}
