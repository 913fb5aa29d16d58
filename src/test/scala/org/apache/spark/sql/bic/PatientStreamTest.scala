package org.apache.spark.sql.bic

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.streaming.{StreamingQuery, StreamTest}
import org.apache.spark.sql.test.TestSparkSession
import org.scalatest.time.{Minutes, Span}

import io.github.sparkbic.Observed

/** Stream tests that leave a query its time: suites run side by side, some of them with drivers and executors of their
  * own. Spark's limit of a minute would measure the machine and not the query. A query that hangs still fails.
  *
  * The state has two partitions, since each costs every micro-batch a task and files.
  *
  * Small graphs stay alive between micro-batches, as large ones do; those that read them anew turn the cache off.
  */
trait PatientStreamTest extends StreamTest {
  override val streamingTimeout: Span = Span(10, Minutes)

  override protected def sparkConf: SparkConf = super.sparkConf
    .set("spark.bic.cache.minBytes", "0")
    .set("spark.sql.shuffle.partitions", "2")

  /** How many graphs each micro-batch so far read from the state. */
  protected def restored(query: StreamingQuery): Seq[Long] =
    Observed.of(query).map(_.getAs[Long]("restored_graphs"))

  /** A micro-batch with these rows, and one without data where that is due. */
  protected def come[A](input: MemoryStream[A], rows: A*): Seq[StreamAction] =
    Seq(AddData(input, rows: _*), ProcessAllAvailable())
}

/** Stream tests in a session that repeats a failed task up to three times; the one that tests share never does. One
  * partition of state, so that failures can be counted.
  */
trait RetryingStreamTest extends PatientStreamTest {
  override protected def sparkConf: SparkConf = super.sparkConf.set("spark.sql.shuffle.partitions", "1")

  override protected def createSparkSession: TestSparkSession =
    new TestSparkSession(new SparkContext("local[2,4]", getClass.getSimpleName, sparkConf))
}
