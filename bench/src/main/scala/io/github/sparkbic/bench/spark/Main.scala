package io.github.sparkbic.bench.spark

import java.io.File
import java.lang.management.ManagementFactory
import java.nio.file.Path

import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._

import io.github.sparkbic.bench.CommandLine

/** The command line: see [[Options.help]]. */
object Main {
  private val Mark = "outcome: "

  def main(arguments: Array[String]): Unit =
    CommandLine.run(arguments, Options.help) {
      val each = Options.each(arguments.toList).map(Options.parse(_))
      val options = each.head
      options.worker match {
        case Some("prepare") => new Worker(options).prepare()
        case Some(query)     => println(Mark + new Worker(options).measure(query).toLine)
        case None =>
          val settings = options.suite.fold(each)(_.settings(options))
          val out = options.out.orElse(options.suite.map(_.out))
          runAll(settings.map(_.validated), out)
      }
    }

  /** Results are written after every setting, so that an interrupted run leaves what it has.
    *
    * @param measure a query of a setting; tests, of which most ask for the answers alone, do without a JVM for each
    */
  private[spark] def runAll(
      settings: Seq[Options],
      out: Option[Path],
      measure: (Options, String) => Outcome = measured
  ): Unit = {
    out.foreach(CommandLine.requireWritable)
    val rows = ArrayBuffer.empty[String]
    settings.foreach { setting =>
      if (!new EdgeFiles(setting).exist) fork(setting, "prepare", setting.copy(cores = 2))
      // Where there are many graphs, vertices are not counted.
      val groups = setting.queries.filter(GroupQueries.All.contains(_) && !setting.keyed)
      val live = EdgeWindows.live(setting, groups)
      val outcomes = setting.queries.map { query =>
        val outcome =
          if (query == "scipy") SciPy.measure(setting)
          else if (GroupQueries.OfSciPy.contains(query)) SciPy.measureGroups(setting, query)
          else measure(setting, query)
        println(outcome.toJson(setting, outcome.run.checks.keySet, live.get(query)))
        outcome
      }
      val common = Outcome.commonWindows(outcomes)
      rows ++= outcomes.map(o => o.toJson(setting, common.getOrElse(o.query, Set.empty), live.get(o.query)))
      out.foreach(CommandLine.write(_, rows))
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
    * garbage collection as it has cores. Its heap is touched before anything is measured: a page that a virtual machine
    * has to ask its host for costs more than the writing. The cost would be part of whichever run comes first.
    */
  private def fork(setting: Options, query: String, run: Options): Seq[String] = {
    // What sbt gave this JVM so that Spark may reach into the JDK, and, to the tests alone, a quicker start.
    val handedOn = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.filter { argument =>
      argument.startsWith("--add-opens") || argument.startsWith("--enable-native-access") ||
      argument.startsWith("-Djdk.") || argument.startsWith("-Dio.netty") ||
      argument.startsWith("-XX:TieredStopAtLevel") || argument.startsWith("-XX:ReservedCodeCacheSize")
    }
    val memory =
      Seq(
        s"-Xms${run.heap}",
        s"-Xmx${run.heap}",
        "-XX:+AlwaysPreTouch",
        "-XX:+UseG1GC",
        s"-XX:ParallelGCThreads=${run.cores}"
      )
    val classPath = (sys.props(
      "java.class.path"
    ) +: setting.graphframes.map(_.toString).toSeq).mkString(File.pathSeparator)
    val command =
      (CommandLine.Java +: memory) ++ handedOn ++ Seq(
        "-cp",
        classPath,
        "io.github.sparkbic.bench.spark.Main"
      ) ++
        run.workerArguments(query)
    CommandLine.lines(command, s"the worker for $query")
  }
}
