package io.github.sparkbic.faults

import org.apache.spark.sql.Encoder
import org.apache.spark.sql.bic.TestShims
import org.apache.spark.sql.bic.TestShims.SparkSession
import org.apache.spark.sql.connector.read.streaming.Offset

import io.github.sparkbic.operator.simulation.ArrivalRow

/** A source that forgets nothing, so that it can be read from any earlier place. */
final class KeptStream(id: Int, spark: SparkSession)(implicit encoder: Encoder[ArrivalRow])
    extends TestShims.OwnMemoryStream[ArrivalRow](id, spark) {
  override def commit(end: Offset): Unit = ()
}
