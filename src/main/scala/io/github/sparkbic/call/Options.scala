package io.github.sparkbic.call

import java.time.{Duration, Period}

import org.apache.spark.sql.{AnalysisException, DataFrame, Dataset, Observation, Row}
import org.apache.spark.sql.catalyst.util.IntervalUtils
import org.apache.spark.unsafe.types.CalendarInterval

import io.github.sparkbic.arguments.{Arguments, Durations}

/** All that a call was given, wherever it comes from: values by the names of the parameters, in the types of Scala. A
  * null is as good as no value.
  */
private[sparkbic] final class Options(val ask: Ask, values: Map[String, Any]) {
  values.keys.find(name => !ask.parameters.exists(_.name == name)).foreach { name =>
    throw wrong(s"has no parameter '$name'")
  }
  ask.parameters.find(p => p.default.isEmpty && !values.contains(p.name)).foreach { missing =>
    throw wrong(s"needs the argument '${missing.name}'")
  }

  def edges: DataFrame = value("edges").asInstanceOf[Dataset[_]].toDF()

  def windows: Seq[String] = value("window") match {
    case several: Seq[_] if ask.lengths => several.map(duration("window", _))
    case one                            => Seq(duration("window", one))
  }

  def duration(name: String): Option[String] = optional(name).map(duration(name, _))

  def text(name: String): String = optional(name).collect { case text: String => text }
    .getOrElse(throw wrong(s"takes a string as '$name', not ${show(value(name))}"))

  def flag(name: String): Boolean = value(name) match {
    case flag: Boolean => flag
    case other         => throw wrong(s"takes true or false as '$name', not ${show(other)}")
  }

  def minSize: Long = value("min_size") match {
    case number @ (_: Byte | _: Short | _: Int | _: Long) =>
      val size = number.asInstanceOf[Number].longValue
      if (size < 1) throw Arguments.invalid(s"min_size must be at least 1, but it is $size")
      size
    case other => throw wrong(s"takes a number as 'min_size', not ${show(other)}")
  }

  def by: Seq[String] = optional("by").toSeq.flatMap {
    case several: Seq[_] => several
    case one             => Seq(one)
  }.map {
    case name: String => name
    case other        => throw wrong(s"takes a column name, or an array of them, as 'by', not ${show(other)}")
  }

  /** Pairs, in a frame with the columns `source` and `target`. */
  def queries: DataFrame = value("queries") match {
    case frame: Dataset[_] => frame.toDF()
    case other => QueryArray.frame(other).getOrElse {
        throw wrong(
          "takes queries as TABLE(…) with the columns source and target, or as an array of pairs such as " +
            s"array((1, 2), (3, 9)), not ${show(other)}"
        )
      }
  }

  /** What receives the counters of a static frame, or the name under which they are observed. */
  def observation: Option[Either[String, Observation]] = optional("observation").map {
    case own: Observation => Right(own)
    case _                => Left(text("observation"))
  }

  private def value(name: String): Any =
    optional(name).getOrElse(throw wrong(s"needs a value for '$name', not NULL"))

  private def optional(name: String): Option[Any] =
    values.get(name).flatMap(Option(_)).orElse(
      ask.parameters.find(_.name == name).flatMap(_.default).flatMap(Option(_))
    )

  private def duration(name: String, value: Any): String = value match {
    case text: String               => text
    case length: Duration           => Options.show(length)
    case period: Period             => s"${period.toTotalMonths} months"
    case interval: CalendarInterval => interval.toString
    case other =>
      throw wrong(s"takes a duration such as INTERVAL 1 HOUR or '1 hour' as '$name', not ${show(other)}")
  }

  private def show(value: Any): String = value match {
    case text: String     => s"'$text'"
    case several: Seq[_]  => several.map(show).mkString("array(", ", ", ")")
    case struct: Row      => struct.toSeq.map(show).mkString("(", ", ", ")")
    case length: Duration => s"'${Options.show(length)}'"
    case other            => String.valueOf(other)
  }

  private def wrong(what: String) = Options.wrong(ask, what)
}

private[sparkbic] object Options {

  /** The error of a call that does not fit its function. */
  def wrong(ask: Ask, what: String): AnalysisException =
    Arguments.invalid(s"${ask.function} $what: ${ask.usage}")

  private def show(length: Duration): String = Durations.show(IntervalUtils.durationToMicros(length))
}
