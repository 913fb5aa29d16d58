package io.github.sparkbic.sql

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.{ExpressionInfo, Literal}

import io.github.sparkbic.PythonApi
import io.github.sparkbic.call.Ask

/** Adds the functions to SQL, for sessions with `spark.sql.extensions=io.github.sparkbic.sql.BicExtensions`:
  *
  * {{{
  * SELECT * FROM bic_connectivity(
  *   TABLE(edges), window => INTERVAL 1 HOUR, slide => INTERVAL 5 MINUTES, queries => array((1, 2), (3, 9)))
  * }}}
  *
  * and likewise `bic_components`, `bic_component_stats` and `bic_changes`, on static and on streaming tables; see
  * [[io.github.sparkbic.call.Ask.all]]. `bic_version()` is the version of the jar.
  */
class BicExtensions extends (SparkSessionExtensions => Unit) {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    Ask.all.foreach { ask =>
      val info = BicExtensions.info(ask.function, ask.usage, ask.description)
      extensions.injectTableFunction((FunctionIdentifier(ask.function), info, TableFunction.build(ask)))
    }
    val version = BicExtensions.info("bic_version", "bic_version()", "the version of the spark-bic jar")
    extensions.injectFunction((FunctionIdentifier("bic_version"), version, _ => Literal(PythonApi.version)))
  }
}

private object BicExtensions {

  private def info(name: String, usage: String, description: String): ExpressionInfo =
    new ExpressionInfo(
      classOf[BicExtensions].getName,
      null,
      name,
      s"$usage - $description",
      "",
      "",
      "",
      "",
      "",
      "",
      "built-in"
    )
}
