package io.github.sparkbic.operator

import scala.util.Random

import org.apache.spark.SparkConf
import org.apache.spark.sql.bic.PatientStreamTest

import io.github.sparkbic._
import io.github.sparkbic.index.{Oracle, Stream, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.state.StateShape

/** Tasks that Spark gives two cores each. */
class TaskCoresSuite extends PatientStreamTest {
  import testImplicits._

  override protected def sparkConf: SparkConf = super.sparkConf.set("spark.task.cpus", "2")

  test("an index has as many threads as its task has cores, and one outside of a task") {
    val shape = StateShape("recency", Panes(10, 5), strings = false)
    assert(shape.indexConfig.threads == 1)
    assert(spark.sparkContext.parallelize(Seq(0), 1).map(_ =>
      shape.indexConfig.threads
    ).collect().toSeq == Seq(2))
  }

  test("a batch has three tasks of stage 2 for each task that runs at a time, not for each core") {
    assert(spark.sparkContext.defaultParallelism == 2)
    spark.conf.set("spark.sql.shuffle.partitions", 20L)
    try assert(Parallelism.tasks(spark) == 3)
    finally spark.conf.unset("spark.sql.shuffle.partitions")
  }

  test("windows of so many vertices that both cores find their components") {
    val random = new Random(7)
    def vertex() = random.nextInt(40000).toLong
    val edges = Seq.tabulate(3, 18000)((pane, _) => TimedEdge(5L * pane, vertex(), vertex())).flatten
    val stream = Stream(edges, Panes(10, 5))
    val windows = Oracle.windows(stream).map(_._3)
    assert(windows.count(_.size >= StateShape(
      "recency",
      stream.panes,
      strings = false
    ).indexConfig.smallestConcurrent) > 2)
    Seq("bic", "recency").foreach { index =>
      val result = edges.map(row(0, _)).toDF().repartition(2)
        .bicComponentStats("10 seconds", "5 seconds", index = index)
        .select("vertices", "components", "largest").as[(Long, Long, Long)]
      assert(result.collect().toSet == windows.map { components =>
        val sizes = components.values.groupBy(identity).values.map(_.size.toLong)
        (components.size.toLong, sizes.size.toLong, sizes.max)
      }.toSet)
    }
  }
}
