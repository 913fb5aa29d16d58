package io.github.sparkbic

import java.io.{PrintWriter, StringWriter}
import java.nio.file.{Files, Path, Paths}
import java.util.spi.ToolProvider

import scala.collection.compat._
import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

/** Packages form no cycle: what a package uses never leads back to it. */
class PackagesSuite extends AnyFunSuite {
  import PackagesSuite._

  test("the packages of the product form no cycle") {
    val found = used
    Seq("sql" -> "call", "operator" -> "index.contract", "index.bic" -> "index.forests").foreach {
      case (one, other) => assert(found(s"$Root.$one" -> s"$Root.$other"))
    }
    assert(cycles(found) == Nil)
  }

  test("a cycle is found, and what leads to it is not told") {
    assert(cycles(Set("a" -> "b", "b" -> "c", "c" -> "a", "d" -> "a")) == Seq(Set("a", "b", "c")))
  }
}

object PackagesSuite {
  private val Root = "io.github.sparkbic"

  /** Packages, and others that they use: by their class files, and by their imports. Types and constants may be imported
    * and leave no trace in class files.
    */
  private def used: Set[(String, String)] = {
    val byClasses = s"(?m)^ +($Root[.\\w]*) +-> ($Root[.\\w]*) ".r.findAllMatchIn(dependencies)
      .map(found => found.group(1) -> found.group(2)).toSet
    val packages = byClasses.flatMap { case (one, other) => Set(one, other) }
    val byImports = for {
      source <- sources
      own <- s"(?m)^package ($Root[.\\w]*)".r.findFirstMatchIn(source).map(_.group(1)).toSeq
      path <- s"(?m)^ *import ($Root[.\\w]*)".r.findAllMatchIn(source).map(_.group(1))
      other <- path.split('.').inits.map(_.mkString(".")).find(packages) if other != own
    } yield own -> other
    byClasses ++ byImports
  }

  /** What the JDK's own reader of class files tells. */
  private def dependencies: String = {
    val classes = Paths.get(PythonApi.getClass.getProtectionDomain.getCodeSource.getLocation.toURI)
    val out = new StringWriter
    val writer = new PrintWriter(out)
    ToolProvider.findFirst("jdeps").get.run(writer, writer, "-verbose:package", classes.toString)
    out.toString
  }

  private def sources: Seq[String] = {
    val files = Files.walk(Path.of("src/main/scala/io/github/sparkbic"))
    try files.iterator.asScala.filter(_.toString.endsWith(".scala")).map(Files.readString(_)).toVector
    finally files.close()
  }

  /** The largest sets of packages each of which leads to all others. */
  private def cycles(used: Set[(String, String)]): Seq[Set[String]] = {
    def next(from: Set[String]): Set[String] =
      from.flatMap(one => used.collect { case (`one`, other) => other })
    def reached(from: String): Set[String] =
      Iterator.iterate(next(Set(from)))(all => all ++ next(all)).sliding(2).collectFirst {
        case Seq(before, after) if before == after => after
      }.get
    val packages = used.map(_._1)
    packages.filter(one => reached(one)(one)).map(one => reached(one).filter(reached(_)(one))).toSeq
      .sortBy(_.min)
  }
}
