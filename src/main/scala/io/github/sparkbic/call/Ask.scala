package io.github.sparkbic.call

import org.apache.spark.sql.AnalysisException

import io.github.sparkbic.arguments.{Arguments, EdgeColumns}
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.operator.question
import io.github.sparkbic.operator.question.Question

/** A parameter of a call, by its name in Python and SQL.
  *
  * @param default its value where none is given; None if a value must be given, null if there need not be any
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

/** A question as users ask it. Scala, Python, SQL and Connect take the parameters from here. A new parameter needs a line
  * here, the argument in the signatures of Scala and Python, and its use in `question`.
  *
  * @param name     in Python and SQL, after `bic_`
  * @param own      the parameters that other questions do not have
  * @param lengths  whether a call with these options may ask for windows of several lengths
  * @param whole    whether a call without a window asks about the whole of a static table
  * @param question the question to the operator
  */
private[sparkbic] final class Ask private (
    name: String,
    val description: String,
    own: Seq[Parameter],
    val question: (Options, EdgeColumns) => Question,
    val lengths: Options => Boolean = _ => true,
    val whole: Boolean = false
) {
  val function: String = s"bic_$name"

  /** In the order of positional arguments. */
  val parameters: Seq[Parameter] =
    Seq(
      Parameter("edges"),
      Parameter("window", Option.when(whole)(null)),
      Parameter("slide", Some(null))
    ) ++ own ++
      Seq("src", "dst", "time").map(column => Parameter(column, Some(column))) ++
      Seq("by", "start_time").map(Parameter(_, Some(null))) ++
      Seq(Parameter("index", Some(Indexes.Auto)), Parameter("observation", Some(null)))

  def usage: String = s"$function(${parameters.mkString(", ")})"

  /** The error of a call that does not fit this function. */
  def wrong(what: String): AnalysisException = Arguments.invalid(s"$function $what: $usage")
}

private[sparkbic] object Ask {
  private val minSize = Parameter("min_size", Some(1L))
  private val stable = Parameter("stable", Some(false))

  val Connectivity: Ask = new Ask(
    "connectivity",
    "for each sliding window, whether each pair of vertices is connected by edges of that window",
    Seq(Parameter("queries"), Parameter("early", Some(false)), Parameter("since", Some(false))),
    (options, edges) =>
      QueryArguments.question(options.queries, edges, options.flag("early"), options.flag("since"))
  )

  val Components: Ask = new Ask(
    "components",
    "for each sliding window, its vertices with the smallest vertex of their connected component",
    Seq(minSize, Parameter("updates_only", Some(false)), stable),
    (options, edges) =>
      new question.Components(
        edges.strings,
        options.minSize,
        options.flag("updates_only"),
        options.flag("stable")
      ),
    lengths = options => !options.flag("updates_only") && !options.flag("stable"),
    whole = true
  )

  val LargestComponents: Ask = new Ask(
    "largest_components",
    "for each sliding window, its largest connected components",
    Seq(Parameter("top", Some(10L)), minSize, Parameter("members", Some(false))),
    (options, edges) =>
      new question.LargestComponents(
        edges.strings,
        options.atLeastOne("top"),
        options.minSize,
        options.flag("members")
      ),
    whole = true
  )

  val ComponentStats: Ask = new Ask(
    "component_stats",
    "for each sliding window, how many vertices, edges and connected components it has",
    Seq(Parameter("sizes", Some(false))),
    (options, _) => new question.ComponentStats(options.flag("sizes")),
    whole = true
  )

  val Changes: Ask = new Ask(
    "changes",
    "for each sliding window, the components that appeared, merged, split or vanished since the window before",
    Seq(minSize, stable),
    (options, edges) => new question.Changes(edges.strings, options.minSize, options.flag("stable")),
    lengths = _ => false
  )

  val all: Seq[Ask] = Seq(Connectivity, Components, LargestComponents, ComponentStats, Changes)
}
