package io.github.sparkbic.faults

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.TaskContext
import org.apache.spark.sql.{Dataset, Encoder}

/** Task attempts that fail behind the operator, as a test plans them. */
object PlannedFault {

  /** After how many rows an attempt fails, or after all that it has; and how many attempts do. */
  @volatile var plan: Option[(Int, Int)] = None

  val failed = new AtomicInteger

  def failing[A: Encoder](answers: Dataset[A]): Dataset[A] = answers.mapPartitions { (rows: Iterator[A]) =>
    plan match {
      case Some((limit, attempts)) if TaskContext.get().attemptNumber() < attempts =>
        rows.zipWithIndex.map { case (row, i) => if (i == limit) fail() else row } ++
          Iterator.single(()).flatMap(_ => fail())
      case _ => rows
    }
  }

  private def fail(): Nothing = {
    failed.incrementAndGet()
    throw new IllegalStateException("a failure that the test planned")
  }
}
