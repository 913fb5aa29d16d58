package io.github.sparkbic.sql

import org.apache.spark.SparkConf
import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.operator.question.Asked

/** `observation => 'name'`: the counters in what a `QueryExecutionListener` gets of a statement. */
class SqlObservationSuite extends QueryTest with SharedSparkSession {

  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.sql.extensions", classOf[BicExtensions].getName)

  private val edges =
    "SELECT col1 AS src, col2 AS dst, timestamp_seconds(col3) AS time FROM VALUES (1, 2, 0), (2, 3, 5), (NULL, 3, 5)"

  for (asked <- Asked.oneEach) test(s"${asked.function} names its counters") {
    val statement = asked.sql(edges, Seq((1, 3)))("window" -> "10 seconds", "observation" -> "mine")
    val found = spark.sql(statement)
    found.collect()
    val metrics = found.queryExecution.observedMetrics
    val counters = metrics.getOrElse("mine", fail(s"there are only ${metrics.keys}"))
    assert(counters.getAs[Long]("edges") == 2)
    assert(counters.getAs[Long]("null_rows") == 1)
    assert(counters.getAs[Long]("windows") == 1)
  }
}
