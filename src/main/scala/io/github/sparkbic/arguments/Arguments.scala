package io.github.sparkbic.arguments

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
  def invalid(message: String, cause: Option[Throwable] = None): AnalysisException =
    SparkInternals.analysisException("BIC_INVALID_ARGUMENT", "22023", message, cause)

  /** The panes of windows of these lengths. */
  def panes(windows: Seq[String], slide: Option[String], startTime: Option[String]): Panes = {
    if (windows.isEmpty)
      throw invalid("window is an empty list; give at least one duration, such as '1 hour'")
    val lengths = windows.map(text => text -> Durations.micros("window", text))
    lengths.find(_._2 <= 0).foreach { case (text, _) =>
      throw invalid(s"window must be positive, but it is '$text'")
    }
    val (shortestText, shortest) = lengths.minBy(_._2)
    if (windows.size > 1 && slide.isEmpty)
      throw invalid(
        s"windows of several lengths (${windows.mkString(", ")}) share one slide; give it, such as slide '$shortestText'"
      )
    val micros = lengths.map(_._2)
    lengths.indices.find(i => micros.indexOf(micros(i)) < i).map(lengths).foreach { case (text, _) =>
      throw invalid(s"window '$text' is given twice; each length of window is answered once")
    }
    val step = slide.fold(shortest)(Durations.micros("slide", _))
    val start = startTime.fold(0L)(Durations.micros("start_time", _))
    if (step <= 0) throw invalid(s"slide must be positive, but it is '${slide.get}'")
    if (step > shortest)
      throw invalid(
        s"slide '${slide.get}' is longer than window '$shortestText', so some edges would be in no window; choose a slide " +
          "of at most the window"
      )
    if (start <= -step || start >= step)
      throw invalid(
        s"start_time '${startTime.get}' must be shorter than the slide '${slide.getOrElse(shortestText)}'; " +
          s"start_time '${Durations.show(Math.floorMod(start, step))}' makes the same windows"
      )
    val falling = lengths.map(_._2).sorted(Ordering[Long].reverse)
    val pane = falling.foldLeft(step)(Panes.gcd)
    val perWindow = falling.head / pane
    if (perWindow > Panes.MaxPerWindow)
      throw invalid(
        s"window '${windows.mkString("', '")}' and slide '${slide.getOrElse(shortestText)}' make panes of " +
          s"${Durations.show(pane)}, $perWindow in a window, more than ${Panes.MaxPerWindow}; choose lengths " +
          "with a larger common divisor"
      )
    Panes(falling.head, step, start, falling.tail)
  }

  /** The position of each of these lengths of windows among all of them, the longest first. */
  def order(windows: Seq[String]): Seq[Int] = {
    val lengths = windows.map(Durations.micros("window", _))
    val falling = lengths.sorted(Ordering[Long].reverse)
    lengths.map(falling.indexOf(_))
  }

  /** The panes of a whole static table, for which no window, slide or start time is given.
    *
    * @param time the column of times, if it is not the default
    */
  def noPanes(
      frame: DataFrame,
      slide: Option[String],
      startTime: Option[String],
      time: Option[String]
  ): Panes = {
    if (frame.isStreaming)
      throw invalid(
        "window is not given, which asks for the components of a whole table, but the edges are a streaming DataFrame, " +
          "which has no end; give a window, such as '1 hour'"
      )
    val shift = startTime.filter(Durations.micros("start_time", _) != 0)
    for ((name, value) <- Seq("slide" -> slide, "start_time" -> shift, "time" -> time); text <- value)
      throw invalid(s"$name '$text' is given without a window; give a window too, or no $name")
    Panes.Whole
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
    if (name == Indexes.Auto) { if (needed.isEmpty) auto else RecencyIndex.Name }
    else if (!Indexes.names.contains(name))
      throw invalid(
        s"unknown index '$name'; there is: ${(Indexes.Auto +: Indexes.names).mkString(", ")}" +
          Nearest.hint(name, Indexes.Auto +: Indexes.names)
      )
    else if (needed.nonEmpty && name != RecencyIndex.Name)
      throw invalid(
        s"${needed.mkString(" and ")} ${if (needed == suffixes.take(1)) "needs" else "need"} the index " +
          s"'${RecencyIndex.Name}', but index is '$name'; " +
          s"give index '${Indexes.Auto}' or '${RecencyIndex.Name}'"
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
    val srcField = columns.field(src, "src")
    val dstField = columns.field(dst, "dst")
    val timeField = time.map(columns.field(_, "time"))
    val byFields = by.map(columns.field(_, "by"))
    Seq(srcField, dstField).foreach(ColumnTypes.requireVertex)
    byFields.foreach(ColumnTypes.requireKey)
    val vertexType = ColumnTypes.common(srcField.dataType, dstField.dataType).getOrElse {
      throw invalid(
        s"columns ${show(srcField)} and ${show(dstField)} must both be integral or both be STRING; cast one of them"
      )
    }
    timeField.filterNot(field => Seq(TimestampType, TimestampNTZType).contains(field.dataType)).foreach {
      field =>
        throw invalid(
          s"column ${show(field)} must be TIMESTAMP or TIMESTAMP_NTZ; convert it, for instance with to_timestamp or " +
            "timestamp_seconds"
        )
    }
    val found = EdgeColumns(columns, srcField, dstField, vertexType, timeField, byFields)
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

  /** Columns of `by` must differ from the columns of the answers that come after them. */
  def requireApart(edges: EdgeColumns, answers: Seq[String]): Unit =
    edges.byFields.map(_.name).find(name => answers.exists(edges.columns.areSame(name, _))).foreach { name =>
      throw invalid(
        s"column '$name' of by has the name of a column of the answers (${answers.mkString(", ")}); rename it"
      )
    }
}
