package io.github.sparkbic.arguments

import scala.util.control.NonFatal

import org.apache.spark.sql.{AnalysisException, DataFrame}
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.catalyst.util.IntervalUtils
import org.apache.spark.sql.types.{LongType, StringType, StructField, TimestampNTZType, TimestampType}

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.recency.RecencyIndex

/** Checks what the user gave before a query starts: the message holds the bad value and what to do about it. */
private[sparkbic] object Arguments {
  import ColumnTypes.show

  /** The error of all bad arguments, which PySpark shows as its `AnalysisException`.
    *
    * It keeps no position in a SQL statement: for an error with one, PySpark looks the condition up among Spark's own.
    */
  def invalid(message: String, cause: Option[Throwable] = None): AnalysisException =
    new AnalysisException(
      errorClass = "BIC_INVALID_ARGUMENT",
      sqlState = "22023",
      messageTemplate = "<message>",
      messageParameters = Map("message" -> message),
      cause = cause,
      message = Some(message)
    ) {
      override def withPosition(origin: Origin): AnalysisException = this
    }

  /** @param windows lengths of the windows, one or several */
  def panes(windows: Seq[String], slide: Option[String], startTime: Option[String]): Panes = {
    if (windows.isEmpty)
      throw invalid("window is an empty list; give at least one duration, such as '1 hour'")
    val lengths = windows.map(text => text -> micros("window", text))
    lengths.find(_._2 <= 0).foreach { case (text, _) =>
      throw invalid(s"window must be positive, but it is '$text'")
    }
    val (shortestText, shortest) = lengths.minBy(_._2)
    if (windows.size > 1 && slide.isEmpty)
      throw invalid(
        s"windows of several lengths (${windows.mkString(", ")}) share one slide; give it, such as slide '$shortestText'"
      )
    lengths.diff(lengths.distinctBy(_._2)).headOption.foreach { case (text, _) =>
      throw invalid(s"window '$text' is given twice; each length of window is answered once")
    }
    val step = slide.fold(shortest)(micros("slide", _))
    val start = startTime.fold(0L)(micros("start_time", _))
    if (step <= 0) throw invalid(s"slide must be positive, but it is '${slide.get}'")
    if (step > shortest)
      throw invalid(
        s"slide '${slide.get}' is longer than window '$shortestText', so some edges would be in no window; choose a slide " +
          "of at most the window"
      )
    if (start <= -step || start >= step)
      throw invalid(
        s"start_time '${startTime.get}' must be shorter than the slide '${slide.getOrElse(shortestText)}'"
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

  /** The index, which must be one that can answer these windows. */
  def index(name: String, panes: Panes): String = {
    if (!Indexes.names.contains(name))
      throw invalid(s"unknown index '$name'; there is: ${Indexes.names.mkString(", ")}")
    if (panes.shorter.nonEmpty && name != RecencyIndex.Name)
      throw invalid(
        s"windows of several lengths share one forest, which the index '${RecencyIndex.Name}' has, but index is '$name'; " +
          s"give index '${RecencyIndex.Name}', or one window"
      )
    name
  }

  /** @param answers names of the columns that answers will have after those of `by` */
  def edges(
      frame: DataFrame,
      src: String,
      dst: String,
      time: String,
      by: Seq[String],
      answers: Seq[String]
  ): EdgeColumns = {
    val columns = new NamedColumns("edges", frame)
    val srcField = columns.field(src, "src")
    val dstField = columns.field(dst, "dst")
    val timeField = columns.field(time, "time")
    val byFields = by.map(columns.field(_, "by"))
    Seq(srcField, dstField).foreach(ColumnTypes.requireVertex)
    byFields.foreach(ColumnTypes.requireKey)
    if (srcField.dataType != dstField.dataType)
      throw invalid(
        s"columns ${show(srcField)} and ${show(dstField)} must have the same type; cast one of them"
      )
    requireTime(timeField)
    requireApart(byFields, answers, columns)
    val strings = srcField.dataType.isInstanceOf[StringType]
    val idType = if (strings) StringType else LongType
    EdgeColumns(
      frame,
      columns.of(srcField).cast(idType),
      columns.of(dstField).cast(idType),
      columns.of(timeField),
      srcField.dataType,
      timeField,
      byFields.map(columns.of),
      byFields,
      strings
    )
  }

  private def requireTime(time: StructField): Unit =
    time.dataType match {
      case TimestampType | TimestampNTZType =>
      case _ =>
        throw invalid(
          s"column ${show(time)} must be TIMESTAMP or TIMESTAMP_NTZ; convert it, for instance with to_timestamp or " +
            "timestamp_seconds"
        )
    }

  /** Columns of `by` must differ from one another, and from those of the answers. */
  private def requireApart(by: Seq[StructField], answers: Seq[String], columns: NamedColumns): Unit = {
    val names = by.map(_.name)
    names.diff(names.distinct).headOption.foreach { name =>
      throw invalid(s"column '$name' is given twice in by")
    }
    names.find(name => answers.exists(columns.areSame(name, _))).foreach { name =>
      throw invalid(
        s"column '$name' of by has the name of a column of the answers (${answers.mkString(", ")}); rename it"
      )
    }
  }

  private def micros(name: String, text: String): Long = {
    val interval =
      try IntervalUtils.fromIntervalString(text)
      catch {
        case NonFatal(e) =>
          throw invalid(s"$name '$text' is not a duration; give one such as '1 hour' or '5 minutes'", Some(e))
      }
    if (interval.months != 0)
      throw invalid(
        s"$name '$text' has months or years, which differ in length; give it in weeks, days or smaller units, such as '30 days'"
      )
    try Math.addExact(Math.multiplyExact(interval.days.toLong, 86400000000L), interval.microseconds)
    catch {
      case e: ArithmeticException =>
        throw invalid(s"$name '$text' is longer than a timestamp can tell", Some(e))
    }
  }
}
