package io.github.sparkbic.bench.spark

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path, Paths}

import com.sun.management.OperatingSystemMXBean
import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.apache.spark.sql.streaming.{DataStreamWriter, Trigger}

import io.github.sparkbic.bench.Folders

/** Runs streaming queries over all files of a setting, from a checkpoint of their own to their end. */
private[spark] final class StreamRun(spark: SparkSession, files: EdgeFiles, delayMillis: Long) {

  /** @param reads how often the query reads the stream
    * @param build from the stream of edges to the query and its sink
    */
  def run(edges: Int, reads: Int = 1)(build: DataFrame => DataStreamWriter[Row]): Run = {
    val checkpoints = Files.createDirectories(Paths.get("bench/target/checkpoints"))
    val checkpoint: Path = Files.createTempDirectory(checkpoints, "run").toAbsolutePath
    try {
      val writer = build(files.stream(spark, edges).withWatermark("time", s"$delayMillis milliseconds"))
      val clock = new Clock
      val query = writer
        .outputMode("append")
        .option("checkpointLocation", checkpoint.toString)
        .trigger(Trigger.AvailableNow)
        .start()
      query.awaitTermination()
      val run = clock.run(edges.toLong, Map.empty)
      val read = query.recentProgress.map(_.numInputRows).sum
      val wanted = edges.toLong * reads
      require(read == wanted, s"the stream gave $read edges instead of $wanted")
      val millis =
        query.recentProgress.filter(_.numInputRows > 0).map(_.durationMs.get("triggerExecution").longValue)
      run.copy(batchMillis = millis.toSeq)
    } finally Folders.delete(checkpoint)
  }
}

/** Elapsed time and CPU time of this process from here on. */
private[spark] final class Clock {
  private val process = ManagementFactory.getOperatingSystemMXBean.asInstanceOf[OperatingSystemMXBean]
  private val start = System.nanoTime()
  private val startCpu = process.getProcessCpuTime

  def run(edges: Long, checks: Answers.Checks): Run =
    Run(System.nanoTime() - start, process.getProcessCpuTime - startCpu, edges, checks.size, checks)
}
