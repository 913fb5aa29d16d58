package io.github.sparkbic.operator.paths

import org.apache.spark.sql.{Column, DataFrame, Dataset, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.functions.{array_max, array_min, coalesce, col, collect_list, lit, struct, sum}
import org.apache.spark.sql.types._

import io.github.sparkbic.arguments.{ColumnTypes, EdgeColumns, NamedColumns}
import io.github.sparkbic.operator.Parallelism
import io.github.sparkbic.operator.keys.KeyRows

/** The answers that ask for paths, checked.
  *
  * @param window a struct with `start` and `end`, in the type of the edges' times
  * @param source and `target`: in the kind of the edges' ids
  * @param by     the key columns, in the order of the edges' `by`
  */
private[sparkbic] final case class AskedPaths(
    columns: NamedColumns,
    window: StructField,
    source: StructField,
    target: StructField,
    by: Seq[StructField]
)

/** The data flow of `bicPaths`: see the package.
  *
  * Only edges between the first start and the last end of the windows are read. Both bounds are subqueries, which Spark
  * hands to sources that can skip data by them.
  *
  * Columns are called `key0`, `key1`, … inside, so that they cannot clash with the user's names.
  */
private[sparkbic] final class PathsPlan(edges: EdgeColumns, asked: AskedPaths) {
  private val spark = edges.frame.sparkSession
  private val idType = if (edges.strings) StringType else LongType
  private val timeType = edges.timeField.dataType
  private val keys = edges.byFields.indices.map(i => s"key$i")
  private val windowKeys = keys ++ Seq("start", "end")

  /** @param observe attaches the counters, given as aggregates, to the edges of the windows */
  def answers(observe: (Dataset[Row], Seq[Column]) => Dataset[Row]): DataFrame = {
    val ofAnswers = Seq("answer", "source", "target")
    val requests = this.requests
    val blocks = this.blocks(requests, observe)
    val types = SparkInternals.analyzed(requests).schema
    def absent(name: String) = lit(null).cast(types(name).dataType).as(name)
    val rows = blocks
      .select(
        windowKeys.map(col) ++ Seq(
          lit(false).as("isAnswer"),
          col("edges"),
          col("names")
        ) ++ ofAnswers.map(absent): _*
      )
      .union(requests.select(
        windowKeys.map(col) ++
          Seq(
            lit(true),
            lit(null).cast(BinaryType),
            lit(null).cast(ArrayType(StringType))
          ) ++ ofAnswers.map(col): _*
      ))
      // Adaptive execution would merge the windows into few tasks, but it keeps a given number of partitions.
      .repartition(Parallelism.tasks(spark), windowKeys.map(col): _*)
      .sortWithinPartitions((windowKeys :+ "isAnswer").map(col): _*)
    withPaths(rows)
  }

  private def withPaths(rows: DataFrame): DataFrame = {
    val edge = StructType(
      Seq("src", "dst").map(StructField(_, idType, nullable = false)) :+
        StructField("time", timeType, nullable = false)
    )
    val schema = asked.columns.frame.schema.fields :+
      StructField("path", ArrayType(edge, containsNull = false), nullable = true)
    val columns = SparkInternals.analyzed(rows).output
    val found = rows.select(SparkInternals.column(
      FindPaths(columns, windowKeys.size, edges.strings, StructType(schema))
    ))
    val output = SparkInternals.analyzed(found).output.map(SparkInternals.column)
    val ownEdge = StructType(edge.map { field =>
      if (field.name == "time") field else field.copy(dataType = edges.vertexType)
    })
    found.select(output.init :+ output.last.cast(ArrayType(ownEdge, containsNull = false)).as("path"): _*)
  }

  /** The answers, each with its window and its pair. */
  private def requests: DataFrame = {
    val columns = asked.columns
    val whole = columns.frame
    val bounds = Seq("start", "end").map(name => micros(columns.of(asked.window).getField(name)).as(name))
    val pair = Seq("source" -> asked.source, "target" -> asked.target).map { case (name, field) =>
      columns.of(field).cast(idType).as(name)
    }
    val answer = struct(SparkInternals.analyzed(whole).output.map(SparkInternals.column): _*).as("answer")
    normalized(whole.select(keyColumns(columns, asked.by) ++ bounds ++ (answer +: pair): _*))
  }

  private def blocks(requests: DataFrame, observe: (Dataset[Row], Seq[Column]) => Dataset[Row]): DataFrame = {
    val time = edges.columns.of(edges.timeField)
    val ends = Seq("src" -> edges.srcField, "dst" -> edges.dstField).map { case (name, field) =>
      edges.columns.of(field).cast(idType).as(name)
    }
    val windows = this.windows(requests)
    val input = normalized(
      edges.frame.where(time >= bound(windows, "start", array_min) && time < bound(windows, "end", array_max))
        .select(keyColumns(edges.columns, edges.byFields) ++ ends :+ micros(time).as("time"): _*)
    )
    val columns = SparkInternals.analyzed(input).output
    val schema = columns.take(keys.size).map(key => StructField(key.name, key.dataType)) ++
      Seq("start", "end").map(StructField(_, LongType)) ++ EdgeBlock.fields
    val blocks = input.select(SparkInternals.column(
      PackEdges(columns :+ SparkInternals.expression(windows), StructType(schema))
    ))
    def total(name: String) = coalesce(sum(name), lit(0L))
    observe(blocks, Seq(total("rows").as("edges"), total("nullRows").as("null_rows")))
  }

  /** All distinct windows, as an array. Spark reads the answers once for all uses of this array. */
  private def windows(requests: DataFrame): Column = {
    val distinct = requests.select(windowKeys.map(col): _*).distinct()
    subquery(distinct.select(collect_list(struct(windowKeys.map(col): _*))))
  }

  /** The first start or the last end of the windows, as a subquery by itself: a source can skip data by this form alone. */
  private def bound(windows: Column, name: String, of: Column => Column): Column = {
    // Of subqueries over the same row, Spark's optimizer would make one, whose result is a struct.
    val row = if (name == "start") spark.range(0, 1, 1, 1) else spark.range(1, 2, 1, 1)
    subquery(row.select(timestamp(of(windows.getField(name)))))
  }

  private def keyColumns(columns: NamedColumns, by: Seq[StructField]): Seq[Column] =
    by.zip(edges.byFields).zip(keys).map { case ((field, edgeField), key) =>
      // Integral keys may be of other widths in the answers.
      val isNumber = ColumnTypes.isIntegral(edgeField.dataType)
      val keyType = if (isNumber) LongType else KeyRows.exactType(edgeField.dataType)
      columns.of(field).cast(keyType).as(key)
    }

  /** The same with one zero and one NaN in keys, as in Spark's own groups. */
  private def normalized(frame: DataFrame): DataFrame = {
    val output = SparkInternals.analyzed(frame).output
    frame.select(output.map { column =>
      if (keys.contains(column.name)) SparkInternals.column(SparkInternals.normalized(column)).as(column.name)
      else SparkInternals.column(column)
    }: _*)
  }

  private def micros(time: Column): Column =
    SparkInternals.column(PreciseTimestampConversion(SparkInternals.expression(time), timeType, LongType))

  private def timestamp(micros: Column): Column =
    SparkInternals.column(PreciseTimestampConversion(SparkInternals.expression(micros), LongType, timeType))

  private def subquery(frame: DataFrame): Column =
    SparkInternals.column(ScalarSubquery(SparkInternals.analyzed(frame)))
}
