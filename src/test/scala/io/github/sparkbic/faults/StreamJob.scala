package io.github.sparkbic.faults

import java.nio.file.{Files, Path, Paths, StandardCopyOption}

import scala.jdk.CollectionConverters._

import org.apache.commons.lang3.SerializationUtils
import org.apache.spark.sql.{Column, DataFrame, SparkSession}
import org.apache.spark.sql.functions.{col, expr}
import org.apache.spark.sql.streaming.Trigger

import io.github.sparkbic.operator.AsOfOracle
import io.github.sparkbic.operator.question.{Asked, AskedAsOf, AskedConnected}

/** One streaming query of a [[StreamJob]].
  *
  * @param name     of its folder, with sink and checkpoint
  * @param format   of the sink: `parquet` or `delta`
  * @param asked   the question. Where it is about marked vertices, those of the job are marked. Where it is about events,
  *                each edge is an event, too.
  * @param refresh whether the marked vertices are a table that grows while the query runs
  */
final case class JobQuery(
    name: String,
    format: String,
    index: String,
    settings: Map[String, String],
    asked: Asked,
    refresh: Boolean = false
) {
  def asksOfMarks: Boolean = asked.isInstanceOf[AskedConnected]
  def asksOfEvents: Boolean = asked.isInstanceOf[AskedAsOf]
}

/** What a child driver is to do; passed to it as a serialized file.
  *
  * @param marked are the marked vertices
  * @param later  are marked too, one after the other, while the job runs; where a query has a table of them
  * @param vertex BIGINT, STRING for these numbers as text, or UUID for UUIDs made of them, some of which are in upper case
  */
final case class JobSettings(
    folderName: String,
    window: String,
    slide: String,
    startTime: String,
    delay: String,
    vertex: String,
    asked: Seq[(Long, Long)],
    marked: Seq[Long],
    filesPerTrigger: Int,
    master: String = "",
    later: Seq[Long] = Nil,
    queries: Seq[JobQuery] = Nil,
    faults: TaskFaults = TaskFaults.None,
    shufflePartitions: Int = 2,
    spark: Map[String, String] = Map.empty
) {
  def folder: Path = Paths.get(folderName)
}

/** A driver that lives in a process of its own: runs queries over the files of a folder to their end, then writes down
  * what the sinks hold. Whoever started it may kill it at any moment and start it again.
  */
object StreamJob {

  /** What it prints once its queries run, and once its rows are written down. */
  val Running = "RUNNING"
  val Finished = "FINISHED"

  def main(args: Array[String]): Unit = {
    val job = read(Paths.get(args(0)))
    val delta: Seq[(String, Any)] =
      if (job.queries.forall(_.format != "delta")) Nil
      else
        Seq(
          "spark.sql.extensions" -> "io.delta.sql.DeltaSparkSessionExtension",
          "spark.sql.catalog.spark_catalog" -> "org.apache.spark.sql.delta.catalog.DeltaCatalog",
          "spark.databricks.delta.snapshotPartitions" -> 1
        )
    val settings = Seq[(String, Any)](
      "spark.sql.shuffle.partitions" -> job.shufflePartitions,
      "spark.default.parallelism" -> 2,
      // Small graphs stay alive: whether a fault may leave one behind that is not the truth is the question here.
      "spark.bic.cache.minBytes" -> 0,
      "spark.sql.warehouse.dir" -> job.folder.resolve("warehouse"),
      // Else each query has a class loader of its own, and compiles anew the generated code that the others have, which is
      // much for a driver that lives for seconds.
      "spark.sql.artifact.isolation.enabled" -> false,
      // A driver that is killed while it logs the first micro-batch of a query leaves a file behind, and Spark would not
      // start over beside that.
      "spark.sql.streaming.verifyCheckpointDirectoryEmptyOnStart" -> false
    ) ++ delta ++ job.spark
    val spark = ChildDriver.session(job.master, settings: _*)
    job.marked.foreach(mark(job, _))
    val marking = new Thread(() => job.later.foreach { vertex => mark(job, vertex); Thread.sleep(500) })
    marking.setDaemon(true)
    marking.start()
    try {
      val running = job.queries.map { query =>
        query.settings.foreach { case (key, value) => spark.conf.set(key, value) }
        answers(spark, job, query).writeStream.format(query.format)
          .option("checkpointLocation", job.folder.resolve(s"${query.name}/checkpoint").toString)
          .trigger(Trigger.AvailableNow())
          .start(sink(job, query))
      }
      println(Running)
      running.foreach(_.awaitTermination())
      job.queries.foreach { query =>
        val rows = spark.read.format(query.format).load(sink(job, query))
        Files.write(rowsFile(job.folder, query.name), lines(rows, query).sorted.asJava)
      }
    } finally spark.stop()
    println(Finished)
  }

