package io.github.sparkbic.operator.state

import scala.util.Random

import org.apache.spark.sql.Row
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.operator.block.{Names, PackedBlock, VertexIds}
import io.github.sparkbic.operator.question.Components

/** Component names in the state: they are what they were, small, and refused where they are damaged or missing. */
class KeptNamesSuite extends SharedSparkSession with ScalaCheckPropertyChecks {

  private val anyNames: Gen[KeptNames] = for {
    wide <- Gen.oneOf(true, false)
    id = if (wide) Gen.choose(Long.MinValue, Long.MaxValue) else Gen.choose(-20L, 20L)
    keys <- Gen.containerOf[Set, Long](id)
    vertices <- Gen.listOfN(keys.size, id)
    births <- Gen.listOfN(keys.size, id)
  } yield KeptNames(keys.toArray, vertices.toArray, births.toArray)

  private def content(names: KeptNames): Seq[(Long, Long, Long)] =
    names.keys.indices.map(i => (names.keys(i), names.vertices(i), names.births(i)))

  private def shapeOf(kept: Kept, strings: Boolean) =
    StateShape("recency", Panes(2000L, 1000L), strings, kept, by = Seq("site"))

  /** What is kept beside the windows, written as a value of its own and read by a graph with other ids. */
  private def again[A <: KeptPart](part: A, kept: Kept, ids: VertexIds, other: VertexIds): A =
    KeptPart.read(shapeOf(kept, other.size > 0), Some(part.toPart(ids, 7)), other, 7).asInstanceOf[A]

  test("names are read as they were written, by rising key, or refused for a reason") {
    forAll(anyNames) { names =>
      val out = new BinaryWriter
      names.save(out)
      val in = new BinaryReader(out.toBytes)
      assert(content(KeptNames.none.restore(in)) == content(names).sorted && in.remaining == 0)
      val ids = VertexIds.create(strings = false)
      assert(content(again(names, Kept.Names(), ids, ids)) == content(names))
      out.toBytes.indices.foreach { i =>
        val damaged = out.toBytes
        damaged(i) = (damaged(i) ^ 0x55).toByte
        try assert(content(KeptNames.none.restore(new BinaryReader(damaged))) != content(names))
        catch { case e: CorruptStateException => assert(e.getMessage.nonEmpty) }
      }
    }
  }

  test("strings in names, and of emitted pairs, are the same in a graph that numbers them in another order") {
    forAll(Gen.nonEmptyContainerOf[Set, Int](Gen.choose(0, 60)), Gen.long) { (some, seed) =>
      val random = new Random(seed)
      val words = some.toSeq.map(i => Names.nameOf(i.toLong))
      def numbered(ids: VertexIds, words: Seq[String]): Array[Long] =
        ids.unpacked(new BinaryReader(Names.packed(words)), words.indices.map(_.toLong).toArray)
      val (ids, other) = (VertexIds.create(strings = true), VertexIds.create(strings = true))
      val here = numbered(ids, words)
      numbered(other, random.shuffle(words))
      def any() = here(random.nextInt(here.length))

      val names = KeptNames(here, here.map(_ => any()), here)
      def shown(names: KeptNames, ids: VertexIds) =
        content(names).map { case (k, v, born) => (Names.shown(ids, k), Names.shown(ids, v), born) }.toSet
      assert(shown(again(names, Kept.Names(), ids, other), other) == shown(names, ids))

      val emitted = new EmittedPairs(shapeOf(Kept.Emitted, strings = true).panes)
      val pairs = here.map(source => (source, any()))
      pairs.foreach { case (source, target) => emitted.emit(source, target, 2)(2, 1, 4) }
      val read = again(emitted, Kept.Emitted, ids, other)
      def there(id: Long) = Names.find(other, Names.shown(ids, id).toString)
      for (source <- here; target <- here)
        assert(read.contains(there(source), there(target), 2)(2, 1, 4) == pairs.contains((source, target)))
      assert(other.size == words.size)
    }
  }

  /** Components of two vertices in pane 0, of which the smaller one is in pane 1 as well. */
  private def pairs(pane: Long, strings: Boolean): PackedBlock = {
    val edges = (0L until 300L).map(i => TimedEdge(pane, 10 * i, if (pane == 0) 10 * i + 1 else 10 * i))
    if (strings) Names.block(pane, edges)
    else PackedBlock(pane, edges.size.toLong, TestEdges.any(pane, edges).toBytes, null)
  }

  private def graphOf(strings: Boolean) =
    new StoredGraph(shapeOf(Kept.Names(), strings), inPanes = true, CacheLimit(Some(0)))

  private def question(graph: StoredGraph) =
    new Components(graph.shape.strings, 1, updatesOnly = true, stable = true)

  private def run(graph: StoredGraph, state: Held, watermark: Long, blocks: PackedBlock*): Held =
    graph.run(question(graph), state, watermark, blocks: _*)._2

  for (strings <- Seq(true, false))
    test(
      s"names take a few bytes a component, and are written when a window was answered; strings $strings"
    ) {
      val graph = graphOf(strings)
      val first = run(graph, run(graph, Held(), 0, pairs(0, strings)), 1)
      assert(first.kept.exists(_.size < 300 * (if (strings) 45 else 6)))
      val waiting = run(graph, first, 1, pairs(1, strings))
      assert(waiting.kept == first.kept && waiting.header != first.header)
      val second = run(graph, waiting, 2)
      assert(second.kept.nonEmpty)
      // In the window after the last one with edges everything has vanished.
      assert(run(graph, second, 100) == Held())
    }

  test("names that are damaged, missing, or of other components are refused with the graph's key") {
    val graph = graphOf(strings = false)
    val state = run(graph, run(graph, Held(), 0, pairs(0, strings = false)), 1)
    def refusal(names: Option[Seq[Byte]]) =
      graph.refusal(question(graph), state.updated(StatePlace.Beside, names), 2)
    assert(refusal(None).startsWith("the names of its components are missing. "))
    graph.assertDamageIsRefused(question(graph), state, 2)(StatePlace.Beside)
    val others = KeptNames(Array(1L, 2L), Array(1L, 2L), Array(1L, 1L))
    val swapped = others.toPart(VertexIds.create(strings = false), StatePlace.graph("", Row("a"))).toSeq
    assert(
      refusal(Some(swapped)).startsWith("its names are not those of the components of its last window. ")
    )
  }
}
