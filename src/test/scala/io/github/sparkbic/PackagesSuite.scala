package io.github.sparkbic

import java.nio.file.{Files, Path, Paths}

import scala.collection.compat._
import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

/** Packages form no cycle: what a package uses never leads back to it. */
class PackagesSuite extends AnyFunSuite {
  import PackagesSuite._

  test("the packages of the product form no cycle") {
    val files = Files.walk(Paths.get("src/main/scala/io/github/sparkbic"))
    val sources =
      try files.iterator.asScala.filter(_.toString.endsWith(".scala")).map(file =>
          file -> Files.readString(file)
        ).toMap
      finally files.close()
    assert(sources.size > 50)
    assert(cycles(uses(sources)) == Nil)
  }

  private def cyclesOf(sources: String*): Seq[Set[String]] =
    cycles(uses(sources.zipWithIndex.map { case (text, i) => Paths.get(s"$i.scala") -> text }.toMap))

  private val root = "io.github.sparkbic"

  test(
    "a cycle is found, whichever way a name is written, and what is only told in comments and texts is none"
  ) {
    val above = s"package $root.above\nimport $root.below.Low\nclass High"
    Seq(
      s"import $root.above.High",
      s"import $root.{above => other, util}",
      s"import $root.{\n  util,\n  above\n}",
      "import above.High",
      s"object A { def a = new $root.above.High }",
      "object A { def a = new above.High }",
      s"import $root.util.Odd, $root.above.High"
    ).foreach { use =>
      val nested = s"package $root\npackage below\n$use\nclass Low"
      assert(cyclesOf(above, nested) == Seq(Set(s"$root.above", s"$root.below")), use)
    }
    Seq(
      s"// import $root.above.High",
      s"/* $root.above.High /* nested */ above.High */",
      s"""object A { val a = "$root.above.High" }""",
      "object A { val a = \"\"\"\n  above.High\n\"\"\" }",
      "object A { def a(x: A) = x.above.High }",
      s"import $root.aboveall.High"
    ).foreach(use => assert(cyclesOf(above, s"package $root\npackage below\n$use\nclass Low") == Nil, use))
  }

  test(
    "a cycle over three packages, and one between a package and its parent, whose names it sees without an import"
  ) {
    val ring = Seq("a" -> "b", "b" -> "c", "c" -> "a").map { case (of, used) =>
      s"package $root.$of\nimport $root.$used.X\nclass X"
    }
    assert(cyclesOf(ring: _*) == Seq(Set("a", "b", "c").map(each => s"$root.$each")))
    assert(cyclesOf(ring.tail: _*) == Nil)
    val parent = s"package $root\nimport $root.a.X\nclass P"
    assert(cyclesOf(parent, s"package $root.a\nimport $root.P\nclass X") == Seq(Set(root, s"$root.a")))
    assert(cyclesOf(
      parent,
      s"package $root.a\nimport $root._\nclass X extends P"
    ) == Seq(Set(root, s"$root.a")))
    assert(cyclesOf(parent, s"package $root\npackage a\nclass X extends P") == Seq(Set(root, s"$root.a")))
    assert(cyclesOf(parent, s"""package $root\npackage a\nclass X { def parent = "P" }""") == Nil)
  }
}

object PackagesSuite {

  private val clause = """(?m)^package (?!object)([\w.]+)""".r
  private val packageObject = """(?m)^package object (\w+)""".r
  private val named =
    """(?m)^(?:@\w+ )?(?:(?:private|protected)(?:\[\w+\])? |final |sealed |abstract |implicit |case )*(?:class|object|trait|type|val|def) (\w+)""".r
  private val imported = """(?m)^[ \t]*import ([^\n{]+(?:\{[^}]*\})?(?:,[ \t]*[\w.]+(?:\{[^}]*\})?)*)""".r
  private val path = """(?<![\w.])[a-z]\w*(?:\.\w+)+""".r
  private val word = """(?<![\w.])[A-Z]\w*""".r

  private final case class Source(packages: Seq[String], names: Set[String], text: String) {

    /** The package that this is of. */
    def own: String = packages.last
  }