  /** Where the rows of a query's sink stand, a line each, once the job has finished. */
  def rowsFile(folder: Path, query: String): Path = folder.resolve(s"$query.rows")

  private def sink(job: JobSettings, query: JobQuery): String =
    job.folder.resolve(s"${query.name}/sink").toString

  /** Adds a vertex to the table of marked vertices, as a whole file or not at all. */
  private def mark(job: JobSettings, vertex: Long): Unit = {
    val table = Files.createDirectories(job.folder.resolve("marked"))
    val part = Files.writeString(table.resolve(s".$vertex"), s"$vertex\n")
    Files.move(part, table.resolve(s"$vertex.csv"), StandardCopyOption.ATOMIC_MOVE): Unit
  }

  def answers(spark: SparkSession, job: JobSettings, query: JobQuery): DataFrame = {
    val edges = spark.readStream.schema("graph INT, src BIGINT, dst BIGINT, at BIGINT")
      .option("maxFilesPerTrigger", job.filesPerTrigger.toLong)
      // A checkpoint that is kept has another folder each time.
      .option("fileNameOnly", true)
      .csv(job.folder.resolve("in").toString)
      .withColumn("src", job.faults.onInput(col("src")))
      .select(
        col("graph"),
        named(job.vertex, "src"),
        named(job.vertex, "dst"),
        col("at").cast("TIMESTAMP").as("time")
      )
      .withWatermark("time", job.delay)
    def vertices(columns: String*)(rows: DataFrame): DataFrame =
      rows.toDF(columns: _*).select(columns.map(named(job.vertex, _)): _*)
    def marked = vertices("vertex") {
      if (query.refresh) spark.read.schema("vertex BIGINT").csv(job.folder.resolve("marked").toString)
      else spark.createDataFrame(job.marked.map(Tuple1(_)))
    }
    def pairs = vertices("source", "target")(spark.createDataFrame(job.asked))
    val arguments = Seq(
      "window" -> job.window,
      "slide" -> job.slide,
      "start_time" -> job.startTime,
      "index" -> query.index
    )
    job.faults.onOutput(if (query.asksOfEvents) {
      val payments = edges.withColumnRenamed("graph", "site")
      // The last edges only move the watermark.
      val events = payments.where(!(col("src") <=> FaultStream.FlushVertex.toString))
      val own = Seq("events" -> events, "source" -> "src", "target" -> "dst", "marked" -> marked)
      query.asked.ask(payments, pairs)(arguments ++ own :+ "by" -> Seq("site"): _*)
    } else {
      val own = if (query.asksOfMarks) Seq("marked" -> marked) else Nil
      val refresh = if (query.refresh) Seq("refresh" -> "1 millisecond") else Nil
      query.asked.ask(edges, pairs)(arguments ++ own ++ refresh :+ "by" -> Seq("graph"): _*)
    })
  }

  private def named(vertex: String, name: String): Column =
    if (vertex != "UUID") col(name).cast(vertex).as(name)
    else {
      val digits = s"lpad(lower(hex($name)), 16, '0')"
      // Of null, it is null.
      val uuid = s"concat(left($digits, 8), '-', substr($digits, 9, 4), '-', right($digits, 4), '-8000-', " +
        s"lpad(lower(hex(pmod(xxhash64($name), 1L << 48))), 12, '0'))"
      expr(s"if(pmod($name, 3) = 0, upper($uuid), $uuid)").as(name)
    }

  /** The columns with vertices. Which mark a row names that comes early depends on the micro-batches. */
  def vertices(query: JobQuery): Seq[String] =
    if (query.asksOfEvents) Seq("src", "dst")
    else if (query.asksOfMarks) Seq("vertex") else Seq("source", "target")

  /** The answers as lines of text, as [[FaultStream.expected]] has them. */
  def lines(rows: DataFrame, query: JobQuery): Seq[String] =
    if (query.asksOfEvents)
      rows.selectExpr("concat_ws(',', site, unix_seconds(time), src, dst)", "graph").collect().map {
        row => s"${row.getString(0)} ${AsOfOracle.shown(row.get(1))}"
      }.toSeq
    else {
      val values = vertices(query) :+ (if (query.asksOfMarks) "marked IS NOT NULL" else "connected")
      rows.selectExpr(
        s"concat_ws(',', graph, unix_seconds(window.start), unix_seconds(window.end), ${values.mkString(", ")})"
      ).collect().map(_.getString(0)).toSeq
    }

  def write(job: JobSettings, file: Path): Unit = Files.write(file, SerializationUtils.serialize(job)): Unit

  private def read(file: Path): JobSettings = SerializationUtils.deserialize(Files.readAllBytes(file))
}
