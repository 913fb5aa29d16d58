package io.github.sparkbic.faults

import java.lang.management.{ManagementFactory, MemoryType}
import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.streaming.Trigger

import io.github.sparkbic._
import io.github.sparkbic.index.Indexes

/** Inputs that are out to hurt, each answered in the heap that this JVM was given; it says how long each took and how
  * much of the heap was ever in use.
  */
object HostileInputs {
  private lazy val spark = ChildDriver.session("local[2]", "spark.sql.shuffle.partitions" -> 2)

  /** Edges, and how often a pair is asked for and connected: the number of windows, and of answers that are true. */
  private def table(window: String, slide: String, wanted: (Long, Long), pairs: => DataFrame = pair(1, 2))(
      edges: => DataFrame
  ): (String, Path) => Unit = (index, _) => {
    val timed = edges.selectExpr("src", "dst", "timestamp_micros(t) AS time")
    val row = timed.bicConnectivity(window, slide, pairs, index = index)
      .selectExpr("count(DISTINCT window.start)", "count_if(connected)").head()
    require((row.getLong(0), row.getLong(1)), wanted)
  }

  private def rows(edges: (Long, Long, Long)*): DataFrame =
    spark.createDataFrame(edges).toDF("src", "dst", "t")

  private def pair(source: Long, target: Long): DataFrame =
    spark.createDataFrame(Seq((source, target))).toDF("source", "target")

  private def atTheEnds =
    rows((1L, 2L, Long.MinValue), (2L, 3L, Long.MinValue + 1), (1L, 2L, Long.MaxValue), (7L, 8L, 0L))

  private def farApart = rows((1L, 2L, 0L), (1L, 2L, 1000000000000L))

  private val PathLength = 1000003L

  /** A multiplicative hash without a seed, as ours would be, sends all of these to one slot. */
  private lazy val colliding: Seq[Long] = {
    def inverse(odd: Long): Long = Iterator.iterate(odd)(x => x * (2 - odd * x)).drop(6).next()
    val (first, second) = (inverse(0x9e3779b97f4a7c15L), inverse(0xd6e8feb86659fd93L))
    (0L to 200000L).map { i =>
      val h = (0x123456789abL << 20 | i) * second
      (h ^ (h >>> 32)) * first
    }
  }

  /** The cases, by name, for an index and a folder to write to. */
  val cases: Seq[(String, (String, Path) => Unit)] = Seq(
    "times at the ends of the Long range" -> table("10 seconds", "10 seconds", (3, 2))(atTheEnds),
    "times at the ends, in short windows" -> table("2 microseconds", "2 microseconds", (3, 2))(atTheEnds),
    "a million empty windows between two edges" -> table("2 seconds", "1 second", (4, 4))(farApart),
    // The cost follows the data.
    "a trillion empty windows" -> table("1 microsecond", "1 microsecond", (2, 2))(farApart),
    "a million pairs" -> table(
      "1 second",
      "1 second",
      (1, 1001),
      spark.range(1000000).selectExpr("id AS source", "id % 1000 AS target")
    )(spark.range(1000).selectExpr("id AS src", "id + 1 AS dst", "id AS t")),
    "one edge ten million times" -> table("4 seconds", "2 seconds", (6, 6))(
      spark.range(10000000).selectExpr("1L AS src", "2L AS dst", "id AS t")
    ),
    "a star of a million vertices" -> table("2 seconds", "100 milliseconds", (30, 20), pair(1, 99999))(
      spark.range(1, 1000001).selectExpr("0L AS src", "id AS dst", "id AS t")
    ),
    // Its vertices come in an order that makes neighbours meet late, and paths of links long if they can be.
    "a path of a million vertices" -> table("2 seconds", "500 milliseconds", (6, 2), pair(0, PathLength))(
      spark.range(PathLength).selectExpr(s"id * 314159L % $PathLength AS src", "id AS t")
        .selectExpr("src", "src + 1 AS dst", "t")
    ),
    // A ring of a million edges, again and again: the edge that is asked for is in all windows but the last six.
    "windows of three million edges" -> table("3 seconds", "150 milliseconds", (99, 93), pair(0, 314159L))(
      spark.range(12000000).selectExpr(
        s"id * 314159L % $PathLength AS src",
        s"(id + 1) * 314159L % $PathLength AS dst",
        "id AS t"
      )
    ),
    "ids that collide in an unseeded hash" ->
      table("1 second", "1 second", (1, 1), pair(colliding.head, colliding.last))(
        rows(colliding.zip(colliding.drop(1)).zipWithIndex.map { case ((u, v), i) => (u, v, i.toLong) }: _*)
      ),
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

  private def graphs: DataFrame = spark.range(1100000).selectExpr(
    "IF(id < 100000, id, -1L) AS graph",
    "IF(id < 100000, 1L, id) AS src",
    "IF(id < 100000, 2L, id + 1) AS dst",
    "timestamp_micros(id) AS time"
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
      .writeStream.foreachBatch(count).option("checkpointLocation", checkpoint)
    query.trigger(Trigger.AvailableNow()).start().awaitTermination()
    require(connected, 100000L)
  }
}
