package io.github.sparkbic.operator.state

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.TimedEdge
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.operator.block.{Names, PackedBlock}
import io.github.sparkbic.operator.question.Components

/** Component names in the state: they are what they were, small, and refused where they are damaged. */
class KeptNamesSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val anyNames: Gen[KeptNames] = for {
    wide <- Gen.oneOf(true, false)
    id = if (wide) Gen.choose(Long.MinValue, Long.MaxValue) else Gen.choose(-20L, 20L)
    keys <- Gen.containerOf[Set, Long](id)
    vertices <- Gen.listOfN(keys.size, id)
    births <- Gen.listOfN(keys.size, id)
  } yield KeptNames(keys.toArray, vertices.toArray, births.toArray)

  private def content(names: KeptNames): Seq[(Long, Long, Long)] =
    names.keys.indices.map(i => (names.keys(i), names.vertices(i), names.births(i)))

  test("names are read as they were written, by rising key, or refused for a reason") {
    forAll(anyNames) { names =>
      val out = new BinaryWriter
      names.save(out)
      val in = new BinaryReader(out.toBytes)
      assert(content(KeptNames.none.restore(in)) == content(names).sorted && in.remaining == 0)
      out.toBytes.indices.foreach { i =>
        val damaged = out.toBytes
        damaged(i) = (damaged(i) ^ 0x55).toByte
        try assert(content(KeptNames.none.restore(new BinaryReader(damaged))) != content(names))
        catch { case e: CorruptStateException => assert(e.getMessage.nonEmpty) }
      }
    }
  }

  /** Components of two vertices in pane 0, of which the smaller one is in pane 1 as well. */
  private def pairs(pane: Long, strings: Boolean): PackedBlock = {
    val edges = (0L until 300L).map(i => TimedEdge(pane, 10 * i, if (pane == 0) 10 * i + 1 else 10 * i))
    if (strings) Names.block(pane, edges) else Names.numbered(pane, edges)
  }

  for (strings <- Seq(true, false))
    test(s"names take a few bytes each, and are written when a window was answered; strings $strings") {
      val shape = StateShape("recency", Panes(2000L, 1000L), strings, Kept.Names())
      val graph = new StoredGraph(shape, inPanes = true, CacheLimit(Some(0)))
      val question = new Components(strings, 1, updatesOnly = true, stable = true)
      def run(state: Held, watermark: Long, blocks: PackedBlock*): Held =
        graph.run(question, state, watermark, blocks: _*)._2
      val first = run(run(Held(), 0, pairs(0, strings)), 1)
      assert(first.kept.exists(_.size < 300 * (if (strings) 45 else 6)))
      val waiting = run(first, 1, pairs(1, strings))
      assert(waiting.kept == first.kept && waiting.header != first.header)
      val second = run(waiting, 2)
      assert(second.kept.nonEmpty)
      // In the window after the last one with edges everything has vanished.
      assert(run(second, 100) == Held())
    }
}
