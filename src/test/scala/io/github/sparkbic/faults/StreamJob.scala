package io.github.sparkbic.faults

import java.nio.file.{Files, Path, Paths}
import java.util.Properties

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.streaming.Trigger

import io.github.sparkbic._

/** One streaming query of a [[StreamJob]].
  *
  * @param name     names its folder, with sink and checkpoint
  * @param format   of the sink: `parquet` or `delta`
  * @param settings of Spark, in force when the query starts: the state store, above all
  * @param early    whether rows come before their window closes
  */
final case class JobQuery(
    name: String,
    format: String,
    index: String,
    settings: Map[String, String],
    early: Boolean = false
)

/** What a child driver is to do; passed to it as a file of properties. */
final case class JobSettings(
    folder: Path,
    master: String,
    window: String,
    slide: String,
    startTime: String,
    delay: String,
    strings: Boolean,
    asked: Seq[(Long, Long)],
    queries: Seq[JobQuery],
    filesPerTrigger: Int,
    shufflePartitions: Int,
    faults: TaskFaults,
    spark: Map[String, String]
)

/** A driver that lives in a process of its own: runs queries over the files of a folder to their end, then writes down
  * what the sinks hold. Whoever started it may kill it at any moment and start it again.
  */
object StreamJob {

  /** What it prints once its queries run, and once its rows are written down. */
  val Running = "RUNNING"
  val Finished = "FINISHED"

  def main(args: Array[String]): Unit = {
    val job = read(Paths.get(args(0)))
    val builder = SparkSession.builder().master(job.master).appName("child")
      .config("spark.ui.enabled", false)
      .config("spark.sql.session.timeZone", "UTC")
      .config("spark.sql.shuffle.partitions", job.shufflePartitions.toLong)
      .config("spark.default.parallelism", 2)
      // Small graphs stay alive: whether a fault may leave one behind that is not the truth is the question here.
      .config("spark.bic.cache.minBytes", 0)
      .config("spark.driver.bindAddress", "127.0.0.1")
      .config("spark.driver.host", "localhost")
      .config("spark.sql.warehouse.dir", job.folder.resolve("warehouse").toString)
      // Else each query has a class loader of its own, and compiles anew the generated code that the others have, which is
      // much for a driver that lives for seconds.
      .config("spark.sql.artifact.isolation.enabled", false)
      // A driver that is killed while it logs the first micro-batch of a query leaves a file behind, and Spark would not
      // start over beside that.
      .config("spark.sql.streaming.verifyCheckpointDirectoryEmptyOnStart", false)
    if (job.queries.exists(_.format == "delta"))
      builder.config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        .config("spark.databricks.delta.snapshotPartitions", 1)
    job.spark.foreach { case (key, value) => builder.config(key, value) }
    val spark = builder.getOrCreate()
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
        Files.write(rowsFile(job.folder, query.name), lines(rows).sorted.asJava)
      }
    } finally spark.stop()
    println(Finished)
  }

  /** Where the rows of a query's sink stand, a line each, once the job has finished. */
  def rowsFile(folder: Path, query: String): Path = folder.resolve(s"$query.rows")

  private def sink(job: JobSettings, query: JobQuery): String =
    job.folder.resolve(s"${query.name}/sink").toString

  private def answers(spark: SparkSession, job: JobSettings, query: JobQuery): DataFrame = {
    val vertex = if (job.strings) "STRING" else "BIGINT"
    val edges = spark.readStream.schema("graph INT, src BIGINT, dst BIGINT, at BIGINT")
      .option("maxFilesPerTrigger", job.filesPerTrigger.toLong)
      .csv(job.folder.resolve("in").toString)
      .select(
        col("graph"),
        job.faults.onInput(col("src")).cast(vertex).as("src"),
        col("dst").cast(vertex).as("dst"),
        col("at").cast("TIMESTAMP").as("time")
      )
      .withWatermark("time", job.delay)
    import spark.implicits._
    val asked = job.asked.toDF("source", "target")
      .select(col("source").cast(vertex).as("source"), col("target").cast(vertex).as("target"))
    job.faults.onOutput(edges.bicConnectivity(
      job.window,
      job.slide,
      asked,
      early = query.early,
      by = Seq("graph"),
      startTime = job.startTime,
      index = query.index
    ))
  }

  /** The answers as lines of text, as [[FaultStream.expected]] has them. */
  def lines(rows: DataFrame): Seq[String] =
    rows.selectExpr(
      "concat_ws(',', graph, unix_seconds(window.start), unix_seconds(window.end), source, target, connected)"
    ).collect().map(_.getString(0)).toSeq

  /** Writes the settings where [[main]] reads them. */
  def write(job: JobSettings, file: Path): Unit = {
    val properties = new Properties
    def put(key: String, value: Any): Unit = properties.setProperty(key, value.toString)
    Seq[(String, Any)](
      "folder" -> job.folder,
      "master" -> job.master,
      "window" -> job.window,
      "slide" -> job.slide,
      "startTime" -> job.startTime,
      "delay" -> job.delay,
      "strings" -> job.strings,
      "asked" -> job.asked.map { case (s, t) => s"$s:$t" }.mkString(","),
      "queries" -> job.queries.map(_.name).mkString(","),
      "filesPerTrigger" -> job.filesPerTrigger,
      "shufflePartitions" -> job.shufflePartitions,
      "faults" -> job.faults.text
    ).foreach { case (key, value) => put(key, value) }
    job.spark.foreach { case (key, value) => put(s"spark:$key", value) }
    job.queries.foreach { query =>
      put(s"${query.name}:format", query.format)
      put(s"${query.name}:index", query.index)
      put(s"${query.name}:early", query.early)
      query.settings.foreach { case (key, value) => put(s"${query.name}:set:$key", value) }
    }
    Using.resource(Files.newBufferedWriter(file))(properties.store(_, null))
  }

  private def read(file: Path): JobSettings = {
    val properties = new Properties
    Using.resource(Files.newBufferedReader(file))(properties.load)
    def get(key: String): String =
      Option(properties.getProperty(key)).getOrElse(throw new NoSuchElementException(key))
    def under(prefix: String): Map[String, String] =
      properties.asScala.toMap.collect {
        case (key, value) if key.startsWith(prefix) => key.stripPrefix(prefix) -> value
      }
    JobSettings(
      Paths.get(get("folder")),
      get("master"),
      get("window"),
      get("slide"),
      get("startTime"),
      get("delay"),
      get("strings").toBoolean,
      get("asked").split(",").toSeq.map(_.split(":").map(_.toLong)).map(pair => (pair(0), pair(1))),
      get("queries").split(",").toSeq.map { name =>
        val early = get(s"$name:early").toBoolean
        JobQuery(name, get(s"$name:format"), get(s"$name:index"), under(s"$name:set:"), early)
      },
      get("filesPerTrigger").toInt,
      get("shufflePartitions").toInt,
      TaskFaults.parse(get("faults")),
      under("spark:")
    )
  }
}
