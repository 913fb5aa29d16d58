package io.github.sparkbic.operator

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.classic.ClassicConversions._

import io.github.sparkbic.arguments.Arguments
import io.github.sparkbic.index.contract.{Panes, Segments}

/** Whether a batch query cuts its graphs into segments, and of how many windows. */
private[operator] object SegmentWindows {

  /** The conf that sets it: windows that a segment owns, at least; `0` leaves graphs whole. Read when a query is made. */
  val Conf: String = "spark.bic.batch.segmentWindows"

  /** For a single graph on several cores: it is fed to the indexes one and a quarter times. */
  private val Default = 4

  /** Tasks for each core: enough for one that has less to do to take over from others. */
  private val TasksPerCore = 3

  /** @param keyed whether there are many graphs, as there may be with `by`: these spread over the cores as they are */
  def segments(
      spark: SparkSession,
      keyed: Boolean,
      panes: Panes,
      comparesWindows: Boolean
  ): Option[Segments] = {
    val windows = spark.conf.getOption(Conf) match {
      case Some(text) =>
        text.toIntOption.filter(_ >= 0).getOrElse {
          throw Arguments.invalid(
            s"$Conf is '$text', which is no number of windows; give one such as '$Default', or '0' to leave graphs whole"
          )
        }
      case None => if (keyed || spark.sparkContext.defaultParallelism == 1) 0 else Default
    }
    Option.when(windows > 0)(Segments(panes, windows, comparesWindows))
  }

  /** Tasks of stage 2. They are no more than Spark makes after any shuffle. Where the cores are known, they are no more than
    * keep the cores busy, since a query over a small table pays for each task.
    */
  def tasks(spark: SparkSession): Int = {
    val most = castToImpl(spark).sessionState.conf.numShufflePartitions
    val conf = spark.sparkContext.getConf
    if (conf.getBoolean("spark.dynamicAllocation.enabled", false)) most
    else math.min(most.toLong, TasksPerCore.toLong * spark.sparkContext.defaultParallelism).toInt
  }
}
