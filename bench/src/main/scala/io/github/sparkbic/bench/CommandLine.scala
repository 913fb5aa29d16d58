package io.github.sparkbic.bench

import java.io.{BufferedReader, InputStreamReader}
import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

/** What the command lines of all experiments share. */
object CommandLine {

  val Java: String = Paths.get(sys.props("java.home"), "bin", "java").toString

  /** Runs `body`, unless the help is wanted; bad arguments and failed experiments end the JVM with one line of text. */
  def run(arguments: Array[String], help: => String)(body: => Unit): Unit =
    if (arguments.contains("--help")) println(help)
    else
      try body
      catch {
        case e: IllegalArgumentException => fail(e.getMessage.stripPrefix("requirement failed: "))
        case e: IllegalStateException    => fail(e.getMessage)
      }

  private def fail(message: String): Unit = {
    System.err.println(s"error: $message")
    sys.exit(1)
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

  /** Writes objects of JSON as a list. */
  def write(file: Path, objects: Iterable[String]): Unit = {
    Option(file.getParent).foreach(Files.createDirectories(_))
    Files.writeString(file, objects.mkString("[\n  ", ",\n  ", "\n]\n"))
  }
}
