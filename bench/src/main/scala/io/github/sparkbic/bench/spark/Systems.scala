package io.github.sparkbic.bench.spark

import org.apache.spark.sql.{DataFrame, Dataset, SparkSession}
import org.apache.spark.sql.functions.{
  col,
  count,
  lit,
  octet_length,
  sum,
  timestamp_millis,
  unix_micros,
  window
}
import org.apache.spark.sql.types.StringType

import io.github.sparkbic._
import io.github.sparkbic.bench.baseline.FlatUnionFind
import io.github.sparkbic.bench.stream.EdgeStream

/** The queries that are compared, each from the table or stream of edges to a result. */
final class Systems(options: Options, files: EdgeFiles) {
  private val windowLength = s"${options.windowMillis} milliseconds"
  private val slideLength = s"${options.slideMillis} milliseconds"
  private val graph = if (options.keyed) Seq("graph") else Nil

  /** Reads both endpoints and the time and folds them into one number, in code that Spark generates for the whole stage:
    * nothing is faster, and no use of the edges can do without. The condition is never true.
    */
  def scan(edges: DataFrame): DataFrame = {
    // Of a string the length, for which the string is read.
    def folded(end: String) =
      if (edges.schema(end).dataType == StringType) octet_length(col(end)).cast("bigint") else col(end)
    edges.where(
      folded("src").bitwiseXOR(folded("dst")).bitwiseXOR(unix_micros(col("time"))) === Long.MinValue
    )
  }

  /** The same fold over a typed `Dataset`, an object an edge: the scan of those who write their own loop. */
  def rows(edges: DataFrame): Dataset[Long] = {
    import edges.sparkSession.implicits._
    edges.select(col("src"), col("dst"), unix_micros(col("time"))).as[(Long, Long, Long)].mapPartitions {
      rows =>
        var folded = 0L
        rows.foreach { case (src, dst, time) => folded ^= src ^ dst ^ time }
        Iterator(folded)
    }
  }

  /** What Spark itself does for windows: edges in each. */
  def windowCount(edges: DataFrame): DataFrame =
    edges.groupBy(graph.map(col) :+ window(
      col("time"),
      windowLength,
      slideLength
    ): _*).agg(count(lit(1)).as("edges"))

  /** The sum of these counts. */
  def counted(counts: DataFrame): Long = counts.agg(sum("edges")).head().getLong(0)

  /** What that is when all windows are there: each edge counts in those that begin up to one window before it. */
  def wanted(edges: Int): Long =
    (0 until edges by EdgeStream.EdgesPerTimestamp).map { at =>
      val time = files.start + at / EdgeStream.EdgesPerTimestamp
      def begunBy(time: Long) = Math.floorDiv(time, options.slideMillis)
      (begunBy(time) - begunBy(time - options.windowMillis)) * math.min(
        EdgeStream.EdgesPerTimestamp,
        edges - at
      )
    }.sum

  def ours(edges: DataFrame, index: String): DataFrame = {
    val spark = edges.sparkSession
    val asked = spark.createDataFrame(files.pairs.toSeq).toDF("source", "target")
    edges.bicConnectivity(windowLength, slideLength, asked, by = graph, index = index)
  }

  /** Starts, in milliseconds, of the windows that rivals compute from scratch: full ones, spread over the stream. */
  def chosenWindows: Seq[Long] = {
    val full = (options.edges - options.windowEdges) / options.slideEdges
    val part = math.min(options.part, full + 1)
    val first = Math.floorDiv(files.start + options.slideMillis - 1, options.slideMillis)
    (0 until part).map(i =>
      (first + (if (part == 1) 0 else i * (full - 1).max(0) / (part - 1))) * options.slideMillis
    ).distinct
  }

  /** Union–find over the edges of each chosen window, in `mapGroups`: start of the window, and whether each pair is
    * connected there.
    */
  def unionFind(spark: SparkSession): Seq[(Long, Array[Boolean])] = {
    import spark.implicits._
    val asked = files.pairs
    chosenWindows.map(inWindow(spark, _)).reduce(_ union _)
      .as[(Long, Long, Long)].groupByKey(_._1).mapGroups { (start, edges) =>
        val components = new FlatUnionFind
        edges.foreach { case (_, src, dst) => components.insert(0, src, dst) }
        (start, asked.map { case (source, target) => components.connected(source, target) })
      }.collect().toSeq
  }

  /** Edges of one window, out of the files that hold some of it: `start` in milliseconds, `src`, `dst`. */
  private def inWindow(spark: SparkSession, start: Long): DataFrame = {
    val end = start + options.windowMillis
    files.between(spark, start, end)
      .where(col("time") >= timestamp_millis(lit(start)) && col("time") < timestamp_millis(lit(end)))
      .select(lit(start).as("start"), col("src"), col("dst"))
  }

  /** GraphFrames' connected components of each chosen window. Its jar is no part of the build, hence by reflection. */
  def graphFrames(spark: SparkSession): Seq[(Long, Array[Boolean])] = chosenWindows.map { start =>
    val edges = inWindow(spark, start).select("src", "dst")
    val frame = Class.forName("org.graphframes.GraphFrame").getMethod(
      "fromEdges",
      classOf[Dataset[_]]
    ).invoke(null, edges)
    val algorithm = frame.getClass.getMethod("connectedComponents").invoke(frame)
    val components = algorithm.getClass.getMethod("run").invoke(algorithm).asInstanceOf[DataFrame]
    val asked = files.pairs.flatMap { case (s, t) => Seq(s, t) }.distinct.toSeq
    val found = components.where(col("id").isin(asked: _*)).select("id", "component").collect()
      .map(r => r.getLong(0) -> r.getLong(1)).toMap
    start -> files.pairs.map { case (s, t) => found.contains(s) && found.get(s) == found.get(t) }
  }
}
