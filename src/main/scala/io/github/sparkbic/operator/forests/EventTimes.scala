package io.github.sparkbic.operator.forests

import org.apache.spark.sql.bic.Shims
import org.apache.spark.sql.bic.Shims.EventTimeStatsAccum
import org.apache.spark.sql.catalyst.util.DateTimeUtils.microsToMillis

/** The event times of a task's rows, in microseconds; reported at the end, in milliseconds. The average may be up to a
  * millisecond above Spark's, which truncates each time to milliseconds.
  */
private[operator] final class EventTimes(accumulator: EventTimeStatsAccum) {
  private var earliest = Long.MaxValue
  private var latest = Long.MinValue
  private var count = 0L
  // The first time, and the sum of the differences to it: a sum of the times themselves would lose precision.
  private var base = 0.0
  private var sum = 0.0

  /** A null counts as zero, as in Spark. */
  def add(micros: Long): Unit = {
    if (micros < earliest) earliest = micros
    if (micros > latest) latest = micros
    if (count == 0) base = micros.toDouble
    sum += micros.toDouble - base
    count += 1
  }

  /** Adds the first `count` times. */
  def addAll(micros: Array[Long], count: Int): Unit = {
    var earliest = this.earliest
    var latest = this.latest
    var sum = this.sum
    if (this.count == 0 && count > 0) this.base = micros(0).toDouble
    val base = this.base
    var i = 0
    while (i < count) {
      val time = micros(i)
      earliest = math.min(earliest, time)
      latest = math.max(latest, time)
      sum += time.toDouble - base
      i += 1
    }
    this.earliest = earliest
    this.latest = latest
    this.sum = sum
    this.count += count
  }

  /** Reports the times added since the last report. */
  def report(): Unit =
    if (count > 0) {
      accumulator.merge(
        Shims.eventTimeStats(
          microsToMillis(latest),
          microsToMillis(earliest),
          (base + sum / count) / 1000,
          count
        )
      )
      earliest = Long.MaxValue
      latest = Long.MinValue
      sum = 0.0
      count = 0
    }
}
