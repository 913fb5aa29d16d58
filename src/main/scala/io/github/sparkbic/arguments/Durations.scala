package io.github.sparkbic.arguments

import java.time.Duration

import scala.util.Try

import org.apache.spark.sql.catalyst.util.IntervalUtils

/** Durations as text and in microseconds. */
private[sparkbic] object Durations {
  private val MicrosPerDay = 86400000000L

  private val units = Seq(
    "day" -> MicrosPerDay,
    "hour" -> 3600000000L,
    "minute" -> 60000000L,
    "second" -> 1000000L,
    "millisecond" -> 1000L,
    "microsecond" -> 1L
  )

  /** The duration as a user would write it, in the largest unit that is exact. */
  def show(micros: Long): String = {
    val (unit, length) =
      if (micros == 0) ("second", 1000000L) else units.find { case (_, length) => micros % length == 0 }.get
    val count = micros / length
    s"$count $unit${if (count == 1) "" else "s"}"
  }

  def show(length: Duration): String = show(IntervalUtils.durationToMicros(length))

  /** @param name the parameter that holds `text` */
  def micros(name: String, text: String): Long = {
    val interval = Try(IntervalUtils.fromIntervalString(text)).getOrElse {
      throw Arguments.invalid(s"$name '$text' is not a duration; give one such as '1 hour' or '5 minutes'")
    }
    if (interval.months != 0)
      throw Arguments.invalid(
        s"$name '$text' has months or years, which differ in length; give it in weeks, days or smaller units, such as '30 days'"
      )
    Try(Math.addExact(
      Math.multiplyExact(interval.days.toLong, MicrosPerDay),
      interval.microseconds
    )).getOrElse {
      throw Arguments.invalid(s"$name '$text' is longer than a timestamp; give a shorter time")
    }
  }

  def positive(name: String, text: String): Long = {
    val length = micros(name, text)
    if (length <= 0)
      throw Arguments.invalid(s"$name must be positive, but it is '$text'; give a time such as '10 minutes'")
    length
  }
}