  /** The source without what is no code. Text between triple quotes is generated code, which names classes by `classOf`. */
  private def code(text: String): String = {
    val skipped = """(?s)\"\"\".*?\"\"\"+|"(?:\\\\.|[^"\\\\\n])*"|//[^\n]*|'(?:\\\\.|[^\\\\])'|/\*""".r
    val out = new StringBuilder
    var at = 0
    Iterator.continually(
      skipped.findFirstMatchIn(text.substring(at))
    ).takeWhile(_.isDefined).flatten.foreach { m =>
      out ++= text.substring(at, at + m.start) + " "
      at += (if (m.matched == "/*") m.start + commentLength(text.substring(at + m.start)) else m.end)
    }
    out.append(text.substring(at)).toString
  }

  /** Comments of Scala hold others. */
  private def commentLength(text: String): Int = {
    val marks = """/\*|\*/""".r.findAllMatchIn(text)
    var depth = 0
    marks.find { m =>
      depth += (if (m.matched == "/*") 1 else -1)
      depth == 0
    }.fold(text.length)(_.end)
  }

  private def read(text: String): Source = {
    val stripped = code(text)
    val clauses = clause.findAllMatchIn(stripped).map(_.group(1)).toSeq
    val objects = packageObject.findAllMatchIn(stripped).map(_.group(1)).toSeq
    val packages =
      (clauses ++ objects).scanLeft("")((outer, name) => if (outer.isEmpty) name else s"$outer.$name").tail
    val names = named.findAllMatchIn(stripped).map(_.group(1)).toSet
    // What a package object holds is indented, and a member of the package.
    val inner = if (objects.isEmpty) Set.empty[String]
    else named.findAllMatchIn(stripped.replaceAll("(?m)^  ", "")).map(_.group(1)).toSet
    Source(packages, names ++ inner, stripped)
  }

  /** For each package those that it uses. */
  def uses(sources: Map[Path, String]): Map[String, Set[String]] = {
    val read = sources.values.map(this.read).toSeq
    val known = read.map(_.own).toSet
    val names = read.groupMapReduce(_.own)(_.names)(_ ++ _)
    read.groupMapReduce(_.own)(source => usedBy(source, known, names) - source.own)(_ ++ _)
  }

  private def usedBy(source: Source, known: Set[String], names: Map[String, Set[String]]): Set[String] = {
    val outer = source.packages.flatMap(p => p.split('.').inits.filter(_.nonEmpty).map(_.mkString("."))).toSet
    // A clause `package a.b` opens what is in `a.b`, and not what is in `a`.
    val open = source.packages.toSet
    val importedPaths = imported.findAllMatchIn(source.text).flatMap(m => importsOf(m.group(1))).toSeq
    val body = imported.replaceAllIn(source.text, "").replaceAll("(?m)^package .*$", "")
    val paths = importedPaths ++ path.findAllIn(body)
    val byPath = paths.flatMap { written =>
      val absolute = written.stripPrefix("_root_.") +: open.toSeq.map(p => s"$p.$written") ++: Nil
      absolute.flatMap(longest(_, known))
    }
    val wild = importedPaths.filter(p => p.endsWith("._")).map(_.stripSuffix("._")).flatMap(longest(_, known))
    val words = word.findAllIn(body).toSet
    val byName = (outer.intersect(open) - source.own).filter(p =>
      names.getOrElse(p, Set.empty).intersect(words -- source.names).nonEmpty
    )
    (byPath.filterNot(wild.contains) ++ wild ++ byName).toSet
  }

  /** The paths that an import names: `a.{b => c, d}` names `a.b` and `a.d`. */
  private def importsOf(text: String): Seq[String] =
    """([\w.]+?)\.?(?:\{([^}]*)\})?(?:,|$)""".r.findAllMatchIn(
      text.trim
    ).filter(_.matched.nonEmpty).toSeq.flatMap { m =>
      Option(m.group(2)).fold(Seq(m.group(1)))(_.split(',').toSeq.map(each =>
        s"${m.group(1)}.${each.trim.split("\\s").head}"
      ))
    }

  /** The longest package that a path starts with. */
  private def longest(path: String, known: Set[String]): Option[String] =
    path.split('.').inits.map(_.mkString(".")).find(known)

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
