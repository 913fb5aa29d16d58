package org.apache.spark.sql.bic

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart}
import org.apache.spark.util.AccumulatorContext

/** What a program had Spark do: the jobs that it ran, the broadcasts and the accumulators that it made. */
final case class Registered(jobs: Int, broadcasts: Long, accumulators: Long)

object Registered {

  def by(context: SparkContext)(program: => Unit): Registered = {
    var jobs = 0
    val listener = new SparkListener {
      override def onJobStart(start: SparkListenerJobStart): Unit = jobs += 1
    }
    context.listenerBus.waitUntilEmpty()
    context.addSparkListener(listener)
    try {
      val (broadcast, accumulator) = (context.broadcast(0).id, AccumulatorContext.newId())
      program
      val broadcasts = context.broadcast(0).id - broadcast - 1
      val accumulators = AccumulatorContext.newId() - accumulator - 1
      context.listenerBus.waitUntilEmpty()
      Registered(jobs, broadcasts, accumulators)
    } finally context.removeSparkListener(listener)
  }
}
