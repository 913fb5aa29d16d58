package io.github.sparkbic.operator

import org.apache.spark.sql.{Column, DataFrame}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.GetStructField
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark
import org.apache.spark.sql.functions.{array, col, lit, struct, when}
import org.apache.spark.sql.types.{LongType, MetadataBuilder, StructField}

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.question.AsOf

/** The columns of events with their answers, out of the operator's rows.
  *
  * @param typed gives a vertex or a time the type that users get
  */
private[operator] final class AnswersOfEvents(
    events: DataFrame,
    asOf: AsOf,
    panes: Panes,
    typed: (StructField, Column) => Column
) {

  /** @param items the fields of [[AsOf]], of one event */
  def of(rows: DataFrame, items: Seq[Column]): DataFrame = {
    val event = SparkInternals.expression(items.head)
    val columns = SparkInternals.output(events).zipWithIndex.map { case (column, i) =>
      // The answers come later than the watermark of the events.
      val metadata = new MetadataBuilder().withMetadata(column.metadata).remove(EventTimeWatermark.delayKey)
      SparkInternals.column(GetStructField(event, i)).as(column.name, metadata.build())
    }
    val width = asOf.ofWindow.size
    val isFinal = if (asOf.waits) None else Some((items.last > 0).as(AsOf.Final))
    val ofWindow = asOf.order.map { i =>
      struct(answer(items.slice(1 + i * width, 1 + (i + 1) * width), i) ++ isFinal: _*)
    }
    val graph = if (ofWindow.size == 1) ofWindow.head else array(ofWindow: _*)
    rows.select(columns :+ when(col("end").isNotNull, graph).as("graph"): _*)
  }

  /** The answer by the windows of length `i`. */
  private def answer(values: Seq[Column], i: Int): Seq[Column] = {
    def time(micros: Column) = typed(StructField(AsOf.Time, LongType), micros)
    val start = time(col("end") - panes.perWindows(i) * panes.length)
    val window = struct(start.as("start"), time(col("end")).as("end")).as("window")
    val fields = asOf.ofWindow.zip(values)
    def ofVertex(of: Seq[(StructField, Column)]): Seq[Column] = {
      val (component, rest) = (typed(of.head._1, of.head._2), of.tail)
      when(rest.head._2 > 0, component).as("component") +:
        rest.map { case (field, value) => value.as(field.name) }
    }
    if (asOf.target.isEmpty) window +: ofVertex(fields)
    else {
      val isConnected = values.head =!= lit(RecencyIndex.Never)
      val (source, target) = fields.tail.splitAt(fields.size / 2)
      Seq(
        window,
        isConnected.as("connected"),
        when(isConnected, time(values.head)).as("since"),
        struct(ofVertex(source): _*).as("source"),
        struct(ofVertex(target): _*).as("target")
      )
    }
  }
}
