package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.types._

import io.github.sparkbic.index.contract.{Panes, WindowComponents}
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.block.{NameColumn, VertexIds}
import io.github.sparkbic.operator.state.Kept

/** What did the graph look like just before an event?
  *
  * An event is answered by the windows that end where its pane starts, so no edge of its pane or later counts. All events of
  * a pane share one pass over the vertices for each length of window, made if there are such events. Each event costs the
  * look-ups of its vertices.
  *
  * A row of the operator holds a block of events, and an array for each field of each length of window, the longest first.
  *
  * @param columns of an event
  * @param source  the column with the first vertex of an event, by position; `target` that with the second, if events have two
  * @param marked  where given, the marked vertices of a component are counted
  * @param waits   whether an event waits until the watermark has passed the windows that answer it, in a stream
  * @param order   for each length of window, in the order of the user: its position in falling lengths
  */
private[sparkbic] final case class AsOf(
    strings: Boolean,
    columns: StructType,
    source: Int,
    target: Option[Int],
    marked: Option[Queries],
    waits: Boolean,
    order: Seq[Int]
) extends Question(
      "bicAsOf",
      Seq(StructField(AsOf.Events, BinaryType)) ++ order.indices.flatMap { i =>
        AsOf.ofWindow(strings, target.nonEmpty, marked.nonEmpty).zipWithIndex.map { case (field, j) =>
          field.copy(name = s"${i}_$j")
        }
      } ++ Question.when(!waits)(StructField(AsOf.Final, LongType)),
      vertices = Seq("component"),
      timesOfEdges = Seq(AsOf.Time),
      isPacked = true,
      kept = Kept.Events,
      suffixParameters = Seq("bicAsOf"),
      list = marked
    ) {
  private val ends = source +: target.toSeq

  /** The fields of an answer by one window. */
  def ofWindow: Seq[StructField] = AsOf.ofWindow(strings, target.nonEmpty, marked.nonEmpty)

  /** The values of [[fields]] for a block of events that no window answers. */
  def unanswered(events: Array[Byte]): Seq[Any] = events +: Seq.fill(fields.size - 1)(null)

  /** The values of [[fields]] for blocks of events of one pane, each made when its turn comes.
    *
    * @param index   has all panes before `end`, and no edge from `end` on
    * @param end     the pane of the events
    * @param isFinal whether no edge of the windows can come any more
    */
  def answers(key: Row, panes: Panes, index: RecencyIndex, ids: VertexIds, end: Long, isFinal: Boolean)(
      blocks: Seq[Array[Byte]]
  ): Iterator[Seq[Any]] = {
    val places = blocks.map(events => ends.map(placesOf(events, _, index, ids)))
    val all = Array.concat(places.flatten: _*)
    val marks = asked.map(marked => ids.find(marked.of(key).head).map(index.placeOf(_)))
    val windows = panes.perWindows.map { length =>
      new WindowOfEvents(end - length, index.components(end - length, all), ids, marks)
    }
    blocks.iterator.zip(places.iterator).map { case (events, ofEnds) =>
      val count = NameColumn.count(events)
      val (one, other) = (ofEnds.head, ofEnds.last)
      // For each event the latest pane from which on edges connect its two vertices.
      val since = target.map(_ =>
        Question.longs(count) { j =>
          if (windows.head.areConnected(one(j), other(j))) index.placesConnectedSince(one(j), other(j))
          else RecencyIndex.Never
        }
      )
      val values = windows.flatMap { window =>
        def time(pane: Long) = if (pane < window.start) RecencyIndex.Never else panes.timeOf(pane)
        since.map(pane => Question.longs(count)(j => time(pane(j)))) ++ ofEnds.flatMap(window.columns)
      }
      (events +: values) ++ Question.when(!waits)(Question.longs(count)(_ => if (isFinal) 1L else 0L))
    }
  }

  /** The places of one vertex of each event in the components of the windows; 0 where no window has the vertex. */
  private def placesOf(events: Array[Byte], column: Int, index: RecencyIndex, ids: VertexIds): Array[Int] = {
    val places = new Array[Int](NameColumn.count(events))
    val row = new UnsafeRow(columns.size)
    val vertexType = columns(column).dataType
    places.indices.foreach { j =>
      NameColumn.point(row, events, j)
      if (!row.isNullAt(column)) {
        val id = vertexType match {
          case LongType    => row.getLong(column)
          case IntegerType => row.getInt(column).toLong
          case ShortType   => row.getShort(column).toLong
          case ByteType    => row.getByte(column).toLong
          case _           => ids.idOf(row.getUTF8String(column))
        }
        places(j) = index.placeOf(id)
      }
    }
    places
  }
}

private[sparkbic] object AsOf {

  /** The field with the events of a row. */
  val Events: String = "events"

  /** The field with a time, in microseconds. */
  val Time: String = "since"

  /** The field that is 1 where an answer is final, else 0. */
  val Final: String = "final"

  /** The fields of an answer by one window: those of a pair, then those of each vertex. */
  private def ofWindow(strings: Boolean, ofPair: Boolean, countsMarked: Boolean): Seq[StructField] = {
    val ofVertex = Question.vertices(strings, "component") ++ Question.numbers("size") ++
      Question.when(countsMarked)(StructField("marked", LongType))
    if (ofPair) Question.numbers(Time) ++ ofVertex ++ ofVertex else ofVertex
  }
}

/** A window that ends where the pane of some events starts, with the components that hold their vertices.
  *
  * @param start the first pane of the window
  * @param found the components, of one pass over the vertices
  * @param marks the places of marked vertices, where these are counted
  */
private final class WindowOfEvents(
    val start: Long,
    found: WindowComponents,
    ids: VertexIds,
    marks: Option[Array[Int]]
) {
  private val smallest = ids.smallest(found)
  // How many marked vertices each component has.
  private val marked = new Array[Long](found.components)

  marks.foreach(_.foreach { place =>
    val component = componentOf(place)
    if (component >= 0) marked(component) += 1
  })

  /** The component of a place; -1 if the window does not have the vertex. */
  private def componentOf(place: Int): Int =
    // A window without an edge has no places.
    if (place < found.places) found.componentOf(place) else -1

  def areConnected(one: Int, other: Int): Boolean = {
    val component = componentOf(one)
    component >= 0 && component == componentOf(other)
  }

  /** The columns of one vertex of each event. */
  def columns(places: Array[Int]): Seq[AnyRef] = {
    def column(none: Long)(value: Int => Long) = Question.longs(places.length) { j =>
      val component = componentOf(places(j))
      if (component < 0) none else value(component)
    }
    Seq(ids.column(column(-1)(smallest(_))), column(0)(found.size(_).toLong)) ++
      marks.map(_ => column(0)(marked(_)))
  }
}
