package io.github.sparkbic.sql

import java.time.{Duration, Period}

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.CatalystTypeConverters
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Attribute,
  Expression,
  FunctionTableSubqueryArgumentExpression,
  NamedArgumentExpression,
  RuntimeReplaceable,
  SubqueryExpression
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.util.IntervalUtils
import org.apache.spark.unsafe.types.CalendarInterval

import io.github.sparkbic.Arguments.invalid
import io.github.sparkbic.Durations

/** The arguments of a call in SQL, as the methods in Scala take them; NULL is as good as not given.
  *
  * Positional arguments come first, in the order of the parameters, then named ones in any order. All but tables are
  * constants. `PARTITION BY` after the table of edges is the same as `by`.
  */
private final class CallArguments(function: TableFunction, call: Seq[Expression]) {
  private val names = function.parameters.map(_.name)

  private val byName: Map[String, Expression] = {
    val (positional, named) = call.span(!_.isInstanceOf[NamedArgumentExpression])
    if (positional.size > names.size)
      throw wrong(s"has ${names.size} parameters, but ${positional.size} arguments are given")
    val pairs = names.zip(positional) ++ named.map {
      case NamedArgumentExpression(key, value) =>
        val name = names.find(_.equalsIgnoreCase(key)).getOrElse(throw wrong(s"has no parameter '$key'"))
        name -> value
      case other => throw wrong(s"has the argument ${written(other)} after a named one; name it as well")
    }
    pairs.map(_._1).diff(names).headOption.foreach(name => throw wrong(s"has the argument '$name' twice"))
    pairs.toMap
  }

  function.parameters.find(p => p.default.isEmpty && !byName.contains(p.name)).foreach { missing =>
    throw wrong(s"needs the argument '${missing.name}'")
  }

  /** The plan of the table of edges. */
  def edges: LogicalPlan = edgeTable.plan

  private lazy val edgeTable: FunctionTableSubqueryArgumentExpression = byName("edges") match {
    case table: FunctionTableSubqueryArgumentExpression =>
      if (table.orderByExpressions.nonEmpty || table.withSinglePartition)
        throw wrong("takes a table of edges without ORDER BY and WITH SINGLE PARTITION; leave them out")
      if (table.outerAttrs.nonEmpty)
        throw wrong("takes a table of edges that does not depend on other tables of the statement")
      table
    case other =>
      throw wrong(s"takes a table of edges, as TABLE(name) or TABLE(SELECT …), not ${written(other)}")
  }

  def windows: Seq[String] = value("window") match {
    case several: Seq[_] => several.map(duration("window", _))
    case one             => Seq(duration("window", one))
  }

  def window: String = duration("window", value("window"))

  def slide: String = optional("slide").map(duration("slide", _)).orNull

  def startTime: String = optional("start_time").map(duration("start_time", _)).orNull

  def text(name: String): Option[String] = optional(name).map {
    case text: String => text
    case other        => throw wrong(s"takes a string as '$name', not ${show(other)}")
  }

  def column(name: String): String = text(name).get

  def number(name: String): Long = value(name) match {
    case number @ (_: Byte | _: Short | _: Int | _: Long) => number.asInstanceOf[Number].longValue
    case other => throw wrong(s"takes a number as '$name', not ${show(other)}")
  }

  def flag(name: String): Boolean = value(name) match {
    case flag: Boolean => flag
    case other         => throw wrong(s"takes true or false as '$name', not ${show(other)}")
  }

  def by: Seq[String] = {
    val named = optional("by").toSeq.flatMap {
      case several: Seq[_] => several
      case one             => Seq(one)
    }.map {
      case name: String => name
      case other => throw wrong(s"takes a column name, or an array of them, as 'by', not ${show(other)}")
    }
    val partitioned = edgeTable.partitionByExpressions.map { expression =>
      val found = expression match {
        case unresolved: UnresolvedAttribute =>
          edgeTable.plan.resolve(unresolved.nameParts, SparkInternals.sameName)
        case other => Some(other)
      }
      found match {
        case Some(column: Attribute) => column.name
        case _ =>
          throw wrong(
            s"takes columns in PARTITION BY, not ${expression.sql}; add it to the table of edges"
          )
      }
    }
    if (named.nonEmpty && partitioned.nonEmpty)
      throw wrong("has both 'by' and PARTITION BY, which mean the same; give one of them")
    named ++ partitioned
  }

  def queries: DataFrame = byName("queries") match {
    case table: FunctionTableSubqueryArgumentExpression =>
      if (table.outerAttrs.nonEmpty || SparkInternals.readsCommonTable(table.plan))
        throw wrong(
          "reads its queries when the statement is analysed, so they cannot come from a common table expression or " +
            "another table of the statement; give a table, a view, a subquery or an array"
        )
      if (table.hasRepartitioning || table.orderByExpressions.nonEmpty)
        throw wrong("takes queries without PARTITION BY, ORDER BY and WITH SINGLE PARTITION; leave them out")
      SparkInternals.frame(table.plan)
    case _ => QueryArray.frame(value("queries")).getOrElse {
        throw wrong(
          s"takes queries as TABLE(…) with the columns source and target, or as an array of pairs such as " +
            s"array((1, 2), (3, 9)), not ${written(byName("queries"))}"
        )
      }
  }

  private def value(name: String): Any =
    optional(name).getOrElse(throw wrong(s"needs a value for '$name', not NULL"))

  private def optional(name: String): Option[Any] =
    byName.get(name).flatMap { expression =>
      // As the optimizer would have it, which has not seen the statement yet.
      val plain = expression.transform {
        case alias: Alias                => alias.child
        case written: RuntimeReplaceable => written.replacement
      }
      if (!plain.foldable) throw wrong(s"takes a constant as '$name', not ${written(expression)}")
      Option(CatalystTypeConverters.convertToScala(plain.eval(), plain.dataType))
    }.orElse(function.parameters.find(_.name == name).flatMap(_.default).flatMap(Option(_)))

  private def duration(name: String, value: Any): String = value match {
    case text: String               => text
    case duration: Duration         => text(duration)
    case period: Period             => s"${period.toTotalMonths} months"
    case interval: CalendarInterval => interval.toString
    case other =>
      throw wrong(s"takes a duration such as INTERVAL 1 HOUR or '1 hour' as '$name', not ${show(other)}")
  }

  private def text(length: Duration): String = Durations.show(IntervalUtils.durationToMicros(length))

  private def show(value: Any): String = value match {
    case text: String     => s"'$text'"
    case several: Seq[_]  => several.map(show).mkString("array(", ", ", ")")
    case struct: Row      => struct.toSeq.map(show).mkString("(", ", ", ")")
    case length: Duration => s"'${text(length)}'"
    case other            => String.valueOf(other)
  }

  /** An argument as it may stand in the statement, where Spark's own text would be that of a class. */
  private def written(argument: Expression): String = argument match {
    case _: FunctionTableSubqueryArgumentExpression => "TABLE(…)"
    case _: SubqueryExpression                      => "(SELECT …)"
    case other                                      => other.sql
  }

  private def wrong(what: String) = invalid(s"${function.name} $what: ${function.usage}")
}
