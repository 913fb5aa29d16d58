package io.github.sparkbic.faults

import java.nio.file.{Files, Path}

import scala.collection.compat._
import scala.jdk.CollectionConverters._

import org.apache.spark.sql.bic.SparkInternals
import org.scalatest.Assertions

import io.github.sparkbic.operator.question.{AskedAsOf, AskedConnected, AskedPairs}

/** A [[FaultStream]] in a folder of its own, the jobs that answer it, and the check of what their sinks hold. */
final class FaultRun(stream: FaultStream) extends Assertions {
  val folder: Path = Files.createTempDirectory("spark-bic-faults")
  stream.write(folder.resolve("in"))

  private var starts = 0

  def job(
      queries: Seq[JobQuery],
      master: String = "local[2]",
      faults: TaskFaults = TaskFaults.None
  ): JobSettings =
    JobSettings(
      folder.toString,
      s"${stream.panes.window} seconds",
      s"${stream.panes.slide} seconds",
      s"${stream.panes.startTime} seconds",
      s"${stream.delay} seconds",
      if (stream.strings) "STRING" else "BIGINT",
      stream.asked,
      stream.marked,
      filesPerTrigger = 1,
      master,
      stream.later,
      queries,
      faults
    )

  /** Starts a driver, beside the first of which each finds a file more.
    *
    * One that was killed may have committed a micro-batch that moved the watermark, and not have begun the one without data
    * that answers by it. Spark begins that only after a micro-batch of its own, so it takes a file to have one.
    */
  def start(job: JobSettings): ChildDriver = {
    if (starts > 0) stream.writeFlush(folder.resolve("in"), 1 + starts)
    starts += 1
    ChildDriver.start(job)
  }

  /** Starts a driver that comes to its good end, after which each sink holds the oracle's rows. */
  def finish(job: JobSettings): ChildDriver = {
    val driver = start(job)
    assert(driver.awaitEnd(900000) && driver.finished, driver.output)
    check(job.queries)
    driver
  }

  /** Asserts that each sink holds the oracle's rows: none missing, none twice, none else. */
  def check(queries: Seq[JobQuery]): Unit =
    queries.foreach { query =>
      val expected = stream.expected(query)
      val found = Files.readAllLines(StreamJob.rowsFile(folder, query.name)).asScala.toSeq
      val missing = expected.diff(found)
      // Which windows a vertex comes too late for, that is marked later, depends on the clock.
      val surplus =
        found.diff(if (query.refresh) stream.expected(query, stream.marked ++ stream.later) else expected)
      if (missing.nonEmpty || surplus.nonEmpty)
        fail(s"$stream, query ${query.name}: ${missing.size} rows missing, such as ${missing.take(3)}, and ${surplus.size} too " +
          s"many, such as ${surplus.take(3)}; everything is in $folder")
    }

  /** The number of the last micro-batch in a log of the query's checkpoint, -1 if there is none. */
  def lastIn(query: JobQuery, log: String): Int =
    Option(folder.resolve(s"${query.name}/checkpoint/$log").toFile.list()).toSeq.flatten
      .filter(_.forall(_.isDigit)).map(_.toInt).maxOption.getOrElse(-1)

  def delete(): Unit = ChildDriver.delete(folder)
}

object FaultRun {
  private val State = "org.apache.spark.sql.execution.streaming.state"
  private val Provider = "spark.sql.streaming.stateStore.providerClass"
  private val Changelog = "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled"

  private val Layout = "spark.bic.stateLayout"

  /** The layouts that the Spark at hand has. */
  val layouts: Seq[String] = if (SparkInternals.hasTransformWithState) Seq("value", "panes") else Seq("value")

  /** A query of each kind of state, still without a name and a store. Events that do not wait are for the simulator. */
  val kinds: Seq[JobQuery] = {
    val asked =
      Seq(AskedConnected(updatesOnly = true), AskedPairs(early = true), AskedConnected(early = true)) :+
        AskedAsOf(marked = true, pair = true, waits = true)
    JobQuery("", "parquet", "bic", Map.empty, AskedPairs()) +:
      JobQuery("", "parquet", "recency", Map.empty, AskedConnected(early = true), refresh = true) +:
      asked.map(JobQuery("", "parquet", "recency", Map.empty, _))
  }

  /** The state stores of Spark, by name, and the one layout of ours that needs one of them. */
  val providers: Seq[(String, Map[String, String])] = Seq(
    ("hdfs", "HDFSBackedStateStoreProvider", false, "value"),
    ("rocksdb", "RocksDBStateStoreProvider", false, "value"),
    ("changelog", "RocksDBStateStoreProvider", true, "value"),
    ("panes", "RocksDBStateStoreProvider", true, "panes")
  ).collect {
    case (name, store, changelog, layout) if layouts.contains(layout) =>
      name -> Map(Provider -> s"$State.$store", Changelog -> changelog.toString, Layout -> layout)
  }

  def settingsOf(provider: String): Map[String, String] = providers.toMap.apply(provider)

  /** What sets a layout, with a store that can have it. */
  def settingsOfLayout(layout: String): Seq[(String, String)] =
    settingsOf(if (layout == "panes") "panes" else "hdfs").toSeq

  /** A local cluster with small executors, which may be lost. Spark starts no second attempt beside a slow one there, since
    * all executors are on one machine; attempts side by side are for the simulator.
    */
  val cluster: Map[String, String] = Map(
    "spark.executor.memory" -> "512m",
    "spark.task.maxFailures" -> "8",
    // Each executor that is lost takes blocks along that a stage was about to read.
    "spark.stage.maxConsecutiveAttempts" -> "20",
    "spark.executor.maxNumFailures" -> "1000"
  )

  /** The seed of a test: given, to reproduce a failure, or else of the clock. */
  def seed: Long = sys.env.get("SPARK_BIC_SEED").fold(System.nanoTime())(_.toLong)
}
