package io.github.sparkbic.bench

import java.io.{BufferedReader, InputStreamReader, IOException}
import java.nio.file.{Files, FileSystemException, Path, Paths, StandardCopyOption}

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
        case _: OutOfMemoryError =>
          fail("the heap is too small for it: give more by --heap, or make the stream shorter")
      }

  private def fail(message: String): Unit = {
    System.err.println(s"error: $message")
    sys.exit(1)
  }

  def int(option: String, value: String): Int = whole(option, value, value.toIntOption, Int.MaxValue.toLong)

  def long(option: String, value: String): Long = whole(option, value, value.toLongOption, Long.MaxValue)

  def double(option: String, value: String): Double = value.toDoubleOption.getOrElse(
    throw new IllegalArgumentException(s"$option must be a number, but it is '$value'")
  )

  private def whole[A](option: String, value: String, parsed: Option[A], most: Long): A = parsed.getOrElse(
    throw new IllegalArgumentException(s"$option must be a whole number up to $most, but it is '$value'")
  )

  /** Of the words of a list, none of which may be unknown; there must be one. */
  def requireKnown(option: String, what: String, names: Seq[String], known: Seq[String]): Unit = {
    require(names.nonEmpty, s"$option must name one at least of ${known.mkString(", ")}")
    names.filterNot(known.contains).foreach { name =>
      throw new IllegalArgumentException(s"unknown $what '$name'; there is: ${known.mkString(", ")}")
    }
  }

  /** As the JVM takes it: it would say nothing of the option. */
  def requireHeap(heap: String): Unit =
    require(
      heap.matches("[1-9][0-9]*[kKmMgG]"),
      s"--heap must be a size such as 512m or 5g, but it is '$heap'"
    )

  /** The value of an option: what is an option itself is none. */
  object Value {
    def unapply(argument: String): Option[String] = Option.when(!argument.startsWith("--"))(argument)
  }

  /** An argument that no option is, or an option without its value. */
  def refuse(arguments: List[String]): Nothing = throw new IllegalArgumentException(arguments match {
    case name :: value :: _ if name.startsWith("--") && value.startsWith("--") =>
      s"'$name' is not an option, or lacks its value: '$value' follows"
    case name :: _ => s"'$name' is not an option, or lacks its value"
    case Nil       => "an option is wanted"
  })

  /** What a process prints, line by line; an exception if it fails. */
  def lines(command: Seq[String], what: String): Seq[String] = {
    val process = new ProcessBuilder(command.asJava).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    val reader = new BufferedReader(new InputStreamReader(process.getInputStream))
    val lines = Iterator.continually(reader.readLine()).takeWhile(_ != null).toList
    val status = process.waitFor()
    if (status != 0) throw new IllegalStateException(s"$what ended with status $status")
    lines
  }

  /** Finds out before anything is measured whether results can be written there. */
  def requireWritable(file: Path): Unit =
    try {
      if (Files.exists(file) && !Files.isRegularFile(file))
        throw new FileSystemException(file.toString, null, "it is there, and no regular file")
      Files.delete(Files.writeString(part(file), ""))
    } catch {
      case e: IOException => throw new IllegalArgumentException(s"--out $file cannot be written: $e")
    }

  /** Writes objects of JSON as a list; who reads the file meanwhile finds what was there, or all of it. */
  def write(file: Path, objects: Iterable[String]): Unit = {
    val written = Files.writeString(part(file), objects.mkString("[\n  ", ",\n  ", "\n]\n"))
    val target = if (Files.exists(file)) file.toRealPath() else file
    Files.move(written, target, StandardCopyOption.REPLACE_EXISTING): Unit
  }

  private def part(file: Path): Path = {
    Option(file.getParent).foreach(Files.createDirectories(_))
    file.resolveSibling(s"${file.getFileName}.part")
  }
}
