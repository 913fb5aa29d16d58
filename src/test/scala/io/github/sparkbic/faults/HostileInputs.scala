package io.github.sparkbic.faults

import java.lang.management.{ManagementFactory, MemoryType}
import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.apache.spark.sql.functions.{col, expr, lit, when}
import org.apache.spark.sql.streaming.Trigger

import io.github.sparkbic._
import io.github.sparkbic.index.Indexes

/** Inputs that are out to hurt, each answered in the heap that this JVM was given; it says how long each took and how
  * much of the heap was ever in use.
  */
object HostileInputs {
  private lazy val spark = SparkSession.builder().master("local[2]")
    .config("spark.ui.enabled", false)
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.sql.shuffle.partitions", 2)
    .config("spark.driver.host", "localhost")
    .getOrCreate()

  /** The cases, by name, for an index and a folder to write to. */
  val cases: Seq[(String, (String, Path) => Unit)] = Seq(
    "times at the ends of the Long range" -> ((index, _) => timesAtTheEnds(index)),
    "a million empty windows between two edges" -> ((index, _) => emptyWindows(index)),
    "a million pairs" -> ((index, _) => millionPairs(index)),
    "one edge ten million times" -> ((index, _) => repeatedEdge(index)),
    "a star of a million vertices" -> ((index, _) => star(index)),
    "a path of a million vertices" -> ((index, _) => path(index)),
    "ids that collide in an unseeded hash" -> ((index, _) => collidingIds(index)),
    "100,000 graphs, one of them huge" -> ((index, _) => manyGraphs(index)),
    "100,000 graphs in a stream" -> manyStreamedGraphs
  )

  /** The second argument that has every case answered by every index; they take turns, else. */
  val All = "all"

  def main(args: Array[String]): Unit = {
    val names = Indexes.names
    try
      for {
        ((name, run), i) <- cases.zipWithIndex
        index <- if (args(1) == All) names else Seq(names(i % names.size))
      } {
        val start = System.nanoTime()
        run(index, Paths.get(args(0)))
        println(s"$index: $name: ${(System.nanoTime() - start) / 1000000} ms, heap up to $peakHeap MB")
      }
    finally spark.stop()
    println(StreamJob.Finished)
  }

  private def peakHeap: Long = ManagementFactory.getMemoryPoolMXBeans.asScala
    .filter(_.getType == MemoryType.HEAP).map(_.getPeakUsage.getUsed).sum >> 20

  private def require(found: Any, wanted: Any): Unit =
    if (found != wanted) throw new AssertionError(s"$found, but it should be $wanted")

  private def at(micros: String): DataFrame => DataFrame =
    _.selectExpr("src", "dst", s"timestamp_micros($micros) AS time")

  private def pair(source: Long, target: Long): DataFrame = {
    val session = spark
    import session.implicits._
    Seq((source, target)).toDF("source", "target")
  }

  /** How many windows there are, and how many of the answers are true. */
  private def counted(answers: DataFrame): (Long, Long) = {
    val row = answers.selectExpr("count(DISTINCT window.start)", "count_if(connected)").head()
    (row.getLong(0), row.getLong(1))
  }

  private def timesAtTheEnds(index: String): Unit = {
    val session = spark
    import session.implicits._
    val edges =
      Seq((1L, 2L, Long.MinValue), (2L, 3L, Long.MinValue + 1), (1L, 2L, Long.MaxValue), (7L, 8L, 0L))
        .toDF("src", "dst", "t").transform(at("t"))
    Seq("10 seconds", "2 microseconds").foreach { window =>
      val rows =
        edges.bicConnectivity(window, window, pair(1, 2), index = index).select("connected").collect()
      require(rows.toSeq.map(_.getBoolean(0)).sorted, Seq(false, true, true))
    }
  }

  private def emptyWindows(index: String): Unit = {
    val session = spark
    import session.implicits._
    val edges = Seq((1L, 2L, 0L), (1L, 2L, 1000000000000L)).toDF("src", "dst", "t").transform(at("t"))
    require(counted(edges.bicConnectivity("2 seconds", "1 second", pair(1, 2), index = index)), (4L, 4L))
    // A trillion of them, since the cost follows the data.
    require(
      counted(edges.bicConnectivity("1 microsecond", "1 microsecond", pair(1, 2), index = index)),
      (2L, 2L)
    )
  }

