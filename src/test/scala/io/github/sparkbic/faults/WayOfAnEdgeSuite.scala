package io.github.sparkbic.faults

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** The classes that an edge passes are few enough for one person to hold in mind. CONTRIBUTING draws the way. */
class WayOfAnEdgeSuite extends AnyFunSuite {

  test("an edge passes few classes on its way to an answer") {
    val folder = Files.createTempDirectory("spark-bic-way")
    val agent = s"-javaagent:${WayOfAnEdge.writeAgent(folder)}"
    val program = "io.github.sparkbic.faults.WayOfAnEdge"
    val child = ChildDriver.start(program, Seq(folder.toString), folder, "1g", Seq(agent))
    assert(child.awaitEnd(300000) && child.finished, child.output)
    def way(kind: String) = child.output.linesIterator.filter(_.startsWith(s"$kind ")).toSeq
    for ((kind, most) <- Seq("batch" -> 26, "stream" -> 32)) {
      val passed = way(kind)
      passed.foreach(info(_))
      info(s"$kind: ${passed.size} classes")
      assert(
        passed.contains(s"$kind operator.WindowOperator") && passed.size <= most,
        s"$kind: more than $most classes"
      )
    }
    ChildDriver.delete(folder)
  }
}
