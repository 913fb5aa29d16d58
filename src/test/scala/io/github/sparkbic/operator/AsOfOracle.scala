package io.github.sparkbic.operator

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
  * @param lengths   of the windows, in seconds, in the order of the call
  * @param slide     and `startTime`: in seconds, too
  * @param marked    the marked vertices, if there are any
  * @param ofPair    whether events have two vertices
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

  /** The answer, in the form of [[AsOfOracle.shown]].
    * @param names of the vertices, where they are strings
    */
  def answer(event: TestEvent, edges: Iterable[TimedEdge], names: Option[Long => String] = None): String = {
    def smallest(members: Seq[Long]) =
      names.fold(members.min.toString)(name => members.map(name).min(Names.byBytes))
    event.time.fold("null") { time =>
      val end = paneStart(time)
      val each = lengths.map { length =>
        val inWindow = Oracle.between(edges, end - length, end)
        val found = Oracle.components(inWindow)
        def of(vertex: Option[Long]): Seq[String] = {
          val members = vertex.flatMap(found.get).fold(Seq.empty[Long]) { name =>
            found.keys.filter(found(_) == name).toSeq
          }
          val component = if (members.isEmpty) "null" else smallest(members)
          Seq(component, members.size.toString) ++ marked.map(marks => members.count(marks).toString)
        }
        def since: Option[Long] = for {
          source <- event.source
          target <- event.target
          if Oracle.connected(found, source, target)
          start <- Iterator.iterate(end - pane)(_ - pane).takeWhile(_ >= end - length).find { from =>
            Oracle.connected(Oracle.components(inWindow.filter(_.time >= from)), source, target)
          }
        } yield start
        val values =
          if (!ofPair) of(event.source)
          else
            Seq(since.nonEmpty.toString, since.fold("null")(_.toString)) ++
              Seq(event.source, event.target).map(of(_).mkString("[", ",", "]"))
        (s"[${end - length},$end]" +: values).mkString("[", ",", "]")
      }
      if (each.size == 1) each.head else each.mkString("(", ";", ")")
    }
  }
}

object AsOfOracle {

  /** The column `graph` of an answer.
    * @param unit of the times, in microseconds
    */
  def shown(graph: Any, unit: Long = 1000000L): String = graph match {
    case null                       => "null"
    case row: Row                   => row.toSeq.map(shown(_, unit)).mkString("[", ",", "]")
    case several: collection.Seq[_] => several.map(shown(_, unit)).mkString("(", ";", ")")
    case time: java.sql.Timestamp =>
      ((Math.floorDiv(time.getTime, 1000L) * 1000000L + time.getNanos / 1000) / unit).toString
    case time: java.time.LocalDateTime => time.toEpochSecond(java.time.ZoneOffset.UTC).toString
    case other                         => other.toString
  }
}
