package io.github.sparkbic.faults

import scala.collection.compat._

import org.apache.spark.TaskContext
import org.apache.spark.sql.{Column, DataFrame, Encoders}
import org.apache.spark.sql.functions.udf

/** Faults inside of tasks, on either side of the operator, drawn anew for every task and attempt but the last ones.
  *
  * An attempt fails before the operator has seen its edges, or between two of its answers, when the state is not
  * written yet. Or it fails after the last answer, when the state store has committed and the attempt has not.
  *
  * @param failing chance, of 400, that an attempt fails at one of the four places
  */
final case class TaskFaults(failing: Int, seed: Long) {
  import TaskFaults._

  def onInput(column: Column): Column =
    if (this == None) column
    else {
      val faults = this
      // Boxed, since null endpoints must get through.
      udf { (x: java.lang.Long) => faults.strike("input"); x }.apply(column)
    }

  def onOutput(answers: DataFrame): DataFrame =
    if (this == None) answers
    else {
      val faults = this
      answers.mapPartitions { rows =>
        faults.strike("start")
        rows.zipWithIndex.map { case (row, n) => if (n == 7) faults.strike("answers"); row } ++
          Iterator.single(()).flatMap { _ => faults.strike("end"); Iterator.empty }
      }(Encoders.row(answers.schema))
    }

  private def strike(place: String): Unit = {
    val task = TaskContext.get()
    if (task.attemptNumber() < Attempts) {
      val batch = task.getLocalProperty("streaming.sql.batchId")
      val what = Seq[Any](seed, place, batch, task.partitionId(), task.stageId(), task.attemptNumber())
      val drawn = Math.floorMod(scala.util.hashing.MurmurHash3.orderedHash(what), 400)
      if (drawn < failing) throw new InjectedFault(s"$place, attempt ${task.attemptNumber()}")
    }
  }
}

object TaskFaults {
  val None: TaskFaults = TaskFaults(0, 0)

  /** How often a task may fail: one time fewer than Spark is told to try. */
  val Attempts = 5

  val Places: Set[String] = Set("input", "start", "answers", "end")

  /** How many attempts failed at which place, by the log of a driver. */
  def lost(log: String): Map[String, Int] =
    "Lost task .*injected fault: (\\w+), attempt".r.findAllMatchIn(log).map(_.group(1)).toSeq
      .groupMapReduce(identity)(_ => 1)(_ + _)

  final class InjectedFault(what: String) extends RuntimeException(s"injected fault: $what")
}
