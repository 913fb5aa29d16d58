package io.github.sparkbic.faults

import java.nio.file.Path

import org.scalatest.funsuite.AnyFunSuite

/** The classes that an edge passes are few enough for one person to hold in mind. CONTRIBUTING draws the way. */
class WayOfAnEdgeSuite extends AnyFunSuite {

  test("an edge passes few classes on its way to an answer") {
    def agent(folder: Path) = Seq(s"-javaagent:${WayOfAnEdge.writeAgent(folder)}")
    val printed = ChildDriver.run("WayOfAnEdge", "1g", agent)(folder => Seq(folder.toString))
    for ((kind, most) <- Seq("batch" -> 18, "stream" -> 23)) {
      val passed = printed.linesIterator.filter(_.startsWith(s"$kind ")).toSeq
      passed.foreach(info(_))
      info(s"$kind: ${passed.size} classes")
      assert(passed.contains(s"$kind operator.WindowOperator") && passed.size <= most)
    }
  }
}
