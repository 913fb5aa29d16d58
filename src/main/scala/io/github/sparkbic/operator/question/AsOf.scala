package io.github.sparkbic.operator.question

import java.util.Arrays

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
    marked: Option[Queries[MarkedVertices]],
    waits: Boolean,
    order: Seq[Int]
) extends Question {
  // Spark gives each task a question of its own.
  @transient private lazy val asked = marked.map(_.value)
  private val ends = source +: target.toSeq

  override def method: String = "bicAsOf"

  override def vertices: Seq[String] = Seq("component")

  override def timesOfEdges: Seq[String] = Seq(AsOf.Time)

  override def isPacked: Boolean = true

  override def suffixParameters: Seq[String] = Seq("bicAsOf")

  override def kept: Kept = Kept.Events

  override def list: Option[Queries[_]] = marked

  /** The fields of an answer by one window: those of the pair, then those of each vertex. */
  val ofWindow: Seq[StructField] =
    target.toSeq.map(_ => StructField(AsOf.Time, LongType)) ++ ends.flatMap { _ =>
      Seq(StructField("component", Question.vertex(strings)), StructField("size", LongType)) ++
        marked.map(_ => StructField("marked", LongType))
    }

  override val fields: Seq[StructField] =
    (StructField(AsOf.Events, BinaryType) +: order.indices.flatMap { i =>
      ofWindow.zipWithIndex.map { case (field, j) => field.copy(name = AsOf.fieldName(i, j)) }
    }) ++ (if (waits) None else Some(StructField(AsOf.Final, LongType)))

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
    val marks = asked.map(marked => ids.find(marked.of(key).vertices).map(index.placeOf(_)))
    val windows = panes.perWindows.map { length =>
      val found = index.components(end - length, all)
      new WindowOfEvents(end - length, found, ids, marks)
    }
    blocks.iterator.zip(places.iterator).map { case (events, ofEnds) =>
      val since = target.map(_ => connectedSince(index, windows.head, ofEnds.head, ofEnds.last))
      val values = windows.flatMap { window =>
        since.map(times(_, window.start, panes)) ++ ofEnds.flatMap(window.columns)
      }
      (events +: values) ++ (if (waits) None else Some(allFinal(NameColumn.count(events), isFinal)))
    }
  }

  // Loops over arrays, since there may be millions of events: a mapped array would box each value.

  /** The places of one vertex of each event in the components of the windows; 0 where no window has the vertex. */
  private def placesOf(events: Array[Byte], column: Int, index: RecencyIndex, ids: VertexIds): Array[Int] = {
    val places = new Array[Int](NameColumn.count(events))
    val row = new UnsafeRow(columns.size)
    val vertexType = columns(column).dataType
    var j = 0
    while (j < places.length) {
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
      j += 1
    }
    places
  }

  /** For each event the latest pane from which on edges connect its two vertices.
    * @param longest the longest window
    */
  private def connectedSince(
      index: RecencyIndex,
      longest: WindowOfEvents,
      one: Array[Int],
      other: Array[Int]
  ): Array[Long] = {
    val panes = new Array[Long](one.length)
    var j = 0
    while (j < panes.length) {
      val component = longest.componentOf(one(j))
      panes(j) =
        if (component < 0 || component != longest.componentOf(other(j))) RecencyIndex.Never
        else index.placesConnectedSince(one(j), other(j))
      j += 1
    }
    panes
  }

  /** The times of panes, where they are in the window from `start` on. */
  private def times(since: Array[Long], start: Long, panes: Panes): Array[Long] = {
    val times = new Array[Long](since.length)
    var j = 0
    while (j < times.length) {
      val pane = since(j)
      times(j) = if (pane < start) RecencyIndex.Never else panes.timeOf(pane)
      j += 1
    }
    times
  }

  private def allFinal(count: Int, isFinal: Boolean): Array[Long] = {
    val values = new Array[Long](count)
    if (isFinal) Arrays.fill(values, 1L)
    values
  }
}

private[sparkbic] object AsOf {

  /** The field with the events of a row. */
  val Events: String = "events"

  /** The field with a time, in microseconds. */
  val Time: String = "since"

  /** The field that is 1 where an answer is final, else 0. */
  val Final: String = "final"

  /** The name of field `j` of the window of length `i`. */
  def fieldName(i: Int, j: Int): String = s"${i}_$j"
}

/** A window that ends where the pane of some events starts, with the components that hold their vertices.
  *
  * @param start the first pane of the window
  * @param found the components, of one pass over the vertices
  * @param marks the places of marked vertices, where these are counted
  */
private[question] final class WindowOfEvents(
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
  def componentOf(place: Int): Int =
    // A window without an edge has no places.
    if (place < found.places) found.componentOf(place) else -1

  /** The columns of one vertex of each event. */
  def columns(places: Array[Int]): Seq[AnyRef] = {
    val (names, sizes) = (new Array[Long](places.length), new Array[Long](places.length))
    val counts = if (marks.isEmpty) null else new Array[Long](places.length)
    var j = 0
    while (j < places.length) {
      val component = componentOf(places(j))
      if (component < 0) names(j) = -1L
      else {
        names(j) = smallest(component)
        sizes(j) = found.size(component).toLong
        if (counts != null) counts(j) = marked(component)
      }
      j += 1
    }
    Seq(ids.column(names), sizes) ++ Option(counts)
  }
}
