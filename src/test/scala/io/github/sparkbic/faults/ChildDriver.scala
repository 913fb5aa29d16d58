package io.github.sparkbic.faults

import java.nio.file.{Files, Path}
import java.time.Instant
import java.util.concurrent.TimeUnit

import scala.collection.compat._
import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.commons.io.FileUtils
import org.apache.spark.sql.SparkSession

/** A [[StreamJob]] in a JVM of its own, which can be killed. */
final class ChildDriver private (process: Process, log: Path) {

  /** Waits until its queries run; false if it ended before. */
  def awaitRunning(): Boolean = {
    while (process.isAlive && !said(StreamJob.Running)) Thread.sleep(5)
    said(StreamJob.Running)
  }

  /** Waits for its end; false if that did not come in time. */
  def awaitEnd(millis: Long): Boolean = process.waitFor(millis, TimeUnit.MILLISECONDS)

  /** SIGKILL, to the driver and whatever it has started. */
  def kill(): Unit = {
    val started = process.descendants().iterator.asScala.toList
    process.destroyForcibly().waitFor()
    started.foreach(_.destroyForcibly())
  }

  /** SIGKILL to one executor of a local cluster; false if there is none. */
  def killExecutor(choose: Int => Int): Boolean = {
    // Their command lines are too long to be told; but nothing else that it starts is a JVM. What it has only just started
    // may look like one, since it begins as a copy of the JVM.
    val executors = process.descendants().iterator.asScala.toList.filter { each =>
      each.info.command.map[Boolean](_.endsWith("java")).orElse(false) &&
      each.info.startInstant.map[Boolean](_.isBefore(Instant.now.minusSeconds(2))).orElse(false)
    }
    executors.nonEmpty && executors(choose(executors.size)).destroyForcibly()
  }

  /** Whether it wrote down its rows and ended well. */
  def finished: Boolean = !process.isAlive && process.exitValue() == 0 && said(StreamJob.Finished)

  def output: String = Files.readString(log)

  private def said(line: String): Boolean = output.linesIterator.contains(line)
}

object ChildDriver {

  def session(master: String, settings: (String, Any)*): SparkSession = {
    val usual = Seq[(String, Any)](
      "spark.ui.enabled" -> false,
      "spark.sql.session.timeZone" -> "UTC",
      "spark.driver.bindAddress" -> "127.0.0.1",
      "spark.driver.host" -> "localhost"
    )
    val builder = SparkSession.builder().master(master)
    (usual ++ settings).foreach { case (key, value) => builder.config(key, value.toString) }
    builder.getOrCreate()
  }

  /** Starts the job; its class path and JVM options are those of this JVM. */
  def start(job: JobSettings): ChildDriver = {
    val file = job.folder.resolve("job.settings")
    StreamJob.write(if (job.master.startsWith("local-cluster")) withExecutors(job) else job, file)
    start("io.github.sparkbic.faults.StreamJob", Seq(file.toString), job.folder, "1g")
  }

  /** Starts any program that says when it has finished. */
  def start(
      main: String,
      arguments: Seq[String],
      folder: Path,
      memory: String,
      options: Seq[String] = Nil
  ): ChildDriver = {
    val log = folder.resolve("log.txt")
    val java = Path.of(sys.props("java.home"), "bin", "java").toString
    val own = ownOptions.filterNot(_.startsWith("-Xmx"))
    val command =
      (java +: own) ++ Quick ++ options ++ Seq(
        s"-Xmx$memory",
        "-cp",
        sys.props("java.class.path"),
        main
      ) ++ arguments
    val builder = new ProcessBuilder(command.asJava)
    builder.environment().putAll(Map("SPARK_HOME" -> folder.toString, "SPARK_SCALA_VERSION" -> "2.13").asJava)
    builder.directory(folder.toFile).redirectErrorStream(true).redirectOutput(log.toFile)
    new ChildDriver(builder.start(), log)
  }

  /** Runs a program in a folder of its own to its good end; gives what it printed. */
  def run(main: String, memory: String, options: Path => Seq[String] = _ => Nil)(
      arguments: Path => Seq[String]
  ): String = {
    val folder = Files.createTempDirectory("spark-bic-child")
    val name = s"io.github.sparkbic.faults.$main"
    val child = start(name, arguments(folder), folder, memory, options(folder))
    val ended = child.awaitEnd(1200000)
    if (!ended) child.kill()
    Predef.assert(ended && child.finished, child.output)
    val printed = child.output
    delete(folder)
    printed
  }

  /** Deletes a child's folder: after a success, since a failure is looked into there. Spark's maintenance of state stores may
    * write and delete files there for a moment more, so a file that comes or goes meanwhile is no error at first.
    */
  def delete(folder: Path, tries: Int = 50): Unit = {
    val deleted = Try(FileUtils.deleteDirectory(folder.toFile))
    if (deleted.isFailure && tries <= 0) deleted.get
    else if (Files.exists(folder)) {
      Thread.sleep(100)
      delete(folder, tries - 1)
    }
  }

  // Quick to start and small, which is what counts for a child that lives for seconds; with room for what it compiles.
  private val Quick = Seq("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=256m", "-XX:+UseSerialGC")

  // Not what sessions of tests are set to: a child has Spark's own settings, as a user's driver has.
  private def ownOptions: Seq[String] =
    java.lang.management.ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.toSeq
      .filter(o =>
        o.startsWith("-X") || o.startsWith("--") || o.startsWith("-D") && !o.startsWith("-Dspark.")
      )

  /** A local cluster starts its executors from an installation of Spark: here an empty one, and our class path. */
  private def withExecutors(job: JobSettings): JobSettings = {
    Files.createDirectories(job.folder.resolve("jars"))
    job.copy(spark =
      job.spark ++ Seq(
        "spark.executor.extraClassPath" -> sys.props("java.class.path"),
        "spark.executor.extraJavaOptions" -> Quick.mkString(" ")
      )
    )
  }
}
