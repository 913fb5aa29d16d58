package io.github.sparkbic

import java.nio.file.{Files, Paths}

import scala.collection.compat._
import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

/** Packages form no cycle: what a package uses never leads back to it.
  *
  * A file has one clause `package`. So it names what is in another package by the whole name, in an import or elsewhere, or
  * by a name that begins with a package inside of its own.
  */
class PackagesSuite extends AnyFunSuite {
  import PackagesSuite._

  test("the packages of the product form no cycle") {
    val files = Files.walk(Paths.get("src/main/scala/io/github/sparkbic"))
    val sources =
      try files.iterator.asScala.filter(_.toString.endsWith(".scala")).map(Files.readString(_)).toList
      finally files.close()
    assert(sources.size > 50)
    sources.foreach(source => assert(clause.findAllIn(source).size == 1, source))
    assert(cycles(uses(sources)) == Nil)
  }

  test("a cycle is found, whichever way a name is written, and none where only a comment has the name") {
    val above = s"package $root.above\nimport $root.above.low.Low\nclass High"
    val (found, none) = (Seq(Set(s"$root.above", s"$root.above.low")), Nil)
    Seq(
      s"import $root.above.High" -> found,
      s"import $root.{above => other, util}" -> found,
      s"import $root.{\n  util,\n  above\n}" -> found,
      s"object A { def a = new $root.above.High }" -> found,
      s"import $root.util.Odd, $root.above._" -> found,
      s"// import $root.above.High" -> none,
      s"/* as in\n[[$root.above.High]] */" -> none,
      s"import $root.aboveall.High" -> none
    ).foreach { case (use, expected) =>
      assert(cycles(uses(Seq(above, s"package $root.above.low\n$use\nclass Low"))) == expected, use)
    }
    val relative = s"package $root.above\nclass High extends low.Low"
    assert(cycles(uses(Seq(relative, s"package $root.above.low\nimport $root.above.High"))) == found)
    val ofObject = s"package $root\npackage object above { val low = $root.above.low.Low }"
    assert(cycles(uses(Seq(ofObject, s"package $root.above.low\nimport $root.above._"))) == found)
    val ring = Seq("a" -> "b", "b" -> "c", "c" -> "a").map { case (of, used) =>
      s"package $root.$of\nimport $root.$used.X"
    }
    assert(cycles(uses(ring)) == Seq(Set("a", "b", "c").map(each => s"$root.$each")))
    assert(cycles(uses(ring.tail)) == Nil)
  }
}

object PackagesSuite {
  val root = "io.github.sparkbic"
  val clause = """(?m)^package (?!object)([\w.]+)""".r
  private val packageObject = """(?m)^package object (\w+)""".r
  private val comment = """(?s)/\*.*?\*/|//[^\n]*""".r
  // A colon comes after the name in the coordinates of a jar.
  private val wholeName = """io\.github\.sparkbic(?!:)((?:\.\w+)*)(?:\.\{([^}]*)\})?""".r

  /** For each package the packages that it uses. */
  def uses(sources: Seq[String]): Map[String, Set[String]] = {
    val read = sources.map { source =>
      val names = clause.findFirstMatchIn(source).map(_.group(1)) ++ packageObject.findFirstMatchIn(
        source
      ).map(_.group(1))
      names.mkString(".") -> clause.replaceAllIn(comment.replaceAllIn(source, ""), "")
    }
    val known = read.map(_._1).toSet
    def packageOf(name: String) = name.split('.').inits.map(_.mkString(".")).find(known)
    read.groupMapReduce(_._1) { case (own, text) =>
      val whole = wholeName.findAllMatchIn(text).flatMap { m =>
        val members = Option(m.group(2)).fold(Seq(""))(_.split(',').toSeq.map("." + _.trim.split("\\s").head))
        members.flatMap(member => packageOf(root + m.group(1) + member))
      }
      val inside = known.filter { each =>
        val name = each.stripPrefix(s"$own.")
        name != each && s"(?<![\\w.])$name\\.".r.findFirstIn(text).nonEmpty
      }
      (whole.toSet ++ inside) - own
    }(_ ++ _)
  }

  /** The largest sets of packages each of which leads to all others. */
  def cycles(uses: Map[String, Set[String]]): Seq[Set[String]] = {
    def reached(from: String): Set[String] = {
      var (all, next) = (Set.empty[String], uses.getOrElse(from, Set.empty))
      while (next.nonEmpty) {
        all ++= next
        next = next.flatMap(uses.getOrElse(_, Set.empty)) -- all
      }
      all
    }
    val reach = uses.keySet.map(p => p -> reached(p)).toMap
    reach.keySet.filter(p => reach(p)(p)).map(p =>
      reach(p).filter(reach.getOrElse(_, Set.empty)(p))
    ).toSeq.sortBy(_.min)
  }
}
