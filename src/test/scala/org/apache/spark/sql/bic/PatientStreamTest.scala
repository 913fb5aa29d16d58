package org.apache.spark.sql.bic

import org.apache.spark.sql.streaming.StreamTest
import org.scalatest.time.{Minutes, Span}

/** Stream tests that leave a query its time: suites run side by side, some of them with drivers and executors of their
  * own, and Spark's limit of a minute says more of the machine than of the query. A query that hangs still fails.
  */
trait PatientStreamTest extends StreamTest {
  override val streamingTimeout: Span = Span(10, Minutes)
}