  private def millionPairs(index: String): Unit = {
    val edges = spark.range(1000).selectExpr("id AS src", "id + 1 AS dst", "id AS t").transform(at("t"))
    val pairs = spark.range(1000000).selectExpr("id AS source", "id % 1000 AS target")
    require(counted(edges.bicConnectivity("1 second", "1 second", pairs, index = index)), (1L, 1001L))
  }

  private def repeatedEdge(index: String): Unit = {
    val edges = spark.range(10000000).selectExpr("1L AS src", "2L AS dst", "id AS t").transform(at("t"))
    require(counted(edges.bicConnectivity("4 seconds", "2 seconds", pair(1, 2), index = index)), (6L, 6L))
  }

  private def star(index: String): Unit = {
    val edges = spark.range(1, 1000001).selectExpr("0L AS src", "id AS dst", "id AS t").transform(at("t"))
    require(
      counted(edges.bicConnectivity("2 seconds", "100 milliseconds", pair(1, 99999), index = index)),
      (30L, 20L)
    )
  }

  /** Its vertices come in an order that makes neighbours meet late, and paths of links long if they can be. */
  private def path(index: String): Unit = {
    val n = 1000003L
    val edges = spark.range(n).withColumn("src", expr(s"id * 314159L % $n"))
      .withColumn("dst", col("src") + 1).selectExpr("src", "dst", "id AS t").transform(at("t"))
    require(
      counted(edges.bicConnectivity("2 seconds", "500 milliseconds", pair(0, n), index = index)),
      (6L, 2L)
    )
  }

  /** A multiplicative hash without a seed, as ours would be, sends all of these to one slot. */
  private def collidingIds(index: String): Unit = {
    def inverse(odd: Long): Long = Iterator.iterate(odd)(x => x * (2 - odd * x)).drop(6).next()
    val second = inverse(0xd6e8feb86659fd93L)
    val first = inverse(0x9e3779b97f4a7c15L)
    val session = spark
    import session.implicits._
    val ids = (0L to 200000L).map { i =>
      val h = (0x123456789abL << 20 | i) * second
      (h ^ (h >>> 32)) * first
    }
    val edges = ids.zip(ids.drop(1)).zipWithIndex.map { case ((u, v), i) => (u, v, i.toLong) }
      .toDF("src", "dst", "t").transform(at("t"))
    require(
      counted(edges.bicConnectivity("1 second", "1 second", pair(ids.head, ids.last), index = index)),
      (1L, 1L)
    )
  }

  private def graphs: DataFrame = spark.range(1100000)
    .select(
      when(col("id") < 100000, col("id")).otherwise(lit(-1L)).as("graph"),
      expr("IF(id < 100000, 1L, id)").as("src"),
      expr("IF(id < 100000, 2L, id + 1)").as("dst"),
      expr("timestamp_micros(id)").as("time")
    )

  private def manyGraphs(index: String): Unit = {
    val answers =
      graphs.bicConnectivity("2 seconds", "2 seconds", pair(1, 2), by = Seq("graph"), index = index)
    require(answers.where("connected").count(), 100000L)
    val huge =
      graphs.bicComponentStats("2 seconds", "2 seconds", by = Seq("graph"), index = index).where("graph = -1")
    require(huge.select("vertices", "components").head(), Row(1000001L, 1L))
  }

  private def manyStreamedGraphs(index: String, folder: Path): Unit = {
    val files = folder.resolve(s"graphs-$index").toString
    val checkpoint = Files.createDirectories(folder.resolve(s"checkpoint-$index")).toString
    graphs.write.parquet(files)
    // The flush closes all windows.
    graphs.limit(1).withColumn("time", expr("timestamp_seconds(1000)")).write.mode("append").parquet(files)
    var connected = 0L
    val count = (batch: DataFrame, _: Long) => connected += batch.where("connected").count()
    val query = spark.readStream.schema(graphs.schema).parquet(files).withWatermark("time", "0 seconds")
      .bicConnectivity("2 seconds", "2 seconds", pair(1, 2), by = Seq("graph"), index = index)
      .writeStream.foreachBatch(count).option(
        "checkpointLocation",
        checkpoint
      ).trigger(Trigger.AvailableNow()).start()
    query.awaitTermination()
    require(connected, 100000L)
  }
}
