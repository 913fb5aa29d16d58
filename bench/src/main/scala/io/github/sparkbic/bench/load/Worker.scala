package io.github.sparkbic.bench.load

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.{col, unix_micros}
import org.apache.spark.sql.streaming.{StreamingQueryListener, StreamingQueryProgress}
import org.apache.spark.sql.streaming.StreamingQueryListener._

import io.github.sparkbic._
import io.github.sparkbic.bench.{Counters, Json, StateStores}

/** Runs the query, prints a row for each step, and computes answers again from scratch. */
private[load] final class Worker(options: Options, folder: Path) {
  import Worker._

  private val checkpoint = folder.resolve("checkpoint")
  private val answers = folder.resolve("answers").toString
  private val progress = new ConcurrentLinkedQueue[StreamingQueryProgress]

  private val isCluster = options.kill > 0

  private val spark = {
    val builder = SparkSession.builder().appName("bench-load")
      .master(if (isCluster) "local-cluster[2,1,2048]" else "local[2]")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.sql.session.timeZone", "UTC")
      .config("spark.bic.stateLayout", options.layout)
    if (options.layout == "panes") builder.config(StateStores.Conf, StateStores.RocksDb)
    if (isCluster)
      builder.config("spark.executor.extraClassPath", sys.props("java.class.path"))
        .config("spark.executor.memory", "2g")
    builder.getOrCreate()
  }

  def run(): Unit = {
    spark.sparkContext.setLogLevel(if (isCluster) "OFF" else "ERROR")
    spark.streams.addListener(new StreamingQueryListener {
      override def onQueryStarted(event: QueryStartedEvent): Unit = ()
      override def onQueryProgress(event: QueryProgressEvent): Unit = progress.add(event.progress): Unit
      override def onQueryTerminated(event: QueryTerminatedEvent): Unit = ()
    })
    val query = LoadStream.edges(spark, options.batch, partitions = 2)
      .bicComponentStats(LoadStream.Window, LoadStream.Slide)
      .writeStream.format("parquet").option("checkpointLocation", checkpoint.toString).start(answers)
    println(Running)
    val begun = System.nanoTime()
    var edges = 0L
    (1 to math.max(1, options.seconds / options.step)).foreach { step =>
      val left = begun + step * options.step * 1000000000L - System.nanoTime()
      if (query.awaitTermination(math.max(1, left / 1000000)))
        throw new IllegalStateException("the query ended early")
      // All garbage is collected, so that the heap in use is what the query holds.
      System.gc()
      val seen = Iterator.continually(progress.poll()).takeWhile(_ != null).filter(_.numInputRows > 0).toSeq
      edges += seen.map(_.numInputRows).sum
      if (seen.nonEmpty) println(Mark + row(step, edges, seen))
    }
    println(Ended)
    // Stopping interrupts the tasks of a micro-batch, which say so.
    spark.sparkContext.setLogLevel("OFF")
    query.stop()
    check()
    spark.stop()
  }

  private def row(step: Int, edges: Long, seen: Seq[StreamingQueryProgress]): String = {
    val millis = seen.map(_.durationMs.get("triggerExecution").longValue).sorted
    val heap = ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed
    Json.fields(Seq(
      "second" -> (step * options.step).toString,
      "layout" -> Json.text(options.layout),
      "batches" -> seen.size.toString,
      "edges" -> edges.toString,
      "median_ms" -> millis(millis.size / 2).toString,
      "slowest_ms" -> millis.last.toString,
      "live_vertices" -> Counters.of(seen.last, "live_vertices").toString,
      "state_bytes" -> Counters.of(seen.last, "state_bytes").toString,
      "heap_bytes" -> heap.toString,
      "resident_bytes" -> resident.toString,
      "checkpoint_bytes" -> size(checkpoint).toString
    ))
  }

  /** One row for each window, and the same row as a computation from scratch for windows spread over the run. */
  private def check(): Unit = {
    val rows = spark.read.parquet(answers)
      .select(
        unix_micros(col("window.start")).as("start"),
        col("vertices"),
        col("edges"),
        col("components"),
        col("largest")
      )
      .sort("start").collect().toIndexedSeq
    val starts = rows.map(_.getLong(0))
    starts.zip(starts.drop(1)).foreach { case (a, b) =>
      if (b - a != LoadStream.SlideMicros)
        throw new IllegalStateException(s"after the window that starts at $a µs comes that at $b µs")
    }
    val checked = rows.indices.by(math.max(1, rows.size / options.windows))
    checked.foreach { i =>
      val found = (1 to 4).map(rows(i).getLong)
      val expected = LoadStream.stats(starts(i))
      if (found != expected)
        throw new IllegalStateException(s"window at ${starts(i)} µs: $found, but from scratch $expected")
    }
    println(s"${rows.size} windows, each once; ${checked.size} computed from scratch, all the same")
    println(Checked + Json.fields(Seq("windows" -> rows.size.toString, "checked" -> checked.size.toString)))
  }
}

private[load] object Worker {
  val Running = "the query runs"
  val Ended = "the query is asked to end"
  val Mark = "step: "
  val Checked = "checked: "

  /** Memory of this process that the machine has in use, in bytes; 0 where the system does not say. */
  private def resident: Long = {
    val status = Paths.get("/proc/self/status")
    if (!Files.isReadable(status)) 0L
    else
      Files.readAllLines(status).asScala.find(_.startsWith("VmRSS:"))
        .fold(0L)(line => line.filter(_.isDigit).toLong * 1024)
  }

  /** Bytes of all files below a folder; files that go meanwhile count nothing. */
  private def size(folder: Path): Long = sizeOf(folder.toFile)

  private def sizeOf(file: java.io.File): Long =
    Option(file.listFiles()).fold(file.length)(_.iterator.map(sizeOf).sum)
}
