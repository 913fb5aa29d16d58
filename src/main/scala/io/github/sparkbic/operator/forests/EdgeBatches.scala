package io.github.sparkbic.operator.forests

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Cast, Expression, UnsafeRow}
import org.apache.spark.sql.execution.{ColumnarToRowExec, ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.streaming.operators.stateful.EventTimeStatsAccum
import org.apache.spark.sql.types.{IntegerType, LongType, TimestampNTZType, TimestampType}
import org.apache.spark.sql.vectorized.{ColumnarBatch, ColumnVector}

/** Where the edges of the only graph are columns of batches as they were read, from Parquet or ORC: then the forests take
  * whole batches, past the loop over rows that Spark would generate, which takes some 10 ns an edge.
  *
  * @param places     of the columns
  * @param input      what would make rows of the batches; its metrics tell of them all the same
  * @param eventTimes where the times are noted for a watermark
  */
private[operator] final case class EdgeBatches(
    places: EdgeBatches.Places,
    input: ColumnarToRowExec,
    eventTimes: Option[EventTimeStatsAccum]
) {

  /** Feeds forests with the edges of the graph of that key. */
  def feed(key: UnsafeRow): EdgeBatches.Feed = new EdgeBatches.Feed(
    places,
    key,
    eventTimes.orNull,
    input.longMetric("numInputBatches"),
    input.longMetric("numOutputRows")
  )
}

private[operator] object EdgeBatches {

  /** Where source, target and time are in a batch. */
  final case class Places(src: Place, dst: Place, time: Place)

  /** @param isInt whether the column is `INT`, and not of eight bytes */
  final case class Place(at: Int, isInt: Boolean)

  /** None if `edge`, which is source, target and time, is not read so by `child`: if it is computed, if rows are left out
    * or come from an operator that has no batches, or if vertices are neither `BIGINT` nor `INT`.
    */
  def under(child: SparkPlan, edge: Seq[Expression]): Option[EdgeBatches] = child match {
    case ProjectExec(projected, below) =>
      val sources = edge.map { expression =>
        columnOf(expression).flatMap(column => projected.find(_.exprId == column.exprId)).map { named =>
          val source = named match {
            case Alias(source, _) => source
            case other            => other
          }
          // A stream has a projection on either side of its watermark, and the cast in the one above.
          expression match {
            case cast: Cast => cast.copy(child = source)
            case _          => source
          }
        }
      }
      if (sources.forall(_.isDefined)) under(below, sources.flatten) else None
    case watermark: WatermarkInStageExec =>
      for {
        noted <- watermark.noted
        found <- under(watermark.source, edge)
        if found.eventTimes.isEmpty && edge.last.semanticEquals(noted.eventTime)
      } yield found.copy(eventTimes = Some(noted.eventTimeStats))
    // As the plan is before Spark has put in what makes rows: when it is explained.
    case columnar if columnar.supportsColumnar => under(ColumnarToRowExec(columnar), edge)
    case input: ColumnarToRowExec =>
      val places = edge.flatMap(columnOf(_)).map(column =>
        Place(input.child.output.indexWhere(_.exprId == column.exprId), column.dataType == IntegerType)
      )
      places match {
        case Seq(src, dst, time) if places.forall(_.at >= 0) =>
          Some(EdgeBatches(Places(src, dst, time), input, None))
        case _ => None
      }
    case _ => None
  }

  /** The column that has this, if it is one of the types that [[longs]] reads. */
  private def columnOf(expression: Expression): Option[Attribute] = expression match {
    case Cast(column: Attribute, LongType, _, _) if column.dataType == IntegerType => Some(column)
    case column: Attribute
        if Seq(LongType, TimestampType, TimestampNTZType).contains(column.dataType) => Some(column)
    case _ => None
  }

  /** The first `count` values of the column at `place`, none of which is null. */
  private def longs(column: ColumnVector, place: Place, count: Int): Array[Long] =
    // Copies, but of a column at a time, and what is in a dictionary is decoded without asking so for each value.
    if (place.isInt) column.getInts(0, count).map(_.toLong) else column.getLongs(0, count)

  private def long(column: ColumnVector, place: Place, row: Int): Long =
    if (place.isInt) column.getInt(row).toLong else column.getLong(row)

  /** What all tasks are sent; each makes its own [[EventTimes]]. */
  final class Feed(
      places: Places,
      key: UnsafeRow,
      accumulator: EventTimeStatsAccum,
      numInputBatches: SQLMetric,
      numOutputRows: SQLMetric
  ) extends Serializable {
    import places.{dst, src, time}

    /** Null where there is no watermark. */
    def eventTimes(): EventTimes = if (accumulator == null) null else new EventTimes(accumulator)

    /** Adds the edges of a batch, and gives it back: some readers make each batch of new memory. */
    def add(batch: ColumnarBatch, forests: OpenForests, eventTimes: EventTimes): Unit = {
      val count = batch.numRows
      numInputBatches.add(1)
      numOutputRows.add(count.toLong)
      val graph = forests.onlyGraph(key)
      val (sources, targets, times) = (batch.column(src.at), batch.column(dst.at), batch.column(time.at))
      if (sources.hasNull || targets.hasNull || times.hasNull) {
        var i = 0
        while (i < count) {
          val isTimeless = times.isNullAt(i)
          val micros = if (isTimeless) 0L else times.getLong(i)
          if (eventTimes != null) eventTimes.add(micros)
          if (isTimeless || sources.isNullAt(i) || targets.isNullAt(i)) graph.addNull()
          else graph.add(long(sources, src, i), long(targets, dst, i), micros)
          i += 1
        }
      } else {
        val micros = longs(times, time, count)
        if (eventTimes != null) eventTimes.addAll(micros, count)
        graph.addAll(longs(sources, src, count), longs(targets, dst, count), micros, count)
      }
      batch.closeIfFreeable()
    }
  }
}
