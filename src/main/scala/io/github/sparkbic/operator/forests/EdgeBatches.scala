package io.github.sparkbic.operator.forests

import org.apache.spark.sql.bic.Shims.EventTimeStatsAccum
import org.apache.spark.sql.catalyst.expressions.{AliasHelper, Attribute, Cast, Expression, UnsafeRow}
import org.apache.spark.sql.execution.{ColumnarToRowExec, InputAdapter, ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.types.{IntegerType, LongType, TimestampNTZType, TimestampType}
import org.apache.spark.sql.vectorized.{ColumnarBatch, ColumnVector}

/** The edges of the only graph, where they are columns of batches read from Parquet or ORC. The graph then takes whole
  * batches, and skips the loop over rows that Spark would generate, some 10 ns an edge.
  *
  * @param places     the positions of the columns
  * @param input      the operator that would make rows of the batches, and whose metrics are kept up all the same
  * @param eventTimes the accumulator for times of a watermark
  */
private[operator] final case class EdgeBatches(
    places: EdgeBatches.Places,
    input: ColumnarToRowExec,
    eventTimes: Option[EventTimeStatsAccum]
) {

  /** @param key the key of the only graph */
  def feed(key: UnsafeRow): EdgeBatches.Feed = {
    val (batches, rows) = (input.longMetric("numInputBatches"), input.longMetric("numOutputRows"))
    new EdgeBatches.Feed(places, key, eventTimes.orNull, batches, rows)
  }
}

private[operator] object EdgeBatches extends AliasHelper {

  /** The columns of source, target and time in a batch; `time` is None for a whole table, whose edges are of time 0. */
  final case class Places(src: Place, dst: Place, time: Option[Place])

  /** @param isInt whether the column is `INT`, and not an eight-byte type */
  final case class Place(at: Int, isInt: Boolean)

  /** The batches that `child` reads `edge` from, which is source, target and time, or no time. None if `edge` is computed, if vertices are
    * neither `BIGINT` nor `INT`, if rows are filtered, or if an operator in between has no batches.
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
        Place(input.child.output.indexWhere(_.exprId == column.exprId), column.dataType == IntegerType)
      )
      places match {
        case Seq(src, dst, time @ _*) if places.size == read.size && places.forall(_.at >= 0) =>
          Some(EdgeBatches(Places(src, dst, time.headOption), input, None))
        case _ => None
      }
    case _ => None
  }

  /** The column of an expression, if [[longs]] reads its type. */
  private def columnOf(expression: Expression): Option[Attribute] = expression match {
    case Cast(column: Attribute, LongType, _, _) if column.dataType == IntegerType => Some(column)
    case column: Attribute
        if Seq(LongType, TimestampType, TimestampNTZType).contains(column.dataType) => Some(column)
    case _ => None
  }

  /** The first `count` values of the column at `place`, none of which is null. */
  private def longs(column: ColumnVector, place: Place, count: Int): Array[Long] =
    // A copy, but of whole columns: a dictionary is decoded without a test for each value.
    if (place.isInt) column.getInts(0, count).map(_.toLong) else column.getLongs(0, count)

  private def long(column: ColumnVector, place: Place, row: Int): Long =
    if (place.isInt) column.getInt(row).toLong else column.getLong(row)

  /** The part of [[EdgeBatches]] that tasks are sent. */
  final class Feed(
      places: Places,
      key: UnsafeRow,
      accumulator: EventTimeStatsAccum,
      numInputBatches: SQLMetric,
      numOutputRows: SQLMetric
  ) extends Serializable {
    import places.{dst, src, time}

    /** The event times of a task; null where there is no watermark. */
    def eventTimes(): EventTimes = if (accumulator == null) null else new EventTimes(accumulator)

    /** Adds the edges of a batch, and frees the batch: some readers allocate new memory for each batch. */
    def add(batch: ColumnarBatch, graphs: OpenGraphs, eventTimes: EventTimes): Unit = {
      val count = batch.numRows
      numInputBatches.add(1)
      numOutputRows.add(count.toLong)
      val graph = graphs.onlyGraph(key)
      val (sources, targets) = (batch.column(src.at), batch.column(dst.at))
      // Null for a whole table.
      val times = time.map(place => batch.column(place.at)).orNull
      if (sources.hasNull || targets.hasNull || times != null && times.hasNull) {
        var i = 0
        while (i < count) {
          val isTimeless = times != null && times.isNullAt(i)
          val micros = if (isTimeless || times == null) 0L else times.getLong(i)
          if (eventTimes != null) eventTimes.add(micros)
          if (isTimeless || sources.isNullAt(i) || targets.isNullAt(i)) graph.addNull()
          else graph.add(long(sources, src, i), long(targets, dst, i), micros)
          i += 1
        }
      } else {
        val micros = time.fold(new Array[Long](count))(longs(times, _, count))
        if (eventTimes != null) eventTimes.addAll(micros, count)
        graph.addAll(longs(sources, src, count), longs(targets, dst, count), micros, count)
      }
      batch.closeIfFreeable()
    }
  }
}
