package io.github.sparkbic.operator.question

import java.util.Arrays

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.contract.{ConnectedVertices, Panes}
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.state.{EmittedRows, EmittedVertices, Kept}

/** Which vertices are connected to a marked vertex, and since when?
  *
  * An index knows that for all windows that end at one time, by one pass over the vertices. So a row costs the look-up of
  * its vertex, and a graph without a marked vertex costs the search for the marked vertices alone.
  *
  * The state keeps which vertices have had rows, where rows come early or are updates. It cannot ask the index again, since
  * other vertices may have been marked when the rows came.
  *
  * @param early       whether a row may come before its window closes, in a stream. It can never be taken back, since edges
  *   are only added to a window
  * @param updatesOnly whether only vertices without a row in the window before give a row, and vertices that have a row there
  *   alone, with nulls
  */
private[sparkbic] final case class ConnectedTo(
    strings: Boolean,
    marked: Queries[MarkedVertices],
    early: Boolean,
    updatesOnly: Boolean
) extends WindowQuestion {
  // Spark gives each task a question of its own.
  @transient private lazy val asked = marked.value

  override def method: String = "bicConnectedTo"

  override def vertices: Seq[String] = Seq("vertex", "marked")

  override def timesOfEdges: Seq[String] = Seq("since")

  override val fields: Seq[StructField] =
    vertices.map(StructField(_, Question.vertex(strings))) :+ StructField("since", LongType)

  override def isPacked: Boolean = true

  override def kept: Kept =
    if (early) Kept.EmittedVertices else if (updatesOnly) Kept.Updates else Kept.Nothing

  override def suffixParameters: Seq[String] = Seq("early").filter(_ => early)

  override def list: Option[Queries[_]] = Some(marked)

  override def begin(key: Row, windows: ClosedWindows): Unit =
    if (updatesOnly)
      windows.connectedBefore(windows.ids.find(asked.of(key).vertices)).foreach { case (window, found) =>
        val rows = windows.kept.ofVertices
        val slots = rows.slotsOf(found, window)
        slots.indices.foreach(i => if (found.since(i) >= window) rows.addNew(slots(i), window))
      }

  override def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]] =
    if (early && window.haveCome) Iterator.empty else answersOf(asked.of(key), window)

  private def answersOf(marked: MarkedVertices, window: ClosedWindows): Iterator[Seq[Any]] = {
    lazy val marks = window.ids.find(marked.vertices)
    val found = window.connectedTo(marks)
    lazy val rows = window.kept.ofVertices
    lazy val slots = rows.slotsOf(found, window.start)
    def isIn(i: Int): Boolean = found.since(i) >= window.start
    def rowsOf(isWanted: Int => Boolean) =
      Question.chunks(found.size)(isWanted).map(row(_, found, marks, window.ids, window.panes))
    if (early) {
      val place = rows.placeOf((window.end - window.start).toInt)
      def hasCome(i: Int): Boolean = rows.contains(slots(i), place, window.start, window.start)
      rowsOf(i => isIn(i) && !hasCome(i))
    } else if (updatesOnly)
      rowsOf(i => isIn(i) && rows.addNew(slots(i), window.start)) ++ left(rows, window)
    else rowsOf(isIn)
  }

  /** The rows of the vertices that have left, once all others are noted. */
  private def left(rows: EmittedVertices, window: ClosedWindows): Iterator[Seq[Any]] = {
    val vertices = rows.leftBy(window.start)
    rows.forgetBefore(window.end)
    vertices.grouped(Question.ChunkSize).map(chunk => Seq(window.ids.column(chunk), null, null))
  }

  override def earlyAnswers(key: Row, open: OpenWindows): Iterator[(Long, Long, Seq[Any])] = {
    val marks = open.ids.find(asked.of(key).vertices)
    val rows = open.kept.ofVertices
    for {
      _ <- Iterator.continually(open.advance()).takeWhile(identity)
      found = open.index.connectedTo(marks)
      slots = rows.slotsOf(found, open.spans.map(_._2).min)
      (length, first, last) <- open.spans.iterator
      news = new NewRows(found, rows, slots, rows.placeOf(length), first, last)
      window <- Iterator.iterate(first)(_ + open.panes.perSlide).takeWhile(_ <= last && news.size > 0)
      chunk <- Question.chunks(news.size)(news.isIn(window, _))
    } yield (window, window + length, row(news.places(chunk), found, marks, open.ids, open.panes))
  }

  private def row(
      chunk: Array[Int],
      found: ConnectedVertices,
      marks: Array[Long],
      ids: VertexIds,
      panes: Panes
  ): Seq[Any] = {
    val vertices, marked, since = new Array[Long](chunk.length)
    var i = 0
    while (i < chunk.length) {
      vertices(i) = found.vertex(chunk(i))
      marked(i) = marks(found.mark(chunk(i)))
      since(i) = panes.timeOf(found.since(chunk(i)))
      i += 1
    }
    Seq(ids.column(vertices), ids.column(marked), since)
  }
}

/** The vertices that get their row in some of the windows from `first` to `last`, and notes that they have it. */
private final class NewRows(
    found: ConnectedVertices,
    rows: EmittedVertices,
    slots: Array[Int],
    place: Int,
    first: Long,
    last: Long
) {
  private val vertices = new Array[Int](found.size)
  // By vertex: the first window whose row is new, or Mixed.
  private val from = new Array[Long](found.size)
  private var count = 0

  {
    var i = 0
    while (i < found.size) {
      val since = found.since(i)
      if (since >= first) {
        val until = math.min(last, since)
        val firstNew = rows.addAll(slots(i), place, first, until)
        if (firstNew <= until) {
          vertices(count) = i
          from(count) = firstNew
          count += 1
        }
      }
      i += 1
    }
  }

  def size: Int = count

  /** Whether the row of vertex `at` in this window is new; asked once for each window. */
  def isIn(window: Long, at: Int): Boolean = {
    val i = vertices(at)
    found.since(i) >= window && {
      if (from(at) == EmittedRows.Mixed) rows.add(slots(i), place, window)
      else from(at) <= window
    }
  }

  /** The places in `found` of some vertices. */
  def places(chunk: Array[Int]): Array[Int] = {
    val places = new Array[Int](chunk.length)
    var i = 0
    while (i < chunk.length) {
      places(i) = vertices(chunk(i))
      i += 1
    }
    places
  }
}

/** The marked vertices of one graph: each once, in the user's order of vertices.
  *
  * @param vertices numbers, or the bytes of strings, as in [[io.github.sparkbic.operator.block.VertexIds.find]]
  */
private[sparkbic] final class MarkedVertices private (val vertices: Array[_]) extends Serializable

private[sparkbic] object MarkedVertices {

  /** @param rows a vertex each, as a `Long` or as an array of bytes, and maybe more columns */
  def apply(rows: Seq[Row]): MarkedVertices = Pairs.column(rows.map(_.get(0))) match {
    case numbers: Array[Long] => new MarkedVertices(numbers.distinct.sorted)
    case strings =>
      val sorted = strings.map(_.asInstanceOf[Array[Byte]]).sortWith(Arrays.compareUnsigned(_, _) < 0)
      def isNew(i: Int): Boolean = i == 0 || !Arrays.equals(sorted(i - 1), sorted(i))
      new MarkedVertices(sorted.indices.filter(isNew).map(sorted(_)).toArray)
  }
}
