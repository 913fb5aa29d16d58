package io.github.sparkbic.faults

import scala.util.control.NonFatal

import org.apache.spark.sql.bic.TestShims.SparkSession
import org.apache.spark.sql.execution.streaming.state.StateStore

/** Random settings of Spark's state and of ours, over random streams: `make fuzz-settings SECONDS=600`; [[SettingsRound]]. */
object SettingsFuzz {

  def main(args: Array[String]): Unit = {
    // A thread of theirs may wait for a lock that who stops them holds.
    val patience = Seq("maintenanceShutdownTimeout", "maintenanceForceShutdownTimeout")
      .map(name => s"spark.sql.streaming.stateStore.$name" -> "1s")
    val spark = ChildDriver.session("local[2,4]", patience: _*).asInstanceOf[SparkSession]
    spark.sparkContext.setLogLevel("OFF")
    Rounds.run("fuzz-settings", args) { seed =>
      val round = new SettingsRound(seed, spark)
      try round.run()
      catch { case NonFatal(e) => throw new AssertionError(s"$round\n${round.log.mkString("\n")}", e) }
      finally StateStore.stop()
    }
    spark.stop()
    println(StreamJob.Finished)
  }
}

/** Rounds with seeds that follow one another, for a given time: `make TARGET SECONDS=600 SEED=1`. A failed round is run
  * again alone by its seed. What a seed cannot make again is the moment, to the millisecond, at which a process died.
  */
private object Rounds {

  /** Rounds from arguments: the seconds, and perhaps the first seed. A round tells what it did. */
  def run(target: String, args: Array[String])(run: Long => String): Unit = {
    val first = args.lift(1).filter(_.nonEmpty).fold(System.nanoTime())(_.toLong)
    val end = System.nanoTime() + args(0).toLong * 1000000000L
    var seed = first
    while (seed == first || System.nanoTime() < end) {
      try println(s"$target: seed $seed: right, ${run(seed)}")
      catch {
        case NonFatal(e) =>
          e.printStackTrace()
          println(s"$target: seed $seed FAILED; again, alone: make $target SECONDS=1 SEED=$seed")
          sys.exit(1)
      }
      seed += 1
    }
    println(s"$target: ${seed - first} rounds, all right")
  }
}
