package io.github.sparkbic.bench.load

import java.lang.management.ManagementFactory
import java.nio.file.Files
import java.time.Instant

import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._
import scala.util.Random

import io.github.sparkbic.bench.{CommandLine, Folders, Json, Machine}

/** The command line: see [[Options.help]]. The query runs in a JVM of its own, whose executors this JVM may kill. */
object Main {
  def main(arguments: Array[String]): Unit =
    CommandLine.run(arguments, Options.help) {
      val options = Options.parse(arguments.toList)
      options.folder match {
        case Some(folder) => new Worker(options, folder).run()
        case None         => options.out.foreach(CommandLine.requireWritable); runWorker(options)
      }
    }

  private def runWorker(options: Options): Unit = {
    val folder = Files.createTempDirectory("bic-load")
    // A local cluster starts its executors from an installation of Spark: here an empty one, and our class path.
    Files.createDirectories(folder.resolve("jars"))
    val handedOn =
      ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.filter(_.startsWith("--add-opens"))
    val command = (CommandLine.Java +: handedOn) ++
      Seq(
        s"-Xms${options.heap}",
        s"-Xmx${options.heap}",
        "-XX:+UseG1GC",
        "-cp",
        sys.props("java.class.path")
      ) ++
      ("io.github.sparkbic.bench.load.Main" +: options.workerArguments(folder))
    val builder = new ProcessBuilder(command.asJava)
    builder.environment().putAll(Map("SPARK_HOME" -> folder.toString, "SPARK_SCALA_VERSION" -> "2.13").asJava)
    val process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start()
    val rows = ArrayBuffer.empty[String]
    val killer = new Killer(process.toHandle, options.kill)
    val reader = process.inputReader()
    Iterator.continually(reader.readLine()).takeWhile(_ != null).foreach { line =>
      println(line)
      if (line == Worker.Running) killer.start()
      if (line == Worker.Ended) println(s"${killer.stop()} executors killed")
      def fields(mark: String) = line.stripPrefix(mark + "{").stripSuffix("}")
      if (line.startsWith(Worker.Mark))
        rows += s"{${fields(Worker.Mark)}, \"killed\": ${killer.killed}, \"machine\": ${Json.text(Machine.text)}}"
      // Written once the answers have been checked.
      if (line.startsWith(Worker.Checked)) {
        rows(rows.size - 1) = s"${rows.last.stripSuffix("}")}, ${fields(Worker.Checked)}}"
        options.out.foreach(CommandLine.write(_, rows))
      }
    }
    val status = process.waitFor()
    killer.stop()
    if (status != 0) throw new IllegalStateException(s"the query ended with status $status; see $folder")
    Folders.delete(folder)
  }

  /** Kills an executor, drawn at random, every `seconds` seconds; none at all if that is zero. */
  private final class Killer(driver: ProcessHandle, seconds: Int) {
    private val random = new Random(1)
    @volatile var killed = 0
    private val thread = new Thread(() =>
      try
        while (true) {
          Thread.sleep(seconds * 1000L)
          val executors = driver.descendants().iterator().asScala.filter(isExecutor).toIndexedSeq
          if (executors.nonEmpty && executors(random.nextInt(executors.size)).destroyForcibly()) killed += 1
        }
      catch { case _: InterruptedException => () }
    )
    thread.setDaemon(true)

    def start(): Unit = if (seconds > 0) thread.start()

    def stop(): Int = {
      thread.interrupt()
      killed
    }

    /** A driver starts no other Java than its executors; a process younger than two seconds may be a copy of the driver. */
    private def isExecutor(process: ProcessHandle): Boolean =
      process.info.command.map[Boolean](_.endsWith("java")).orElse(false) &&
        process.info.startInstant.map[Boolean](_.isBefore(Instant.now.minusSeconds(2))).orElse(false)
  }
}
