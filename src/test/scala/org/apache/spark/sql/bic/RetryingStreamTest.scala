package org.apache.spark.sql.bic

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.sql.test.TestSparkSession

/** Stream tests in a session that repeats a failed task up to three times; the one that tests share never does. One
  * partition of state, so that failures can be counted.
  */
trait RetryingStreamTest extends PatientStreamTest {
  override protected def sparkConf: SparkConf = super.sparkConf.set("spark.sql.shuffle.partitions", "1")

  override protected def createSparkSession: TestSparkSession =
    new TestSparkSession(new SparkContext("local[2,4]", getClass.getSimpleName, sparkConf))
}
