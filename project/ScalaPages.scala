import java.io.File

import sbt.io.IO

/** The Scala code on the pages of the documentation, as tests: a page that does not compile, or whose code fails, fails
  * the build of the tests or its test.
  *
  *   - a fenced block of `scala` is the body of a test that is named after its page and line, inside
  *     `io.github.sparkbic.docs.ScalaPage`, which has what `spark-shell` has, in an empty folder;
  *   - `<!-- check scala: ... -->` after a block goes on in its scope: readers do not see it, and it may hold assertions
  *     alone, since code that readers do not see prepares nothing.
  */
object ScalaPages {
  private val Piece = """(?ms)^```scala\n(.*?)^```$(?:\s*<!-- check scala:\n(.*?)-->)?""".r

  /** Writes the suite of all pages into `target`. */
  def suite(root: File, pages: Seq[File], target: File): File = {
    val tests = for {
      page <- pages.sortBy(_.getPath)
      text = IO.read(page)
      block <- Piece.findAllMatchIn(text)
    } yield {
      val name = s"${IO.relativize(root, page).get}:${text.substring(0, block.start).count(_ == '\n') + 1}"
      val checks = Option(block.group(2)).getOrElse("")
      if (!checks.linesIterator.forall(_.startsWith("assert(")))
        sys.error(s"$name: what is hidden may only assert")
      val code = block.group(1) + checks
      s"""  test("$name") {
         |    locally {
         |${code.linesIterator.map("      " + _).mkString("\n")}
         |      ()
         |    }
         |  }
         |""".stripMargin
    }
    if (tests.isEmpty) sys.error(s"no Scala code on ${pages.size} pages")
    val file = new File(target, "io/github/sparkbic/docs/ScalaPagesSuite.scala")
    val source =
      s"""package io.github.sparkbic.docs
         |
         |class ScalaPagesSuite extends ScalaPage {
         |${tests.mkString("\n")}}
         |""".stripMargin
    if (!file.exists || IO.read(file) != source) IO.write(file, source)
    file
  }
}
