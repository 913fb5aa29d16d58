package io.github.sparkbic.faults

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.sql.{DataFrame, Encoder, Encoders}
import org.apache.spark.sql.bic.TestShims
import org.apache.spark.sql.bic.TestShims.SparkSession
import org.apache.spark.sql.connector.read.streaming.Offset
import org.apache.spark.sql.execution.streaming.state.StateStore

/** Random settings of Spark's state and of ours, over random streams, for a given time: `make fuzz-settings SECONDS=600`.
  *
  * Where [[Soak]] looks at what a sink holds in the end, this looks at each micro-batch: its rows, and its counters.
  * All of it is in one process, in which restarts are quick: with commits that are lost, checkpoints that are put back
  * to an earlier copy, attempts that fail at any row, and runs that are stopped in the middle. The seed makes all but the
  * moment of a stop.
  */
object SettingsFuzz {

  def main(args: Array[String]): Unit = {
    val seconds = args(0).toLong
    val first = if (args.length > 1 && args(1).nonEmpty) args(1).toLong else System.nanoTime()
    val spark = SparkSession.builder().master("local[2,4]")
      .config("spark.ui.enabled", false)
      .config("spark.sql.session.timeZone", "UTC")
      .config("spark.driver.bindAddress", "127.0.0.1")
      .config("spark.driver.host", "localhost")
      // A thread of theirs may wait for a lock that who stops them holds.
      .config("spark.sql.streaming.stateStore.maintenanceShutdownTimeout", "1s")
      .config("spark.sql.streaming.stateStore.maintenanceForceShutdownTimeout", "1s")
      .getOrCreate().asInstanceOf[SparkSession]
    spark.sparkContext.setLogLevel("OFF")
    val end = System.nanoTime() + seconds * 1000000000L
    var seed = first
    while (seed == first || System.nanoTime() < end) {
      val round = new SettingsRound(seed, spark)
      try println(s"fuzz: seed $seed: right, ${round.run()}")
      catch {
        case NonFatal(e) =>
          println(s"fuzz: $round\n${round.log.mkString("\n")}")
          e.printStackTrace()
          println(s"fuzz: seed $seed FAILED; again, alone: make fuzz-settings SECONDS=1 SEED=$seed")
          sys.exit(1)
      }
      StateStore.stop()
      seed += 1
    }
    spark.stop()
    println(StreamJob.Finished)
  }

  /** Attempts to fail, when they have given so many rows, or all that they have. */
  @volatile private[faults] var fault = Option.empty[(Int, Int)]

  private[faults] def failing(answers: DataFrame): DataFrame =
    answers.mapPartitions { rows =>
      fault match {
        case Some((limit, attempts)) if TaskContext.get().attemptNumber() < attempts =>
          rows.zipWithIndex.map { case (row, i) => if (i == limit) fail() else row } ++
            Iterator.single(()).flatMap(_ => fail())
        case _ => rows
      }
    }(Encoders.row(answers.schema))

  private def fail(): Nothing = throw new IllegalStateException("a failure that was planned")
}

/** A source that forgets nothing, so that it can be read from any earlier place. */
private final class KeptStream(id: Int, spark: SparkSession)(implicit encoder: Encoder[SettingsRow])
    extends TestShims.OwnMemoryStream[SettingsRow](id, spark) {
  override def commit(end: Offset): Unit = ()
}
