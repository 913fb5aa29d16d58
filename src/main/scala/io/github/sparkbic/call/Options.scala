package io.github.sparkbic.call

import java.math.{BigDecimal => JBigDecimal, BigInteger}
import java.time.{Duration, Period}

import org.apache.spark.sql.{DataFrame, Dataset, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.unsafe.types.CalendarInterval

import io.github.sparkbic.arguments.{Arguments, Durations}
import io.github.sparkbic.operator.keys.GraphKey

/** The arguments of a call from Scala, Python or SQL, with the checks of their types. */
private[call] final class Options(function: TableFunction, values: Map[String, Any]) {
  import function.{parameters, wrong}

  values.keys.find(name => !parameters.exists(_.name == name)).foreach { name =>
    throw function.unknown(name)
  }
  parameters.find(p => p.default.isEmpty && !values.contains(p.name)).foreach { missing =>
    throw wrong(s"needs the argument '${missing.name}'")
  }

  def edges: DataFrame = frame("edges")

  /** The value that is given, or else the default; None for a null. */
  def optional(name: String): Option[Any] =
    values.get(name).filter(_ != null)
      .orElse(parameters.find(_.name == name).flatMap(_.default).filter(_ != null))

  def isGiven(name: String): Boolean = optional(name).nonEmpty

  private def value(name: String): Any =
    optional(name).getOrElse(throw wrong(s"needs a value for '$name', not NULL"))

  private def read[A](name: String, kind: String, value: Any)(of: PartialFunction[Any, A]): A =
    of.applyOrElse(value, (other: Any) => throw wrong(s"takes $kind as '$name', not ${show(other)}"))

  def text(name: String): String = read(name, "a string", value(name)) { case text: String => text }

  def flag(name: String): Boolean = read(name, "true or false", value(name)) { case flag: Boolean => flag }

  def atLeastOne(name: String): Long = read(name, "a number", value(name)) {
    case number @ (_: Byte | _: Short | _: Int | _: Long) =>
      val count = number.asInstanceOf[Number].longValue
      if (count < 1) throw Arguments.invalid(s"$name must be at least 1, but it is $count")
      count
    // An int of Python may be larger, and is a decimal in SQL.
    case number @ (_: BigInteger | _: JBigDecimal) if new JBigDecimal(number.toString).scale <= 0 =>
      throw Arguments.invalid(s"$name must fit in 64 bits, but it is ${show(number)}")
  }

  def windows: Seq[String] = items(value("window")).map(duration("window", _))

  def duration(name: String): Option[String] = optional(name).map(duration(name, _))

  private def duration(name: String, value: Any): String =
    read(name, "a duration such as INTERVAL 1 HOUR or '1 hour'", value) {
      case text: String               => text
      case length: Duration           => Durations.show(length)
      case period: Period             => s"${period.toTotalMonths} months"
      case interval: CalendarInterval => interval.toString
    }

  /** The columns of a parameter; none if there is no value. */
  def columns(name: String): Seq[String] = optional(name).toSeq.flatMap(items)
    .map(read(name, "a column name, or an array of them,", _) { case column: String => column })

  private def items(value: Any): Seq[Any] = value match {
    case several: Seq[_] => several
    case single          => Seq(single)
  }

  /** A table, which SQL knows before it calls the function. */
  def frame(name: String): DataFrame =
    read(name, "a table, TABLE(…),", value(name)) { case frame: Dataset[_] => frame.toDF() }

  /** The plan of a table, or of a value of which a table is made.
    * @param form what a call may give, for errors
    */
  def tableOr(name: String, form: String)(of: Any => Option[LogicalPlan]): LogicalPlan = value(name) match {
    case frame: Dataset[_] => SparkInternals.analyzed(frame.toDF())
    case other             => of(other).getOrElse(throw wrong(s"takes $name as $form, not ${show(other)}"))
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
