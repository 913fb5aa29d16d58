package io.github.sparkbic.bench.spark

import java.io.{BufferedReader, File, InputStreamReader}
import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path, Paths}

import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._

/** The command line: see [[Options.help]]. */
object Main {
  private val Mark = "outcome: "

  def main(arguments: Array[String]): Unit =
    if (arguments.contains("--help")) println(Options.help)
    else
      try {
        val options = Options.parse(arguments.toList)
        options.worker match {
          case Some("prepare") => new Worker(options).prepare()
          case Some(query)     => println(Mark + new Worker(options).measure(query).toLine)
          case None =>
            val settings = if (options.suite) Suite.settings(options) else Seq(options)
            val out = if (options.suite) Some(options.out.getOrElse(Paths.get("bench/results/spark.json")))
            else options.out
            runAll(settings.map(_.validated), out)
        }
      } catch {
        case e: IllegalArgumentException => fail(e.getMessage.stripPrefix("requirement failed: "))
        case e: IllegalStateException    => fail(e.getMessage)
      }

  private def fail(message: String): Unit = {
    System.err.println(s"error: $message")
    sys.exit(1)
  }

  /** Results are written after every setting, so that an interrupted run leaves what it has. */
  private def runAll(settings: Seq[Options], out: Option[Path]): Unit = {
    val rows = ArrayBuffer.empty[String]
    settings.foreach { setting =>
      if (!new EdgeFiles(setting).exist) fork(setting, "prepare", setting.copy(cores = 2))
      val outcomes = setting.queries.map { query =>
        val outcome = if (query == "scipy") SciPy.measure(setting) else measured(setting, query)
        println(outcome.toJson(setting, outcome.run.checks.keySet))
        outcome
      }
      val common = Outcome.commonWindows(outcomes)
      rows ++= outcomes.map(_.toJson(setting, common))
      out.foreach { file =>
        Option(file.getParent).foreach(Files.createDirectories(_))
        Files.writeString(file, rows.mkString("[\n  ", ",\n  ", "\n]\n"))
      }
    }
    if (settings.forall(_.graphframes.isEmpty))
      println("graphframes is left out: no --graphframes JAR was given")
    out.foreach(file => println(s"wrote $file"))
  }

  private def measured(setting: Options, query: String): Outcome =
    fork(setting, query, setting)
      .collectFirst { case line if line.startsWith(Mark) => Outcome.fromLine(line.stripPrefix(Mark)) }
      .getOrElse(throw new IllegalStateException(s"the worker for $query reported nothing"))

  /** Each query has a JVM of its own: no other one shapes its machine code or its heap. It may use as many threads for
    * garbage collection as it has cores.
    */
  private def fork(setting: Options, query: String, run: Options): Seq[String] = {
    val java = Paths.get(sys.props("java.home"), "bin", "java").toString
    // What sbt gave this JVM so that Spark may reach into the JDK.
    val opened = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.filter { argument =>
      argument.startsWith("--add-opens") || argument.startsWith("--enable-native-access") ||
      argument.startsWith("-Djdk.") || argument.startsWith("-Dio.netty")
    }
    val memory =
      Seq(s"-Xms${run.heap}", s"-Xmx${run.heap}", "-XX:+UseG1GC", s"-XX:ParallelGCThreads=${run.cores}")
    val classPath = (sys.props(
      "java.class.path"
    ) +: setting.graphframes.map(_.toString).toSeq).mkString(File.pathSeparator)
    val command =
      (java +: memory) ++ opened ++ Seq("-cp", classPath, "io.github.sparkbic.bench.spark.Main") ++
        run.workerArguments(query)
    lines(command, s"the worker for $query")
  }

  /** What a process prints, line by line; an exception if it fails. */
  def lines(command: Seq[String], what: String): Seq[String] = {
    val process = new ProcessBuilder(command.asJava).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    val reader = new BufferedReader(new InputStreamReader(process.getInputStream))
    val lines = Iterator.continually(reader.readLine()).takeWhile(_ != null).toList
    val status = process.waitFor()
    if (status != 0) throw new IllegalStateException(s"$what ended with status $status")
    lines
  }
}
