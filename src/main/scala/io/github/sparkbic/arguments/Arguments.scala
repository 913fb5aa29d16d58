package io.github.sparkbic.arguments

import java.util.Locale

import org.apache.commons.text.similarity.LevenshteinDistance
import org.apache.spark.sql.{AnalysisException, DataFrame}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.types.{TimestampNTZType, TimestampType}

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.recency.RecencyIndex

/** Checks the arguments of a call before a query starts. The message of an error names the bad value and the fix. */
private[sparkbic] object Arguments {
  import ColumnTypes.show

  /** The error of all bad arguments, which PySpark shows as its `AnalysisException`.
    *
    * The error has no position in a SQL statement. For an error with a position, PySpark searches Spark's own conditions.
    */
  def invalid(message: String): AnalysisException =
    SparkInternals.analysisException("BIC_INVALID_ARGUMENT", "22023", message)

  def requireKnown(what: String, name: String, valid: Seq[String]): Unit =
    if (!valid.contains(name))
      throw invalid(s"unknown $what '$name'; there is: ${valid.mkString(", ")}${nearest(name, valid)}")

  /** The end of an error, such as `; did you mean 'src'?`, or nothing if no valid name is near. */
  def nearest(name: String, valid: Seq[String]): String = {
    def folded(name: String) = name.toLowerCase(Locale.ROOT)
    val near = valid.map(each => each -> distance(folded(name), folded(each)).intValue)
      // Of short names, two changed letters make another name, as of 'site' and 'time'.
      .filter { case (each, edits) => edits >= 0 && 3 * edits <= math.min(each.length, name.length) }
    if (near.isEmpty) "" else s"; did you mean '${near.minBy(_._2)._1}'?"
  }

  // More changed letters make another name, not a slip.
  private val distance = new LevenshteinDistance(2)

  def panes(windows: Seq[String], slide: Option[String], startTime: Option[String]): Panes = {
    if (windows.isEmpty)
      throw invalid("window is an empty list; give at least one duration, such as '1 hour'")
    val lengths = windows.map(Durations.positive("window", _))
    val shortestText = windows(lengths.indexOf(lengths.min))
    if (windows.size > 1 && slide.isEmpty)
      throw invalid(
        s"windows of several lengths (${windows.mkString(", ")}) share one slide; give it, such as slide '$shortestText'"
      )
    lengths.diff(lengths.distinct).headOption.foreach { twice =>
      val text = windows(lengths.lastIndexOf(twice))
      throw invalid(s"window '$text' is given twice; each length of window is answered once")
    }
    val step = slide.fold(lengths.min)(Durations.positive("slide", _))
    val start = startTime.fold(0L)(Durations.micros("start_time", _))
    if (step > lengths.min)
      throw invalid(
        s"slide '${slide.get}' is longer than window '$shortestText', so some edges would be in no window; choose a slide " +
          "of at most the window"
      )
    if (start <= -step || start >= step)
      throw invalid(
        s"start_time '${startTime.get}' must be shorter than the slide '${slide.getOrElse(shortestText)}'; " +
          s"start_time '${Durations.show(Math.floorMod(start, step))}' makes the same windows"
      )
    val pane = lengths.foldLeft(step)(Panes.gcd)
    val perWindow = lengths.max / pane
    if (perWindow > Panes.MaxPerWindow)
      throw invalid(
        s"window '${windows.mkString("', '")}' and slide '${slide.getOrElse(shortestText)}' make panes of " +
          s"${Durations.show(pane)}, $perWindow in a window, more than ${Panes.MaxPerWindow}; choose lengths " +
          "with a larger common divisor"
      )
    val falling = lengths.sorted.reverse
    Panes(falling.head, step, start, falling.tail)
  }

  /** Refuses what a question about a whole static table, without windows, has no use for. */
  def requireTable(frame: DataFrame, slide: Option[String], startTime: Option[String], time: String): Unit = {
    if (frame.isStreaming)
      throw invalid(
        "window is not given, which asks for the components of a whole table, but the edges are a streaming DataFrame, " +
          "which has no end; give a window, such as '1 hour'"
      )
    val shift = startTime.filter(Durations.micros("start_time", _) != 0)
    val others = Seq("slide" -> slide, "start_time" -> shift, "time" -> Some(time).filter(_ != "time"))
    for ((name, value) <- others; text <- value)
      throw invalid(s"$name '$text' is given without a window; give a window too, or no $name")
  }

  /** The index of that name. Where the choice is left, `bic` answers pairs in windows of one length, with bounds that hold
    * for every input. `recency` answers the rest: what `bic` cannot, and the components of windows, which `bic` takes up to
    * 1.7 times as long to list.
    *
    * @param auto     the index of the question where the choice is left, for windows of one length
    * @param suffixes the parameters that ask for more than windows, if any are given
    */
  def index(name: String, panes: Panes, auto: String, suffixes: Seq[String]): String = {
    val needed = (if (panes.shorter.nonEmpty) Some("windows of several lengths") else None) ++ suffixes
    requireKnown("index", name, Indexes.Auto +: Indexes.names)
    if (name == Indexes.Auto) { if (needed.isEmpty) auto else RecencyIndex.Name }
    else if (needed.nonEmpty && name != RecencyIndex.Name)
      throw invalid(
        s"${needed.mkString(" and ")} ${if (needed == suffixes.take(1)) "needs" else "need"} the index " +
          s"'${RecencyIndex.Name}', but index is '$name'; give index '${Indexes.Auto}' or '${RecencyIndex.Name}'"
      )
    else name
  }

  /** @param time None for the edges of a whole table, whose times are not asked for */
  def edges(
      frame: DataFrame,
      src: String,
      dst: String,
      time: Option[String],
      by: Seq[String]
  ): EdgeColumns = {
    val columns = new NamedColumns("edges", frame)
    val ends = Seq("src" -> src, "dst" -> dst).map { case (role, name) => columns.field(name, role) }
    val timeField = time.map(columns.field(_, "time"))
    val byFields = by.map(columns.field(_, "by"))
    ends.foreach(ColumnTypes.requireVertex)
    byFields.foreach(ColumnTypes.requireKey)
    val vertexType = ColumnTypes.common(ends.head.dataType, ends.last.dataType).getOrElse {
      throw invalid(
        s"columns ${ends.map(show).mkString(" and ")} must both be integral or both be STRING; cast one of them"
      )
    }
    timeField.filterNot(field => Seq(TimestampType, TimestampNTZType).contains(field.dataType)).foreach {
      field =>
        throw invalid(
          s"column ${show(field)} must be TIMESTAMP or TIMESTAMP_NTZ; convert it, for instance with to_timestamp or " +
            "timestamp_seconds"
        )
    }
    val found = EdgeColumns(columns, ends, vertexType, timeField, byFields)
    val names = found.roles.map(_._2.name)
    names.diff(names.distinct).headOption.foreach { name =>
      throw found.roles.filter(_._2.name == name).map(_._1).distinct match {
        case Seq(_) => invalid(s"column '$name' is given twice in by")
        case roles =>
          invalid(s"column '$name' is given as ${roles.mkString(" and as ")}; each needs a column of its own")
      }
    }
    found
  }
}
