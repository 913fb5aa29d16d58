package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.types._

import io.github.sparkbic.index.contract.{Panes, SuffixIndex, WindowComponents}
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

  /** The values of [[fields]] for a block of events.
    * @param isFinal whether no edge of the windows can come any more
    */
  def answers(key: Row, windows: WindowsBefore, events: Array[Byte], isFinal: Boolean): Seq[Any] = {
    val vertices = ends.map(new VerticesOfEvents(events, _, windows))
    val since = if (target.isEmpty) None else Some(connectedSince(windows, vertices.head, vertices.last))
    lazy val marks = windows.find(asked.get.of(key).vertices)
    val ofWindows = windows.starts.indices.flatMap { i =>
      val table = windows.tables(i)
      since.map(_.map(pane => if (pane < windows.starts(i)) SuffixIndex.Never else windows.timeOf(pane))) ++
        vertices.flatMap { of =>
          val found = of.places.map(windows.componentOf(i, _))
          val sizes = found.map(c => if (c < 0) 0L else table.found.size(c).toLong)
          val names = found.map(c => if (c < 0) -1L else table.smallest(c))
          val counts = asked.map(_ => windows.marksOf(i, marks))
          Seq[Any](windows.ids.column(names), sizes) ++
            counts.map(count => found.map(c => if (c < 0) 0L else count(c)))
        }
    }
    (events +: ofWindows) ++
      (if (waits) None else Some(Array.fill(NameColumn.count(events))(if (isFinal) 1L else 0L)))
  }

  private def connectedSince(windows: WindowsBefore, one: VerticesOfEvents, other: VerticesOfEvents) =
    Array.tabulate(one.places.length) { i =>
      if (one.places(i) == 0 || other.places(i) == 0) SuffixIndex.Never
      else windows.index.connectedSince(one.ids(i), other.ids(i))
    }

  /** The vertices of a block of events in one column: their ids, and their places in the components of the windows. */
  private final class VerticesOfEvents(events: Array[Byte], column: Int, windows: WindowsBefore) {
    val ids = new Array[Long](NameColumn.count(events))
    val places = new Array[Int](ids.length)

    {
      val row = new UnsafeRow(columns.size)
      val vertexType = columns(column).dataType
      ids.indices.foreach { i =>
        NameColumn.point(row, events, i)
        if (!row.isNullAt(column)) {
          ids(i) = vertexType match {
            case LongType    => row.getLong(column)
            case IntegerType => row.getInt(column).toLong
            case ShortType   => row.getShort(column).toLong
            case ByteType    => row.getByte(column).toLong
            case _           => windows.ids.idOf(row.getUTF8String(column))
          }
          places(i) = windows.placeOf(ids(i))
        }
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
    val index: SuffixIndex,
    val ids: VertexIds,
    val end: Long
) {

  /** The first pane of the window of each length, the longest first. */
  val starts: Array[Long] = panes.perWindows.map(end - _).toArray

  private val made = new Array[ComponentTable](starts.length)
  private val marks = new Array[Array[Long]](starts.length)

  /** The components of a window, which one pass over the vertices finds. */
  def tables(i: Int): ComponentTable = {
    if (made(i) == null) made(i) = new ComponentTable(index.components(starts(i)), ids)
    made(i)
  }

  /** The component of a place in the windows of one length; -1 if they do not have the vertex. */
  def componentOf(i: Int, place: Int): Int = {
    val found = tables(i).found
    // A window without an edge has no places.
    if (place < found.places) found.componentOf(place) else -1
  }

  /** The place of a vertex in the components of all windows; 0 if no window has it. */
  def placeOf(id: Long): Int = index.placeOf(id)

  /** The places of marked vertices. */
  def find(marked: Array[_]): Array[Int] = ids.find(marked).map(index.placeOf(_))

  /** How many marked vertices each component of a window has; the same for all events of a pane.
    * @param places of the marked vertices
    */
  def marksOf(i: Int, places: => Array[Int]): Array[Long] = {
    if (marks(i) == null) {
      val found: WindowComponents = tables(i).found
      marks(i) = new Array[Long](found.components)
      places.map(componentOf(i, _)).foreach(c => if (c >= 0) marks(i)(c) += 1)
    }
    marks(i)
  }

  /** The time at which a pane starts, in microseconds. */
  def timeOf(pane: Long): Long = panes.timeOf(pane)
}
