package io.github.sparkbic.call

import org.apache.spark.sql.{AnalysisException, DataFrame}

import io.github.sparkbic.arguments.Arguments
import io.github.sparkbic.operator.Settings

/** A parameter of a call, by its name in Python and SQL.
  *
  * @param default its value where none is given; None if a value must be given, null if there need not be any
  * @param isTable whether its value is a table, which other values are not
  * @param orArray whether an array may stand in place of the table
  */
private[sparkbic] final case class Parameter(
    name: String,
    default: Option[Any] = None,
    isTable: Boolean = false,
    orArray: Boolean = false
) {

  override def toString: String = default match {
    case None               => name
    case Some(null)         => s"$name => NULL"
    case Some(text: String) => s"$name => '$text'"
    case Some(value)        => s"$name => $value"
  }
}

/** A question as users call it: a function of SQL, and a method of Scala and Python. All of them take the parameters from
  * here. [[TableFunctions]] lists the functions.
  *
  * @param name       in SQL
  * @param parameters in the order of positional arguments; the first is the table of edges
  * @param plan       from the arguments to the answers
  */
private[sparkbic] final class TableFunction(
    val name: String,
    val parameters: Seq[Parameter],
    plan: Options => DataFrame
) {

  /** The answers of a call. No job runs before an action on them.
    *
    * @param values by the names of the parameters, in the types of Scala; a null means that no value is given
    */
  def answers(values: Map[String, Any]): DataFrame = {
    Build.requireSpark()
    val options = new Options(this, values)
    Settings.check(options.edges.sparkSession)
    plan(options)
  }

  def usage: String = s"$name(${parameters.mkString(", ")})"

  /** The error of a call that does not fit this function. */
  def wrong(what: String): AnalysisException = Arguments.invalid(s"$name $what: $usage")

  /** The error of an argument that the function does not know. */
  def unknown(argument: String): AnalysisException = {
    val hint = Arguments.nearest(argument, parameters.map(_.name))
    Arguments.invalid(s"$name has no parameter '$argument'${if (hint.isEmpty) s": $usage" else hint}")
  }
}
