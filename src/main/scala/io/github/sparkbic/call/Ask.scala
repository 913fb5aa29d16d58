package io.github.sparkbic.call

import io.github.sparkbic.arguments.EdgeColumns
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.operator.question
import io.github.sparkbic.operator.question.Question

/** A parameter of a call, by its name in Python and SQL.
  *
  * @param default its value where none is given; None if one must be given, null if there need not be any
  */
private[sparkbic] final case class Parameter(name: String, default: Option[Any] = None) {

  /** As in the usage of a function of SQL. */
  override def toString: String = default match {
    case None               => name
    case Some(null)         => s"$name => NULL"
    case Some(text: String) => s"$name => '$text'"
    case Some(value)        => s"$name => $value"
  }
}

/** A question as users ask it. Python, SQL and Connect take its parameters from here, so a new parameter needs a line
  * here, the argument in the signatures of Scala and Python, and its use in `question`.
  *
  * @param name     in Python and SQL, after `bic_`
  * @param lengths  whether windows of several lengths can be asked for at once
  * @param answers  the columns of an answer after its window
  * @param question what the operator is asked
  */
private[sparkbic] final class Ask private (
    name: String,
    val description: String,
    own: Parameter,
    val lengths: Boolean,
    val answers: Options => Seq[String],
    val question: (Options, EdgeColumns) => Question
) {
  val function: String = s"bic_$name"

  val parameters: Seq[Parameter] = Seq(
    Parameter("edges"),
    Parameter("window"),
    Parameter("slide", Some(null)),
    own,
    Parameter("src", Some("src")),
    Parameter("dst", Some("dst")),
    Parameter("time", Some("time")),
    Parameter("by", Some(null)),
    Parameter("start_time", Some(null)),
    Parameter("index", Some(Indexes.Default)),
    Parameter("observation", Some(null))
  )

  def usage: String = s"$function(${parameters.mkString(", ")})"
}

private[sparkbic] object Ask {
  private val minSize = Parameter("min_size", Some(1L))

  val Connectivity: Ask = new Ask(
    "connectivity",
    "for each sliding window, whether each pair of vertices is connected by edges of that window",
    Parameter("queries"),
    lengths = true,
    _ => question.PairsConnected.columns,
    (options, edges) => QueryArguments.question(options.queries, edges)
  )

  val Components: Ask = new Ask(
    "components",
    "for each sliding window, its vertices with the smallest vertex of their connected component",
    minSize,
    lengths = true,
    _ => question.Components.columns,
    (options, edges) => new question.Components(edges.strings, options.minSize)
  )

  val ComponentStats: Ask = new Ask(
    "component_stats",
    "for each sliding window, how many vertices, edges and connected components it has",
    Parameter("sizes", Some(false)),
    lengths = true,
    options => question.ComponentStats.columns(options.flag("sizes")),
    (options, _) => new question.ComponentStats(options.flag("sizes"))
  )

  val Changes: Ask = new Ask(
    "changes",
    "for each sliding window, the components that appeared, merged, split or vanished since the window before",
    minSize,
    lengths = false,
    _ => question.Changes.columns,
    (options, edges) => new question.Changes(edges.strings, options.minSize)
  )

  val all: Seq[Ask] = Seq(Connectivity, Components, ComponentStats, Changes)
}
