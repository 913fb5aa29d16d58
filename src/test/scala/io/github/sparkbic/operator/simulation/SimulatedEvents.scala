package io.github.sparkbic.operator.simulation

import scala.collection.compat._

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.types.StringType

import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.{AsOfOracle, TestEvent, Unpacked}
import io.github.sparkbic.operator.block.NameColumn
import io.github.sparkbic.operator.question.{AskedAsOf, AsOf, Come}

/** Events of a simulated query: each row that comes is one, at a time before, at or after its own. */
private[operator] object SimulatedEvent {

  /** The event of a row; its time, and one of its vertices, may be null. */
  def of(row: Arrival, setup: Setup): Option[TestEvent] =
    if (row == World.Flush) None
    else {
      val draw = Math.floorMod((row.dst * 31 + row.time / setup.unit) * 0x9e3779b97f4a7c15L >>> 7, 1000L)
      val time = if (draw % 29 == 0) None else Some(row.time + (draw % 9 - 4) * setup.panes.length / 2)
      Some(TestEvent(0, time, row.src, if (draw % 23 == 0) None else Some(row.dst), row.graph))
    }

  /** The answers of a row of the operator, a line each. */
  def lines(row: Row, asOf: AsOf, setup: Setup): Seq[String] = {
    val events = row.getAs[Array[Byte]](3)
    val unsafe = new UnsafeRow(3)
    (0 until NameColumn.count(events)).map { j =>
      NameColumn.point(unsafe, events, j)
      val values = (0 to 2).map { at =>
        if (unsafe.isNullAt(at)) "null"
        else if (asOf.columns(at).dataType == StringType) unsafe.getUTF8String(at)
        else unsafe.getLong(at)
      }
      def answer: String = {
        def item(column: Int): Any = row.get(4 + column) match {
          case names: Array[Byte] => Unpacked.name(names, j).toString
          case longs              => longs.asInstanceOf[Array[Long]](j)
        }
        val width = asOf.ofWindow.size
        val each = setup.lengths.indices.map { i =>
          val told = (0 until width).map(k => item(i * width + k))
          def ofVertex(of: Seq[Any]) = if (of(1) == 0L) "null" +: of.tail else of
          val window = s"[${row.getLong(2) - setup.lengths(i)},${row.getLong(2)}]"
          val shown: Seq[Any] =
            if (asOf.target.isEmpty) ofVertex(told)
            else {
              val (source, target) = told.tail.splitAt((width - 1) / 2)
              val isConnected = told.head != RecencyIndex.Never
              Seq(isConnected, if (isConnected) told.head else "null") ++
                Seq(source, target).map(ofVertex(_).mkString("[", ",", "]"))
            }
          val isFinal = Option.when(!asOf.waits)(item(setup.lengths.size * width) == 1L)
          ((window +: shown) ++ isFinal).mkString("[", ",", "]")
        }
        if (each.size == 1) each.head else each.mkString("(", ";", ")")
      }
      s"${row.getInt(0)}|${values.mkString("|")}|${if (row.isNullAt(1)) "null" else answer}"
    }
  }

  /** The lines of the events of one graph, each with its micro-batch, and with the start of the pane that answers it. */
  def expected(
      setup: Setup,
      asked: AskedAsOf,
      rows: Seq[(Int, Arrival)],
      edges: Seq[Come],
      watermarks: Seq[Long],
      marks: Int => Set[Long]
  ): Seq[(Int, Option[Long], String)] = {
    val panes = setup.panes
    def marked(batch: Int) = if (asked.marked) Some(marks(batch)) else None
    def oracle(batch: Int) =
      AsOfOracle(setup.lengths, panes.slide, panes.startTime, marked(batch), asked.pair)
    def shown(vertex: Long) = setup.shown(vertex).toString
    val names = if (setup.strings) Some(shown(_: Long)) else None
    for ((batch, row) <- rows; event <- of(row, setup)) yield {
      val start = event.time.map(oracle(batch).paneStart)
      val isLate = start.exists(_ + panes.length <= watermarks(batch))
      val isFinal = start.exists(_ <= watermarks(batch))
      val at = if (isLate || start.isEmpty || isFinal || !asked.waits) batch
      else watermarks.indexWhere(_ >= start.get)
      val known = edges.filter(asked.waits || _.batch <= batch).map(_.edge)
      val isNull = isLate || start.isEmpty
      val answer =
        if (isNull || at < 0) "null"
        else oracle(at).answers(known, names)(event, Option.when(!asked.waits)(isFinal))
      val ends = Seq(event.source, event.target).map(_.fold("null")(shown))
      val line = Seq(event.graph.toString, event.time.fold("null")(_.toString)) ++ ends :+ answer
      (at, if (isNull) None else start, line.mkString("|"))
    }
  }
}
