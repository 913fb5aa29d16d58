package io.github.sparkbic.bench.run

import java.nio.file.{Path, Paths}

import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.bench.CommandLine

/** The command line: see [[Options.help]]. */
object Main {
  private val ResultMark = "result: "
  private val ChecksMark = "checks: "

  private[run] final case class Outcome(system: String, json: String, checks: Seq[String])

  def main(arguments: Array[String]): Unit =
    CommandLine.run(arguments, Options.help) {
      val options = Options.parse(arguments.toList).validated
      if (options.worker) {
        val result = Worker.measure(options)
        println(ResultMark + result.toJson)
        println(ChecksMark + result.checks.map(_.toHexString).mkString(" "))
      } else if (options.suite)
        runAll(Suite.settings(options), Some(options.out.getOrElse(Paths.get("bench/results/index.json"))))
      else runAll(Seq(options), options.out)
    }

  /** Results are written after every setting, so that an interrupted run leaves what it has. */
  private def runAll(settings: Seq[Options], out: Option[Path]): Unit = {
    out.foreach(CommandLine.requireWritable)
    val rows = ArrayBuffer.empty[String]
    settings.foreach { setting =>
      val outcomes = setting.systems.map { system =>
        val outcome = fork(setting, system)
        println(outcome.json)
        if (outcome.checks.isEmpty)
          println(s"$system was stopped before its first window: no answer was compared")
        outcome
      }
      requireSameAnswers(outcomes)
      rows ++= outcomes.map(_.json)
      out.foreach(CommandLine.write(_, rows))
    }
    out.foreach(file => println(s"wrote $file"))
  }

  /** A system that hit the cap is held to the windows that it answered. */
  private[run] def requireSameAnswers(outcomes: Seq[Outcome]): Unit = {
    val longest = outcomes.maxBy(_.checks.length)
    outcomes.foreach { outcome =>
      val window = outcome.checks.zip(longest.checks).indexWhere { case (a, b) => a != b }
      if (window >= 0)
        throw new IllegalStateException(
          s"${outcome.system} and ${longest.system} answer differently, for the first time in window $window"
        )
    }
  }

  /** Each system has a JVM of its own: no other system shapes its machine code or its heap. The collector is one whose
    * full collections leave nothing behind, or the retained heap would be off by some per cent of all heap. The heap is
    * touched before anything is measured: a page that a virtual machine has not handed out yet is slow when it is first
    * written. So an array that grows would stall for hundreds of milliseconds.
    */
  private def fork(options: Options, system: String): Outcome = {
    val command = Seq(
      CommandLine.Java,
      s"-Xms${options.heap}",
      s"-Xmx${options.heap}",
      "-XX:+AlwaysPreTouch",
      "-XX:+UseSerialGC",
      "-XX:MarkSweepAlwaysCompactCount=1",
      "-Xss8m",
      "-cp",
      sys.props("java.class.path"),
      "io.github.sparkbic.bench.run.Main"
    ) ++
      options.workerArguments(system) ++ Seq("--heap", options.heap)
    val lines = CommandLine.lines(command, s"the worker for $system")
    def marked(mark: String) = lines
      .collectFirst { case line if line.startsWith(mark) => line.stripPrefix(mark) }
      .getOrElse(throw new IllegalStateException(s"the worker for $system reported nothing"))
    Outcome(system, marked(ResultMark), marked(ChecksMark).split(' ').toSeq.filter(_.nonEmpty))
  }
}
