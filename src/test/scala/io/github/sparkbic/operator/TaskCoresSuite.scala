package io.github.sparkbic.operator

import org.apache.spark.SparkConf
import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.state.StateShape

/** Tasks that Spark gives two cores each. `IndexLawSuite` has indexes of two threads. */
class TaskCoresSuite extends QueryTest with SharedSparkSession {

  override protected def sparkConf: SparkConf = super.sparkConf.set("spark.task.cpus", "2")

  test("an index has as many threads as its task has cores, and one outside of a task") {
    val shape = StateShape("recency", Panes(10, 5), strings = false)
    assert(shape.indexConfig.threads == 1)
    val inTask = spark.sparkContext.parallelize(Seq(0), 1).map(_ => shape.indexConfig.threads)
    assert(inTask.collect().toSeq == Seq(2))
  }

  test("a batch has three tasks of stage 2 for each task that runs at a time, not for each core") {
    assert(spark.sparkContext.defaultParallelism == 2)
    withSQLConf("spark.sql.shuffle.partitions" -> "20")(assert(Parallelism.tasks(spark) == 3))
  }
}
