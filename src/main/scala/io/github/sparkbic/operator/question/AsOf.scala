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

  override def asksOfEvents: Boolean = true

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
    * @param isFinal whether no edge of the windows can come any more
    */
  def answers(
      key: Row,
      windows: WindowsBefore,
      blocks: Seq[Array[Byte]],
      isFinal: Boolean
  ): Iterator[Seq[Any]] = {
    val vertices = blocks.map(events => ends.map(new VerticesOfEvents(events, _, windows)))
    val places = Array.concat(vertices.flatMap(_.map(_.places)): _*)
    val marks = asked.map(all => windows.find(all.of(key).vertices))
    val found = windows.starts.map(start =>
      new ComponentsOfEvents(windows.index.componentsOf(places, start), windows.ids, marks)
    )
    blocks.iterator.zip(vertices.iterator).map { case (events, ofEnds) =>
      val since = target.map(_ => connectedSince(windows, found.head, ofEnds.head, ofEnds.last))
      val ofWindows = found.indices.flatMap { i =>
        since.map(times(windows, i, _)) ++ ofEnds.flatMap(of => ofVertices(windows, found(i), of.places))
      }
      (events +: ofWindows) ++ (if (waits) None else Some(allFinal(NameColumn.count(events), isFinal)))
    }
  }

  // Loops over arrays, since there may be millions of events: a mapped array would box each value.

  /** For each event the latest pane from which on edges connect its two vertices.
    * @param longest the components of the longest window
    */
  private def connectedSince(
      windows: WindowsBefore,
      longest: ComponentsOfEvents,
      one: VerticesOfEvents,
      other: VerticesOfEvents
  ): Array[Long] = {
    val panes = new Array[Long](one.places.length)
    var j = 0
    while (j < panes.length) {
      val component = longest.componentOf(one.places(j))
      panes(j) =
        if (component < 0 || component != longest.componentOf(other.places(j))) RecencyIndex.Never
        else windows.index.placesConnectedSince(one.places(j), other.places(j))
      j += 1
    }
    panes
  }

  /** The times of panes of the windows of length `i`. */
  private def times(windows: WindowsBefore, i: Int, panes: Array[Long]): Array[Long] = {
    val times = new Array[Long](panes.length)
    var j = 0
    while (j < panes.length) {
      val pane = panes(j)
      times(j) = if (pane < windows.starts(i)) RecencyIndex.Never else windows.timeOf(pane)
      j += 1
    }
    times
  }

  /** The columns of one vertex of each event, by the windows of one length. */
  private def ofVertices(
      windows: WindowsBefore,
      found: ComponentsOfEvents,
      places: Array[Int]
  ): Seq[AnyRef] = {
    val (names, sizes) = (new Array[Long](places.length), new Array[Long](places.length))
    val marked = if (asked.isEmpty) null else new Array[Long](places.length)
    var j = 0
    while (j < places.length) {
      val component = found.componentOf(places(j))
      if (component < 0) names(j) = -1L
      else {
        names(j) = found.smallest(component)
        sizes(j) = found.size(component).toLong
        if (marked != null) marked(j) = found.marked(component)
      }
      j += 1
    }
    Seq(windows.ids.column(names), sizes) ++ Option(marked)
  }

  private def allFinal(count: Int, isFinal: Boolean): Array[Long] = {
    val values = new Array[Long](count)
    if (isFinal) Arrays.fill(values, 1L)
    values
  }

  /** The places of the vertices of a block of events, in the components of the windows; 0 where no window has the vertex. */
  private final class VerticesOfEvents(events: Array[Byte], column: Int, windows: WindowsBefore) {
    val places = new Array[Int](NameColumn.count(events))

    {
      val row = new UnsafeRow(columns.size)
      val vertexType = columns(column).dataType
      var i = 0
      while (i < places.length) {
        NameColumn.point(row, events, i)
        if (!row.isNullAt(column)) {
          val id = vertexType match {
            case LongType    => row.getLong(column)
            case IntegerType => row.getInt(column).toLong
            case ShortType   => row.getShort(column).toLong
            case ByteType    => row.getByte(column).toLong
            case _           => windows.ids.idOf(row.getUTF8String(column))
          }
          places(i) = windows.index.placeOf(id)
        }
        i += 1
      }
    }
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

/** The windows that end where one pane starts, in one graph: what an index answers before it takes an edge of this pane.
  *
  * @param end   the pane; all panes before are in the index, and closed
  */
private[operator] final class WindowsBefore(
    panes: Panes,
    val index: RecencyIndex,
    val ids: VertexIds,
    val end: Long
) {

  /** The first pane of the window of each length, the longest first. */
  val starts: Array[Long] = panes.perWindows.map(end - _).toArray

  /** The places of marked vertices. */
  def find(marked: Array[_]): Array[Int] = ids.find(marked).map(index.placeOf(_))

  /** The time at which a pane starts, in microseconds. */
  def timeOf(pane: Long): Long = panes.timeOf(pane)
}

/** The components that hold vertices of events, in the windows of one length, which one pass over the vertices finds.
  *
  * @param marks the places of marked vertices, where these are counted
  */
private[question] final class ComponentsOfEvents(
    found: WindowComponents,
    ids: VertexIds,
    marks: Option[Array[Int]]
) {
  val smallest: Array[Long] = ids.smallest(found)

  /** How many marked vertices each component has. */
  val marked: Array[Long] = new Array[Long](found.components)

  marks.foreach(_.foreach { place =>
    val component = componentOf(place)
    if (component >= 0) marked(component) += 1
  })

  /** The component of a place; -1 if the windows do not have the vertex. */
  def componentOf(place: Int): Int =
    // A window without an edge has no places.
    if (place < found.places) found.componentOf(place) else -1

  def size(component: Int): Int = found.size(component)
}
