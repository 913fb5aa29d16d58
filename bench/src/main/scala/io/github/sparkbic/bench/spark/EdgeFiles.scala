package io.github.sparkbic.bench.spark

import java.nio.file.{Files, Path, Paths, StandardCopyOption}
import java.util.SplittableRandom

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, SparkSession}

import io.github.sparkbic.bench.Folders
import io.github.sparkbic.bench.stream.EdgeStream

/** The stream of a setting as parquet files, in the order of their names and dates; made once. A micro-batch has a file for
  * each input partition, to which its edges are dealt in turn.
  *
  * Columns: `src` and `dst` BIGINT, or STRING for some [[VertexKind]], `time` TIMESTAMP, a hundred edges a millisecond in rising order, and `graph` BIGINT
  * where there are many. Row groups are small enough for every core to get its share of a file. The pairs to ask lie
  * beside it, one `source target` a line, and so do the marked vertices, of which every other one never occurs.
  */
final class EdgeFiles(options: Options) {
  import EdgeFiles._

  val folder: Path =
    Paths.get(
      "bench/target/edges",
      s"${options.streamName}-${options.edges}-${options.batch}-${options.seed}-in-$RowsPerGroup" +
        (if (options.partitions == 1) "" else s"-by-${options.partitions}")
    ).toAbsolutePath

  private val pairsFile = folder.resolve(s"pairs-${options.pairs}.txt")

  private val marksFile = folder.resolve(s"marks-${options.marks}.txt")

  def exist: Boolean = Files.exists(pairsFile) && Files.exists(marksFile)

  val columns: String =
    Seq("src", "dst").map(_ + " " + VertexKind.sqlType(options.ids)).mkString(
      "",
      ", ",
      ", time TIMESTAMP"
    ) + (if (options.keyed) ", graph BIGINT" else "")

  /** As a static table: the files that hold the first `edges`, which is a whole number of files. */
  def table(spark: SparkSession, edges: Int): DataFrame =
    spark.read.schema(columns).parquet(paths(edges): _*)

  /** The edges that are events too, as a static table of their own, which the first pass makes. */
  def events(edges: DataFrame): DataFrame = {
    val made = folder.resolve("events")
    if (!Files.exists(made.resolve("_SUCCESS")))
      edges.where(AreEvents).write.mode("overwrite").parquet(made.toString)
    edges.sparkSession.read.schema(columns).parquet(made.toString)
  }

  /** The files that hold the edges between two times in milliseconds, as a static table. */
  def between(spark: SparkSession, from: Long, until: Long): DataFrame =
    spark.read.schema(columns).parquet(pathsBetween(from, until): _*)

  private[spark] def pathsBetween(from: Long, until: Long): Seq[String] = {
    def edgesBefore(millis: Long) = (millis - start) * EdgeStream.EdgesPerTimestamp
    val first = edgesBefore(from) / options.batch
    val last = (edgesBefore(until) - 1) / options.batch
    paths(options.edges).slice(first.toInt, last.toInt + 1)
  }

  /** As a stream. */
  def stream(spark: SparkSession, edges: Int): DataFrame =
    spark.readStream.schema(columns).option("maxFilesPerTrigger", options.partitions)
      .parquet(paths(edges).map(name => Paths.get(name).getFileName).mkString(s"$folder/{", ",", "}"))

  /** The first whole files with at least so many edges, and how many those hold. */
  def upTo(edges: Int): Int =
    math.min(options.edges, (edges + options.batch - 1) / options.batch * options.batch)

  def pairs: Array[(Long, Long)] = twoNumbers(pairsFile)

  /** Each marked vertex, and the graph where it is marked. */
  def marks: Array[(Long, Long)] = twoNumbers(marksFile)

  private def twoNumbers(file: Path): Array[(Long, Long)] =
    Files.readAllLines(file).asScala.map { line =>
      val Array(first, second) = (line.split(' '): @unchecked)
      (first.toLong, second.toLong)
    }.toArray

  private def paths(edges: Int): Seq[String] =
    (0 until (edges + options.batch - 1) / options.batch * options.partitions)
      .map(i => folder.resolve(fileName(i)).toString)

  /** The time of the first edge, in milliseconds. */
  def start: Long = StartMillis

  def write(spark: SparkSession): Unit = {
    import spark.implicits._
    Files.createDirectories(folder)
    val stream = edgeStream()
    EdgeFiles.making = stream
    val seed = options.seed
    val graphs = options.graphs
    val keyed = options.keyed
    val parts = for {
      from <- 0 until options.edges by options.batch
      partition <- 0 until options.partitions
    } yield (from + partition, math.min(options.edges, from + options.batch))
    parts.zipWithIndex.foreach { case ((from, until), number) =>
      val rows = spark.range(from.toLong, until.toLong, options.partitions.toLong, 1).as[Long].map { n =>
        val i = n.toInt
        val graph = if (keyed) new SplittableRandom(seed + n).nextInt(graphs) else 0
        val micros = (StartMillis + n / EdgeStream.EdgesPerTimestamp) * 1000
        (EdgeFiles.making.sources(i), EdgeFiles.making.targets(i), micros, graph.toLong)
      }.toDF(
        "src",
        "dst",
        "micros",
        "graph"
      ).selectExpr(
        VertexKind.id(options.ids, "src"),
        VertexKind.id(options.ids, "dst"),
        "timestamp_micros(micros) AS time",
        "graph"
      )
      val part = folder.resolve("part")
      val columns = if (keyed) rows else rows.drop("graph")
      columns.write.option(
        "parquet.block.row.count.limit",
        RowsPerGroup
      ).mode("overwrite").parquet(part.toString)
      val written = Files.list(part).iterator.asScala.filter(_.toString.endsWith(".parquet")).toSeq
      require(written.size == 1, s"${written.size} files in $part instead of one")
      val file = folder.resolve(fileName(number))
      Files.move(written.head, file, StandardCopyOption.REPLACE_EXISTING)
      file.toFile.setLastModified(StartMillis + number * 1000L)
      Folders.delete(part)
    }
    EdgeFiles.making = null
    val asked = if (keyed) Array((0L, 1L)) else stream.queries(options.pairs, seed + 1)
    // No vertex of a file is negative.
    val known = stream.queries(options.marks / 2, seed + 2).map(_._1).distinct
    val marked = (known ++ known.map(~_)).zipWithIndex.map { case (vertex, i) =>
      (vertex, if (keyed) new SplittableRandom(seed + i).nextInt(graphs).toLong else 0L)
    }
    Seq(pairsFile -> asked, marksFile -> marked).foreach { case (file, numbers) =>
      Files.write(file, numbers.map { case (first, second) => s"$first $second" }.toSeq.asJava)
    }
  }

  /** The edges of the setting, made anew. */
  def edgeStream(): EdgeStream = options.stream match {
    case "rmat"    => EdgeStream.rmat(options.scale, options.edges, options.seed)
    case "uniform" => EdgeStream.uniform(options.vertices, options.edges, options.seed)
    case "graphs"  => EdgeStream.uniform(VerticesPerGraph, options.edges, options.seed)
  }
}

object EdgeFiles {

  /** One edge in twelve. */
  val AreEvents = "xxhash64(src, dst, time) % 12 = 0"

  /** 2024-01-01 00:00:00 UTC. */
  val StartMillis: Long = 1704067200000L

  private val VerticesPerGraph = 100L
  private val RowsPerGroup = 125000

  // The stream that is being written: the master is local, so tasks find it here.
  @volatile private var making: EdgeStream = null

  private def fileName(number: Int): String = f"edges-$number%05d.parquet"
}
