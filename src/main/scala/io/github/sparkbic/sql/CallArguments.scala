package io.github.sparkbic.sql

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.CatalystTypeConverters
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.ArrayType

import io.github.sparkbic.call.{Parameter, TableFunction}
import io.github.sparkbic.operator.keys.KeyRows

/** The arguments of a call in SQL.
  *
  * Positional arguments come first, in the order of the parameters, then named arguments in any order. All arguments but
  * tables are constants. `PARTITION BY` after the table of edges is the same as `by`.
  */
private[sql] final class CallArguments(function: TableFunction, call: Seq[Expression]) {
  import function.{parameters, wrong}

  private val names = parameters.map(_.name)

  private val byName: Map[String, Expression] = {
    val (positional, named) = call.span(!_.isInstanceOf[NamedArgumentExpression])
    if (positional.size > names.size)
      throw wrong(s"has ${names.size} parameters, but ${positional.size} arguments are given")
    val pairs = names.zip(positional) ++ named.map {
      case NamedArgumentExpression(key, value) =>
        val name = names.find(_.equalsIgnoreCase(key)).getOrElse(throw function.unknown(key))
        name -> value
      case other => throw wrong(s"has the argument ${written(other)} after a named one; name it as well")
    }
    pairs.map(_._1).diff(names).headOption.foreach(name => throw wrong(s"has the argument '$name' twice"))
    pairs.toMap
  }

  private val edgeTable: FunctionTableSubqueryArgumentExpression =
    byName.getOrElse("edges", throw wrong("needs the argument 'edges'")) match {
      case table: FunctionTableSubqueryArgumentExpression =>
        if (SparkInternals.isArranged(table))
          throw wrong("takes a table of edges without ORDER BY and WITH SINGLE PARTITION; leave them out")
        if (table.outerAttrs.nonEmpty)
          throw wrong("takes a table of edges that does not depend on other tables of the statement")
        table
      case other =>
        throw wrong(s"takes a table of edges, as TABLE(name) or TABLE(SELECT …), not ${written(other)}")
    }

  def edges: LogicalPlan = edgeTable.plan

  /** The values of all arguments but the edges. */
  def values: Map[String, Any] = {
    val all =
      (for (parameter <- parameters.tail; given <- byName.get(parameter.name))
        yield parameter.name -> value(parameter, given)).toMap
    if (SparkInternals.partitionBy(edgeTable).isEmpty) all
    else if (all.get("by").forall(by => by == null || by == Nil)) all + ("by" -> partitionBy)
    else throw wrong("has both 'by' and PARTITION BY, which mean the same; give one of them")
  }

  private def partitionBy: Seq[String] = SparkInternals.partitionBy(edgeTable).map { expression =>
    val found = expression match {
      case unresolved: UnresolvedAttribute => edges.resolve(unresolved.nameParts, SQLConf.get.resolver)
      case other                           => Some(other)
    }
    found.collect { case column: Attribute => column.name }.getOrElse {
      throw wrong(s"takes columns in PARTITION BY, not ${expression.sql}; add it to the table of edges")
    }
  }

  private def value(parameter: Parameter, argument: Expression): Any = argument match {
    case table: FunctionTableSubqueryArgumentExpression if parameter.isTable => frame(parameter.name, table)
    case _                                                                   =>
      // The optimizer, which does this, has not seen the statement yet.
      val plain = argument.transform {
        case alias: Alias                => alias.child
        case written: RuntimeReplaceable => written.replacement
      }
      if (!plain.foldable) throw wrong(s"takes a constant as '${parameter.name}', not ${written(argument)}")
      // Vertices in an array may be strings that are no UTF-8, of which Scala's strings would lose the bytes.
      val exact = plain.dataType match {
        case array: ArrayType if parameter.orArray => Cast(plain, KeyRows.exactType(array))
        case _                                     => plain
      }
      CatalystTypeConverters.convertToScala(exact.eval(), exact.dataType)
  }

  private def frame(name: String, table: FunctionTableSubqueryArgumentExpression): DataFrame = {
    if (table.outerAttrs.nonEmpty || SparkInternals.readsCommonTable(table.plan))
      throw wrong(
        s"reads its $name in a query of their own, so they cannot come from a common table expression or another table " +
          "of the statement; give a table, a view or a subquery"
      )
    if (SparkInternals.partitionBy(table).nonEmpty || SparkInternals.isArranged(table))
      throw wrong(s"takes $name without PARTITION BY, ORDER BY and WITH SINGLE PARTITION; leave them out")
    SparkInternals.frame(table.plan)
  }

  /** An argument as in a statement, where Spark's own text would name a class. */
  private def written(argument: Expression): String = argument match {
    case _: FunctionTableSubqueryArgumentExpression => "TABLE(…)"
    case _: SubqueryExpression                      => "(SELECT …)"
    case other                                      => other.sql
  }
}
