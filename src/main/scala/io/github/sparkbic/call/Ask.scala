package io.github.sparkbic.call

import org.apache.spark.sql.AnalysisException

import io.github.sparkbic.arguments.{Arguments, EdgeColumns, Nearest}
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

/** A function as users call it. Scala, Python, SQL and Connect take the parameters from here. A new parameter needs a line
  * here, the argument in the signatures of Scala and Python, and its use in the question or the call.
  *
  * @param name in Python and SQL, after `bic_`
  */
private[sparkbic] sealed abstract class Ask(name: String, val description: String) {
  val function: String = s"bic_$name"

  /** In the order of positional arguments. */
  def parameters: Seq[Parameter]

  /** Whether a call with these options may ask for windows of several lengths. */
  def lengths(options: Options): Boolean = true

  /** Whether a call without a window asks about the whole of a static table. */
  def whole: Boolean = false

  def usage: String = s"$function(${parameters.mkString(", ")})"

  /** The error of a call that does not fit this function. */
  def wrong(what: String): AnalysisException = Arguments.invalid(s"$function $what: $usage")

  /** The error of an argument that the function does not know. */
  def unknown(name: String): AnalysisException = {
    val hint = Nearest.hint(name, parameters.map(_.name))
    Arguments.invalid(s"$function has no parameter '$name'${if (hint.isEmpty) s": $usage" else hint}")
  }
}

/** A question about every window of the edges, which the window operator answers.
  *
  * @param own      the parameters that other questions do not have
  * @param question the question to the operator
  */
private[sparkbic] final class WindowAsk(
    name: String,
    description: String,
    own: Seq[Parameter],
    val question: (Options, EdgeColumns) => Question,
    severalLengths: Options => Boolean = _ => true,
    override val whole: Boolean = false
) extends Ask(name, description) {

  override val parameters: Seq[Parameter] =
    Seq(
      Parameter("edges"),
      Parameter("window", if (whole) Some(null) else None),
      Parameter("slide", Some(null))
    ) ++ own ++ Ask.columns ++
      Seq(Parameter("start_time", Some(null)), Parameter("index", Some(Indexes.Auto)), Ask.observation)

  override def lengths(options: Options): Boolean = severalLengths(options)
}

/** The paths that join the pairs of answers. */
private[sparkbic] object PathAsk
    extends Ask(
      "paths",
      "for each answer, the edges of the shortest path from source to target in its window"
    ) {

  override val parameters: Seq[Parameter] =
    Seq(Parameter("edges"), Parameter("answers")) ++ Ask.columns :+ Ask.observation
}

private[sparkbic] object Ask {
  private val minSize = Parameter("min_size", Some(1L))
  private val stable = Parameter("stable", Some(false))

  private[call] val columns: Seq[Parameter] =
    Seq("src", "dst", "time").map(column => Parameter(column, Some(column))) :+ Parameter("by", Some(null))
  private[call] val observation: Parameter = Parameter("observation", Some(null))

  val Connectivity: WindowAsk = new WindowAsk(
    "connectivity",
    "for each sliding window, whether each pair of vertices is connected by edges of that window",
    Seq(Parameter("queries"), Parameter("early", Some(false)), Parameter("since", Some(false))),
    (options, edges) =>
      QueryArguments.question(options.queries, edges, options.flag("early"), options.flag("since"))
  )

  val Components: WindowAsk = new WindowAsk(
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
    severalLengths = options => !options.flag("updates_only") && !options.flag("stable"),
    whole = true
  )

  val LargestComponents: WindowAsk = new WindowAsk(
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

  val ComponentStats: WindowAsk = new WindowAsk(
    "component_stats",
    "for each sliding window, how many vertices, edges and connected components it has",
    Seq(Parameter("sizes", Some(false))),
    (options, _) => new question.ComponentStats(options.flag("sizes")),
    whole = true
  )

  val Changes: WindowAsk = new WindowAsk(
    "changes",
    "for each sliding window, the components that appeared, merged, split or vanished since the window before",
    Seq(minSize, stable),
    (options, edges) => new question.Changes(edges.strings, options.minSize, options.flag("stable")),
    severalLengths = _ => false
  )

  val all: Seq[Ask] = Seq(Connectivity, Components, LargestComponents, ComponentStats, Changes, PathAsk)
}
