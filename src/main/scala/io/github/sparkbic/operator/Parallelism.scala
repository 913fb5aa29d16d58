package io.github.sparkbic.operator

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.Murmur3HashFunction
import org.apache.spark.sql.types.IntegerType
import org.slf4j.LoggerFactory

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.forests.Segments

/** Over how many tasks the windows are spread: the segments and tasks of a batch, the partitions of a stream. */
private[operator] object Parallelism {

  /** For a single graph on several cores: the indexes are then fed one and a quarter times as many panes. */
  private val SegmentWindows = 4

  /** Several tasks a slot, so that a slot with small tasks can take over tasks of other slots. */
  private val TasksPerSlot = 3

  /** So many empty partitions hardly show in the time of a micro-batch. */
  private val EmptyPartitions = 10

  /** The segments into which a batch query cuts its graphs; None for whole graphs.
    *
    * @param keyed whether there may be many graphs, as with `by`: whole graphs spread over the cores
    */
  def segments(
      spark: SparkSession,
      keyed: Boolean,
      panes: Panes,
      comparesWindows: Boolean
  ): Option[Segments] = {
    val windows = Settings.segmentWindows(spark).getOrElse {
      if (keyed || SparkInternals.slots(spark.sparkContext).contains(1)) 0 else SegmentWindows
    }
    if (windows > 0) Some(Segments(panes, windows, comparesWindows)) else None
  }

  /** The number of tasks of stage 2 of a batch: at most the number that Spark makes after any shuffle. Where the number
    * of slots is fixed, a few tasks a slot are enough, since each task delays a query over a small table.
    */
  def tasks(spark: SparkSession): Int = {
    val most = SparkInternals.conf(spark).numShufflePartitions
    SparkInternals.slots(spark.sparkContext)
      .fold(most)(slots => math.min(most.toLong, TasksPerSlot.toLong * slots).toInt)
  }

  /** For each of so many partitions the smallest number from 0 on that Spark's hash partitioning sends there. */
  def keysOfPartitions(partitions: Int): Array[Int] = {
    val keys = Array.fill(partitions)(-1)
    var left = partitions
    Iterator.from(0).takeWhile(_ => left > 0).foreach { key =>
      val at = Math.floorMod(Murmur3HashFunction.hash(key, IntegerType, 42).toInt, partitions)
      if (keys(at) < 0) {
        keys(at) = key
        left -= 1
      }
    }
    keys
  }

  /** Warns of the cost of a stream of one graph with Spark's default. The graph fills one partition; every other
    * partition takes a task and a version of its state store in every micro-batch.
    */
  def warnOfEmptyPartitions(spark: SparkSession): Unit = {
    val partitions = SparkInternals.conf(spark).numShufflePartitions
    if (partitions > EmptyPartitions)
      LoggerFactory.getLogger(getClass).warn(
        s"a stream without `by` is one graph, which fills one of the $partitions partitions of its state; each of the others " +
          "costs time in every micro-batch. Set spark.sql.shuffle.partitions to 1 before the query is first started"
      )
  }
}
