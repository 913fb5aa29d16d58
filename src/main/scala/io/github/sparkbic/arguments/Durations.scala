package io.github.sparkbic.arguments

/** Durations as texts, as a user would have written them. */
private[sparkbic] object Durations {
  private val units = Seq(
    "day" -> 86400000000L,
    "hour" -> 3600000000L,
    "minute" -> 60000000L,
    "second" -> 1000000L,
    "millisecond" -> 1000L,
    "microsecond" -> 1L
  )

  /** In the largest unit that is exact. */
  def show(micros: Long): String = {
    val (unit, length) =
      if (micros == 0) ("second", 1000000L) else units.find { case (_, length) => micros % length == 0 }.get
    val count = micros / length
    s"$count $unit${if (count == 1) "" else "s"}"
  }
}
