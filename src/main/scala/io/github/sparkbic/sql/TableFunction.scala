package io.github.sparkbic.sql

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LocalRelation, LogicalPlan}

import io.github.sparkbic.{SlidingWindowConnectivity, StreamChecks}
import io.github.sparkbic.index.ConnectivityIndex

/** A parameter of a table function.
  *
  * @param default what it is when it is not given; None if it must be given, null if it may be left out
  */
private[sparkbic] final case class Parameter(name: String, default: Option[Any] = None) {

  /** As in the function's usage. */
  override def toString: String = default match {
    case None               => name
    case Some(null)         => s"$name => NULL"
    case Some(text: String) => s"$name => '$text'"
    case Some(value)        => s"$name => $value"
  }
}

/** One of the questions as a table function of SQL: the method of the same name, with the same parameters.
  *
  * Spark resolves the TABLE argument before it calls `build`. The answers' plan is made over an empty stand-in with the
  * table's columns, which the table's own plan then replaces: so that plan may hold what only the whole statement can
  * resolve, such as a common table expression.
  */
private[sparkbic] final class TableFunction(
    val name: String,
    val description: String,
    val parameters: Seq[Parameter],
    answers: (SlidingWindowConnectivity, CallArguments) => DataFrame
) {
  def usage: String = s"$name(${parameters.mkString(", ")})"

  def build(call: Seq[Expression]): LogicalPlan = AnalysisHelper.allowInvokingTransformsInAnalyzer {
    val arguments = new CallArguments(this, call)
    val table = arguments.edges
    if (table.isStreaming) StreamChecks.checkSource(table)
    val standIn = LocalRelation(table.output, Nil, isStreaming = table.isStreaming)
    val edges = SparkInternals.frame(standIn)
    val plan = answers(new SlidingWindowConnectivity(edges, arguments.text("observation")), arguments)
    SparkInternals.analyzed(plan).transformUp {
      case leaf: LocalRelation if leaf.output.map(_.exprId) == standIn.output.map(_.exprId) => table
    }
  }
}

private[sparkbic] object TableFunction {

  private def parameters(own: Parameter): Seq[Parameter] = Seq(
    Parameter("edges"),
    Parameter("window"),
    Parameter("slide", Some(null)),
    own,
    Parameter("src", Some("src")),
    Parameter("dst", Some("dst")),
    Parameter("time", Some("time")),
    Parameter("by", Some(null)),
    Parameter("start_time", Some(null)),
    Parameter("index", Some(ConnectivityIndex.Default)),
    Parameter("observation", Some(null))
  )

  private val connectivity = new TableFunction(
    "bic_connectivity",
    "for each sliding window, whether each pair of vertices is connected by edges of that window",
    parameters(Parameter("queries")),
    (edges, in) =>
      edges.bicConnectivity(
        in.windows,
        in.slide,
        in.queries,
        in.column("src"),
        in.column("dst"),
        in.column("time"),
        in.by,
        in.startTime,
        in.column("index")
      )
  )

  private val components = new TableFunction(
    "bic_components",
    "for each sliding window, its vertices with the smallest vertex of their connected component",
    parameters(Parameter("min_size", Some(1L))),
    (edges, in) =>
      edges.bicComponents(
        in.windows,
        in.slide,
        in.number("min_size"),
        in.column("src"),
        in.column("dst"),
        in.column("time"),
        in.by,
        in.startTime,
        in.column("index")
      )
  )

  private val componentStats = new TableFunction(
    "bic_component_stats",
    "for each sliding window, how many vertices, edges and connected components it has",
    parameters(Parameter("sizes", Some(false))),
    (edges, in) =>
      edges.bicComponentStats(
        in.windows,
        in.slide,
        in.flag("sizes"),
        in.column("src"),
        in.column("dst"),
        in.column("time"),
        in.by,
        in.startTime,
        in.column("index")
      )
  )

  private val changes = new TableFunction(
    "bic_changes",
    "for each sliding window, the components that appeared, merged, split or vanished since the window before",
    parameters(Parameter("min_size", Some(1L))),
    (edges, in) =>
      edges.bicChanges(
        in.window,
        in.slide,
        in.number("min_size"),
        in.column("src"),
        in.column("dst"),
        in.column("time"),
        in.by,
        in.startTime,
        in.column("index")
      )
  )

  val all: Seq[TableFunction] = Seq(connectivity, components, componentStats, changes)
}
