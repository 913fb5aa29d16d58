package io.github.sparkbic.operator.state

import scala.util.Random

import org.apache.spark.sql.Row
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.operator.WindowOperator
import io.github.sparkbic.operator.block.{Names, PackedBlock, VertexIds}
import io.github.sparkbic.operator.question.Components
import io.github.sparkbic.operator.state.AttemptsSuite.{Held, KeptByPane}

/** Component names in the state: they are what they were, small, and refused where they are damaged or missing. */
class KeptNamesSuite extends SharedSparkSession with ScalaCheckPropertyChecks {
  private val key = Row("a")

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
      assert(content(KeptNames.restore(in)) == content(names).sorted && in.remaining == 0)
      val ids = VertexIds.create(strings = false)
      assert(content(KeptPart.read(names.toPart(ids, 7), ids, 7)(KeptNames.restore)) == content(names))
      out.toBytes.indices.foreach { i =>
        val damaged = out.toBytes
        damaged(i) = (damaged(i) ^ 0x55).toByte
        try assert(content(KeptNames.restore(new BinaryReader(damaged))) != content(names))
        catch { case e: CorruptStateException => assert(e.getMessage.nonEmpty) }
      }
    }
  }

  test("names of strings are the same strings in a graph that numbers them in another order") {
    forAll(Gen.nonEmptyContainerOf[Set, Int](Gen.choose(0, 60)), Gen.long) { (some, seed) =>
      val random = new Random(seed)
      val words = some.toSeq.map(i => Names.nameOf(i.toLong))
      def numbered(ids: VertexIds, words: Seq[String]): Array[Long] =
        ids.unpacked(new BinaryReader(Names.packed(words)), words.indices.map(_.toLong).toArray)
      val ids = VertexIds.create(strings = true)
      val numbers = numbered(ids, words)
      val names = KeptNames(numbers, numbers.map(_ => numbers(random.nextInt(numbers.length))), numbers)
      val other = VertexIds.create(strings = true)
      numbered(other, random.shuffle(words))
      def shown(names: KeptNames, ids: VertexIds) =
        content(names).map { case (k, v, born) => (Names.shown(ids, k), Names.shown(ids, v), born) }.toSet
      assert(shown(KeptPart.read(names.toPart(ids, 7), other, 7)(KeptNames.restore), other) == shown(
        names,
        ids
      ))
      assert(other.size == words.size && Names.find(other, words.head) >= 0)
    }
  }

  private def shapeOf(strings: Boolean) = StateShape(
    "recency",
    Panes(2000L, 1000L),
    strings,
    Kept.Names(),
    by = Seq("site")
  )

  /** Components of two vertices in pane 0, of which the smaller one is in pane 1 as well. */
  private def pairs(pane: Long, strings: Boolean): PackedBlock = {
    val edges = (0L until 300L).map(i => TimedEdge(pane, 10 * i, if (pane == 0) 10 * i + 1 else 10 * i))
    if (strings) Names.block(pane, edges)
    else PackedBlock(pane, edges.size.toLong, TestEdges.any(pane, edges).toBytes, null)
  }

  private def run(kept: KeptByPane, state: Held, watermark: Long, blocks: PackedBlock*): Held = {
    val (store, result) = kept.attempt(state, watermark)
    val question = new Components(kept.shape.strings, 1, updatesOnly = true, stable = true)
    new WindowOperator(kept.shape, question).stream(key, blocks.iterator, store).foreach(_ => ())
    result()
  }

  for (strings <- Seq(true, false))
    test(
      s"names take a few bytes a component, and are written when a window was answered; strings $strings"
    ) {
      val kept = new KeptByPane(shapeOf(strings), CacheLimit(Some(0)))
      val first = run(kept, run(kept, kept.empty, 0, pairs(0, strings)), 1)
      assert(first.kept.exists(_.size < 300 * (if (strings) 45 else 6)))
      val waiting = run(kept, first, 1, pairs(1, strings))
      assert(waiting.kept == first.kept && waiting.header != first.header)
      val second = run(kept, waiting, 2)
      assert(second.kept.nonEmpty)
      // In the window after the last one with edges everything has vanished.
      assert(run(kept, second, 100) == kept.empty)
    }

  test("names that are damaged, missing, or of other components are refused with the graph's key") {
    val kept = new KeptByPane(shapeOf(strings = false), CacheLimit(Some(0)))
    val state = run(kept, run(kept, kept.empty, 0, pairs(0, strings = false)), 1)
    def refusal(names: Option[Seq[Byte]]): String =
      intercept[IllegalStateException](run(kept, state.copy(kept = names), 2)).getMessage
    val graph = "the state of graph [a] cannot be read: "
    assert(refusal(None).startsWith(graph + "the names of its components are missing. "))
    state.kept.get.indices.foreach { i =>
      assert(refusal(state.kept.map(bytes => bytes.updated(i, (bytes(i) ^ 1).toByte))).startsWith(graph))
    }
    val others = KeptNames(Array(1L, 2L), Array(1L, 2L), Array(1L, 1L))
    val swapped =
      others.toPart(VertexIds.create(strings = false), new StatePlace("", AttemptsSuite.key).kept).toSeq
    assert(refusal(Some(swapped)).startsWith(
      graph + "its names are not those of the components of its last window. "
    ))
  }
}
