package io.github.sparkbic.operator.forests

import java.util.Arrays

import org.apache.spark.sql.bic.SparkInternals.EventTimeStatsAccum
import org.apache.spark.sql.catalyst.expressions.{AliasHelper, Attribute, Cast, Expression}
import org.apache.spark.sql.catalyst.util.DateTimeUtils.microsToMillis
import org.apache.spark.sql.execution.{ColumnarToRowExec, InputAdapter, ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.types._
import org.apache.spark.sql.vectorized.{ColumnarBatch, ColumnVector}

import io.github.sparkbic.operator.forests.EdgeBatches.BatchColumn

/** The edges of the only graph, where they are columns of batches read from Parquet or ORC. The graph then takes whole
  * batches, and skips the loop over rows that Spark would generate, some 10 ns an edge.
  *
  * @param time            None for a whole table, whose edges are of time 0
  * @param numInputBatches a metric of the operator that would make rows of the batches, kept up all the same; so is
  *                        `numOutputRows`
  * @param eventTimes      takes the times of a watermark
  */
private[operator] final case class EdgeBatches(
    src: BatchColumn,
    dst: BatchColumn,
    time: Option[BatchColumn],
    numInputBatches: SQLMetric,
    numOutputRows: SQLMetric,
    eventTimes: Option[EventTimeStatsAccum] = None
) {

  /** Adds the edges of a batch, and frees the batch: some readers allocate new memory for each batch. */
  def add(batch: ColumnarBatch, graph: OpenGraph): Unit = {
    val count = batch.numRows
    numInputBatches.add(1)
    numOutputRows.add(count.toLong)
    val (sources, targets) = (batch.column(src.at), batch.column(dst.at))
    // Null for a whole table.
    val times = time.map(place => batch.column(place.at)).orNull
    if (sources.hasNull || targets.hasNull || times != null && times.hasNull) {
      val stats = eventTimes.orNull
      var i = 0
      while (i < count) {
        val isTimeless = times != null && times.isNullAt(i)
        val micros = if (isTimeless || times == null) 0L else times.getLong(i)
        if (stats != null) stats.add(microsToMillis(micros))
        if (isTimeless || sources.isNullAt(i) || targets.isNullAt(i)) graph.addNull()
        else if (src.isString) graph.add(sources.getUTF8String(i), targets.getUTF8String(i), micros)
        else graph.add(src.long(sources, i), dst.long(targets, i), micros)
        i += 1
      }
    } else {
      val micros = time.fold(new Array[Long](count))(_.longs(times, count))
      eventTimes.foreach(stats => Arrays.stream(micros).forEach(time => stats.add(microsToMillis(time))))
      if (src.isString) graph.addAll(sources, targets, micros, count)
      else graph.addAll(src.longs(sources, count), dst.longs(targets, count), micros, count)
    }
    batch.closeIfFreeable()
  }
}

private[operator] object EdgeBatches extends AliasHelper {

  /** A column of a batch. */
  final case class BatchColumn(at: Int, dataType: DataType) {
    val isString: Boolean = dataType == StringType
    private val isInt = dataType == IntegerType

    /** The first `count` values of the column, none of which is null. */
    def longs(column: ColumnVector, count: Int): Array[Long] =
      // A copy, but of whole columns: a dictionary is decoded without a test for each value.
      if (isInt) column.getInts(0, count).map(_.toLong) else column.getLongs(0, count)

    def long(column: ColumnVector, row: Int): Long =
      if (isInt) column.getInt(row).toLong else column.getLong(row)
  }

  /** The batches that `child` reads `edge` from, which is source, target and time, or no time. None if `edge` is computed, if
    * vertices are neither `BIGINT` nor `INT` nor `STRING`, if rows are filtered, or if an operator in between has no batches.
    */
  def under(child: SparkPlan, edge: Seq[Expression]): Option[EdgeBatches] = child match {
    case ProjectExec(projected, below) =>
      val aliases = getAliasMap(projected)
      under(below, edge.map(replaceAlias(_, aliases)))
    case watermark: WatermarkInStageExec =>
      for {
        noted <- watermark.noted
        found <- under(watermark.source, edge)
        if found.eventTimes.isEmpty && edge.last.semanticEquals(noted.eventTime)
      } yield found.copy(eventTimes = Some(noted.eventTimeStats))
    // Generated code takes rows from here, of an input that may have batches as well.
    case _: InputAdapter => None
    // An explained plan has no operator yet that makes rows of batches. Spark puts one where an input has no rows.
    case columnar if columnar.supportsColumnar && !columnar.supportsRowBased =>
      under(ColumnarToRowExec(columnar), edge)
    case input: ColumnarToRowExec =>
      val read = edge.filterNot(_ == PaneForests.NoTime)
      val places = read.flatMap(columnOf(_)).map(column =>
        BatchColumn(input.child.output.indexWhere(_.exprId == column.exprId), column.dataType)
      )
      places match {
        case Seq(src, dst, time @ _*) if places.size == read.size && places.forall(_.at >= 0) =>
          val (batches, rows) = (input.longMetric("numInputBatches"), input.longMetric("numOutputRows"))
          Some(EdgeBatches(src, dst, time.headOption, batches, rows))
        case _ => None
      }
    case _ => None
  }

  /** The column of an expression, if a [[BatchColumn]] reads its type. */
  private def columnOf(expression: Expression): Option[Attribute] = expression match {
    case Cast(column: Attribute, LongType, _, _) if column.dataType == IntegerType => Some(column)
    case column: Attribute
        if Seq(LongType, StringType, TimestampType, TimestampNTZType).contains(column.dataType) =>
      Some(column)
    case _ => None
  }
}
