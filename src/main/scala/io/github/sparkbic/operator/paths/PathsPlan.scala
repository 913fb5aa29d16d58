package io.github.sparkbic.operator.paths

import org.apache.spark.sql.{Column, DataFrame, Dataset, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.functions.{array_max, array_min, coalesce, col, collect_list, lit, struct, sum}
import org.apache.spark.sql.types._

import io.github.sparkbic.arguments.{ColumnTypes, EdgeColumns, NamedColumns}
import io.github.sparkbic.operator.Parallelism
import io.github.sparkbic.operator.keys.KeyRows

/** The data flow of `bicPaths`: see the package. Columns are called `key0`, `key1`, … inside, so that they cannot clash
  * with the user's names.
  *
  * Only edges between the first start and the last end of the windows are read. Both bounds are subqueries, which Spark
  * hands to sources that can skip data by them.
  *
  * @param window  a struct with `start` and `end`, in the type of the edges' times
  * @param ends    the columns with the first and the last vertex of a path, in the kind of the edges' ids
  * @param by      the key columns of the answers, in the order of the edges' `by`
  * @param keep    the columns of the edges that their structs in a path hold, too
  */
private[sparkbic] final class PathsPlan(
    edges: EdgeColumns,
    answers: NamedColumns,
    window: StructField,
    ends: Seq[StructField],
    by: Seq[StructField],
    keep: Seq[StructField]
) {
  private val spark = edges.frame.sparkSession
  private val timeType = edges.timeField.dataType
  private val keptType =
    StructType(keep.map(field => StructField(field.name, field.dataType, field.nullable)))
  private val keys = edges.byFields.indices.map(i => s"key$i")
  private val windowKeys = keys ++ Seq("start", "end")

  /** @param observe attaches the counters, given as aggregates, to the edges of the windows */
  def withPaths(observe: (Dataset[Row], Seq[Column]) => Dataset[Row]): DataFrame = {
    val requests = this.requests
    val rows = blocks(requests, observe).drop("rows", "nullRows")
      .unionByName(requests, allowMissingColumns = true)
      // Adaptive execution would merge the windows into few tasks, but it keeps a given number of partitions.
      .repartition(Parallelism.tasks(spark), windowKeys.map(col): _*)
      .sortWithinPartitions(windowKeys.map(col) :+ col("ends").isNull: _*)
    val found = rows.select(SparkInternals.column(FindPaths(
      SparkInternals.output(rows),
      windowKeys.size,
      edges.strings,
      keptType,
      StructType(answers.frame.schema :+ StructField("path", pathType(edges.idType)))
    )))
    val output = SparkInternals.output(found).map(SparkInternals.column)
    found.select(output.init :+ output.last.cast(pathType(edges.vertexType)).as("path"): _*)
  }

  private def pathType(vertexType: DataType): DataType = {
    val edge = Seq("src" -> vertexType, "dst" -> vertexType, "time" -> timeType)
      .map { case (name, dataType) => StructField(name, dataType, nullable = false) }
    ArrayType(StructType(edge ++ keptType), containsNull = false)
  }

  /** The answers, each with its window and its pair. */
  private def requests: DataFrame = {
    val bounds = Seq("start", "end").map(name => micros(answers.of(window).getField(name)).as(name))
    val answer =
      struct(SparkInternals.output(answers.frame).map(SparkInternals.column): _*).as("answer")
    val pair = ends.zip(Seq("source", "target"))
      .map { case (end, name) => answers.of(end).cast(edges.idType).as(name) }
    keyed(answers, by)(answers.frame, bounds ++ (answer +: pair))
  }

  private def blocks(requests: DataFrame, observe: (Dataset[Row], Seq[Column]) => Dataset[Row]): DataFrame = {
    val columns = edges.columns
    val time = columns.of(edges.timeField)
    val windows = this.windows(requests)
    val inside = time >= bound(windows, "start", array_min) && time < bound(windows, "end", array_max)
    val kept = keep.zipWithIndex.map { case (field, i) => columns.of(field).as(s"kept$i") }
    val others = (edges.ids :+ micros(time).as("time")) ++ kept
    val input = keyed(columns, edges.byFields)(edges.frame.where(inside), others)
    val output = SparkInternals.output(input)
    val schema = output.take(keys.size).map(key => StructField(key.name, key.dataType)) ++
      Seq("start", "end").map(StructField(_, LongType)) ++ WindowEdges.block(edges.idType, keptType)
    val blocks = input.select(SparkInternals.column(
      PackEdges(output :+ SparkInternals.expression(windows), keys.size, keptType, StructType(schema))
    ))
    def total(name: String) = coalesce(sum(name), lit(0L))
    observe(blocks, Seq(total("rows").as("edges"), total("nullRows").as("null_rows")))
  }

  /** All distinct windows with room for an edge, as an array. Spark reads the answers once for all uses of this array. */
  private def windows(requests: DataFrame): Column = {
    val distinct = requests.where("start < end").select(windowKeys.map(col): _*).distinct()
    subquery(distinct.select(collect_list(struct(windowKeys.map(col): _*))))
  }

  /** The first start or the last end of the windows, as a subquery by itself: a source can skip data by this form alone. */
  private def bound(windows: Column, name: String, of: Column => Column): Column = {
    // Of subqueries over the same row, Spark's optimizer would make one, whose result is a struct.
    val row = if (name == "start") spark.range(0, 1, 1, 1) else spark.range(1, 2, 1, 1)
    subquery(row.select(SparkInternals.retimed(of(windows.getField(name)), LongType, timeType)))
  }

  /** The key of the graph, with one zero and one NaN as in Spark's own groups, and other columns. */
  private def keyed(columns: NamedColumns, by: Seq[StructField])(frame: DataFrame, others: Seq[Column]) = {
    val key = by.zip(edges.byFields).zip(keys).map { case ((field, ofEdges), name) =>
      // Integral keys may be of other widths in the answers.
      val isNumber = ColumnTypes.isIntegral(ofEdges.dataType)
      columns.of(field).cast(if (isNumber) LongType else KeyRows.exactType(ofEdges.dataType)).as(name)
    }
    val selected = frame.select(key ++ others: _*)
    val (found, rest) = SparkInternals.output(selected).splitAt(keys.size)
    val normalized = found.map(key => SparkInternals.column(SparkInternals.normalized(key)).as(key.name))
    selected.select(normalized ++ rest.map(SparkInternals.column): _*)
  }

  private def micros(time: Column): Column = SparkInternals.retimed(time, timeType, LongType)

  private def subquery(frame: DataFrame): Column =
    SparkInternals.column(ScalarSubquery(SparkInternals.analyzed(frame)))
}
