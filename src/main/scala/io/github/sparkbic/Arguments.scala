package io.github.sparkbic

import scala.util.control.NonFatal

import org.apache.spark.sql.{AnalysisException, DataFrame, Row}
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.catalyst.util.IntervalUtils
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.types.{
  ByteType,
  DataType,
  IntegerType,
  LongType,
  ShortType,
  StringType,
  StructField,
  TimestampNTZType,
  TimestampType
}

import io.github.sparkbic.index.{ConnectivityIndex, Panes}
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.EdgeColumns
import io.github.sparkbic.operator.question.{Pairs, PerGraph, Queries, QuerySet, SameForAll}

/** Checks what the user gave before a query starts: the message holds the bad value and what to do about it. */
private[sparkbic] object Arguments {

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

  def minSize(size: Long): Long = {
    if (size < 1) throw invalid(s"min_size must be at least 1, but it is $size")
    size
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
    try Panes(falling.head, step, start, falling.tail)
    catch {
      case e: IllegalArgumentException =>
        throw invalid(e.getMessage.stripPrefix("requirement failed: "), Some(e))
    }
  }

  /** The index, which must be one that can answer these windows. */
  def index(name: String, panes: Panes): String = {
    if (!ConnectivityIndex.names.contains(name))
      throw invalid(s"unknown index '$name'; there is: ${ConnectivityIndex.names.mkString(", ")}")
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
    val columns = new Columns("edges", frame)
    val srcField = columns.field(src, "src")
    val dstField = columns.field(dst, "dst")
    val timeField = columns.field(time, "time")
    val byFields = by.map(columns.field(_, "by"))
    Seq(srcField, dstField).foreach(vertex)
    if (srcField.dataType != dstField.dataType)
      throw invalid(
        s"columns ${show(srcField)} and ${show(dstField)} must have the same type; cast one of them"
      )
    timeField.dataType match {
      case TimestampType | TimestampNTZType =>
      case _ =>
        throw invalid(
          s"column ${show(timeField)} must be TIMESTAMP or TIMESTAMP_NTZ; convert it, for instance with to_timestamp or " +
            "timestamp_seconds"
        )
    }
    byFields.map(_.name).diff(byFields.map(_.name).distinct).headOption.foreach { name =>
      throw invalid(s"column '$name' is given twice in by")
    }
    byFields.map(_.name).find(answers.contains).foreach { name =>
      throw invalid(
        s"column '$name' of by has the name of a column of the answers (${answers.mkString(", ")}); rename it"
      )
    }
    if (frame.isStreaming) watermark(frame, timeField)
    val strings = srcField.dataType.isInstanceOf[StringType]
    val idType = if (strings) StringType else LongType
    EdgeColumns(
      frame,
      columns.of(srcField).cast(idType),
      columns.of(dstField).cast(idType),
      columns.of(timeField),
      srcField.dataType,
      timeField.dataType,
      byFields.map(columns.of),
      byFields,
      strings
    )
  }

  def queries(frame: DataFrame, edges: EdgeColumns): Queries = {
    if (frame.isStreaming)
      throw invalid("queries must be a static DataFrame, but it is a streaming one; collect the pairs first")
    val columns = new Columns("queries", frame)
    val source = columns.field("source", "source")
    val target = columns.field("target", "target")
    Seq(source, target).foreach { field =>
      vertex(field)
      if (field.dataType.isInstanceOf[StringType] != edges.strings)
        throw invalid(
          s"queries have ${show(field)}, but the vertices of the edges are ${if (edges.strings) "STRING"
            else "integral"}; " +
            "give both the same kind of ids"
        )
    }
    if (source.dataType != target.dataType)
      throw invalid(
        s"queries have ${show(source)} and ${show(target)}, which must have the same type; cast one of them"
      )

    val (present, missing) = edges.byFields.partition(field => columns.find(field.name).isDefined)
    if (present.nonEmpty && missing.nonEmpty)
      throw invalid(
        s"queries have the column ${present.map(f => s"'${f.name}'").mkString(", ")} of by, but not " +
          s"${missing.map(f => s"'${f.name}'").mkString(", ")}; give all of them, to ask each graph for its own pairs, or none"
      )
    val keys = present.map { field =>
      val own = columns.field(field.name, "by")
      (own.dataType, field.dataType) match {
        case (a, b) if a == b                     => columns.of(own)
        case (a, b) if Integral(a) && Integral(b) => columns.of(own).cast(b)
        case _ =>
          throw invalid(s"queries have ${show(own)}, but the edges have ${show(field)}; cast one of them")
      }
    }
    val rows = frame.select(columns.of(source) +: columns.of(target) +: keys: _*).collect()
    if (rows.isEmpty) throw invalid("queries are empty; give at least one pair (source, target)")
    rows.find(row => row.isNullAt(0) || row.isNullAt(1)).foreach { row =>
      throw invalid(
        s"queries hold the pair (${row.get(0)}, ${row.get(1)}); neither source nor target may be null"
      )
    }
    Queries(querySet(rows, keys.size), source.dataType)
  }

  private val Integral: Set[DataType] = Set(LongType, IntegerType, ShortType, ByteType)

  private def querySet(rows: Array[Row], keys: Int): QuerySet =
    if (keys == 0) new SameForAll(Pairs(rows.map(pair)))
    else new PerGraph(rows.groupBy(row => Row.fromSeq(row.toSeq.drop(2))).map { case (k, own) =>
      k -> Pairs(own.map(pair))
    })

  private def pair(row: Row): (Any, Any) = (row.get(0), row.get(1))

  private def vertex(field: StructField): Unit =
    if (!Integral(field.dataType) && !field.dataType.isInstanceOf[StringType])
      throw invalid(
        s"column ${show(field)} must be of an integral type (BIGINT, INT, SMALLINT, TINYINT) or STRING; cast it"
      )

  private def watermark(frame: DataFrame, time: StructField): Unit = {
    def isMarked(field: StructField) = field.metadata.contains(EventTimeWatermark.delayKey)
    if (!isMarked(time)) {
      val other = frame.schema.find(isMarked).fold("")(field => s" (the watermark is on '${field.name}')")
      throw invalid(
        s"a streaming query needs a watermark on the column '${time.name}', which tells when a window is complete$other; add " +
          s"""one with edges.withWatermark("${time.name}", "10 minutes")"""
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

  private def show(field: StructField): String = s"'${field.name}' (${sql(field.dataType)})"

  private def sql(dataType: DataType): String = dataType.sql

  /** The columns of a frame by name, as Spark's own case sensitivity has it. */
  private final class Columns(what: String, frame: DataFrame) {
    private val sameName = frame.sparkSession.sessionState.conf.resolver

    def find(name: String): Option[StructField] = {
      val found = frame.schema.fields.filter(field => sameName(field.name, name))
      if (found.length > 1)
        throw invalid(s"$what have ${found.length} columns called '$name'; rename all but one")
      found.headOption
    }

    def field(name: String, role: String): StructField = find(name).getOrElse {
      throw invalid(
        s"$what have no column '$name'${if (role == name) "" else s" (given as $role)"}; there are: " +
          frame.schema.fieldNames.mkString(", ")
      )
    }

    def of(field: StructField): org.apache.spark.sql.Column = col("`" + field.name.replace("`", "``") + "`")
  }
}
