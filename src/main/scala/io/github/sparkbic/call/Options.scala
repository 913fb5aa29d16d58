package io.github.sparkbic.call

import java.time.{Duration, Period}

import org.apache.spark.sql.{DataFrame, Dataset, Observation, Row}
import org.apache.spark.unsafe.types.CalendarInterval

import io.github.sparkbic.arguments.{Arguments, Durations}
import io.github.sparkbic.operator.keys.GraphKey

/** The arguments of a call from Scala, Python or SQL: values by the names of the parameters, in the types of Scala. A null
  * means that no value is given.
  */
private[sparkbic] final class Options(val ask: Ask, values: Map[String, Any]) {
  values.keys.find(name => !ask.parameters.exists(_.name == name)).foreach { name =>
    throw ask.unknown(name)
  }
  ask.parameters.find(p => p.default.isEmpty && !values.contains(p.name)).foreach { missing =>
    throw ask.wrong(s"needs the argument '${missing.name}'")
  }

  def edges: DataFrame = value("edges").asInstanceOf[Dataset[_]].toDF()

  /** Whether no window is given, to a question about whole tables. */
  def isWholeTable: Boolean = ask.whole && optional("window").isEmpty

  def windows: Seq[String] = value("window") match {
    case several: Seq[_] if several.size != 1 && !ask.lengths(this) =>
      throw Arguments.invalid(
        "window must be a single length where each window is compared with the window before, not " +
          s"${several.map(show).mkString(", ")}; call once for each length"
      )
    case several: Seq[_] => several.map(duration("window", _))
    case single          => Seq(duration("window", single))
  }

  def duration(name: String): Option[String] = optional(name).map(duration(name, _))

  def text(name: String): String = value(name) match {
    case text: String => text
    case other        => throw ask.wrong(s"takes a string as '$name', not ${show(other)}")
  }

  /** The text that a call gives in place of the default. */
  def changed(name: String): Option[String] =
    Some(text(name)).filter(text => !ask.parameters.exists(p => p.name == name && p.default.contains(text)))

  def flag(name: String): Boolean = value(name) match {
    case flag: Boolean => flag
    case other         => throw ask.wrong(s"takes true or false as '$name', not ${show(other)}")
  }

  def minSize: Long = atLeastOne("min_size")

  def atLeastOne(name: String): Long = value(name) match {
    case number @ (_: Byte | _: Short | _: Int | _: Long) =>
      val size = number.asInstanceOf[Number].longValue
      if (size < 1) throw Arguments.invalid(s"$name must be at least 1, but it is $size")
      size
    case other => throw ask.wrong(s"takes a number as '$name', not ${show(other)}")
  }

  def by: Seq[String] = optional("by").toSeq.flatMap {
    case several: Seq[_] => several
    case single          => Seq(single)
  }.map {
    case name: String => name
    case other => throw ask.wrong(s"takes a column name, or an array of them, as 'by', not ${show(other)}")
  }

  /** The answers that ask for paths. */
  def answers: DataFrame = value("answers") match {
    case frame: Dataset[_] => frame.toDF()
    case other => throw ask.wrong(
        s"takes answers as TABLE(…) with the columns window, source and target, not ${show(other)}"
      )
  }

  /** Pairs, in a frame with the columns `source` and `target`. */
  def queries: DataFrame = value("queries") match {
    case frame: Dataset[_] => frame.toDF()
    case other => QueryArguments.frame(other).getOrElse {
        throw ask.wrong(
          "takes queries as TABLE(…) with the columns source and target, or as an array of pairs such as " +
            s"array((1, 2), (3, 9)), not ${show(other)}"
        )
      }
  }

  /** The receiver of the counters of a static frame: an observation, or the name of observed metrics. */
  def observation: Option[Either[String, Observation]] = optional("observation").map {
    case own: Observation => Right(own)
    case _                => Left(text("observation"))
  }

  private def value(name: String): Any =
    optional(name).getOrElse(throw ask.wrong(s"needs a value for '$name', not NULL"))

  private def optional(name: String): Option[Any] =
    values.get(name).filter(_ != null)
      .orElse(ask.parameters.find(_.name == name).flatMap(_.default).filter(_ != null))

  private def duration(name: String, value: Any): String = value match {
    case text: String               => text
    case length: Duration           => Durations.show(length)
    case period: Period             => s"${period.toTotalMonths} months"
    case interval: CalendarInterval => interval.toString
    case other =>
      throw ask.wrong(s"takes a duration such as INTERVAL 1 HOUR or '1 hour' as '$name', not ${show(other)}")
  }

  private def show(value: Any): String = value match {
    case text: String      => s"'$text'"
    case text: Array[Byte] => s"'${GraphKey.show(text)}'"
    case several: Seq[_]   => several.map(show).mkString("array(", ", ", ")")
    case struct: Row       => struct.toSeq.map(show).mkString("(", ", ", ")")
    case length: Duration  => s"'${Durations.show(length)}'"
    case other             => String.valueOf(other)
  }
}
