package io.github.sparkbic.operator.block

import scala.collection.mutable

import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{TestEdges, TimedEdge}
import io.github.sparkbic.index.Streams.asDrawn
import io.github.sparkbic.index.forests.PaneForest
import io.github.sparkbic.index.format.BinaryReader
import io.github.sparkbic.operator.block.Names.nameOf

/** Names that blocks share: what the reader makes of a number is the name that the writer had. */
class NameDeltaSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** A block of one pane of a run, and the vertices that it holds, each a root of its own. */
  private case class Sent(pane: Long, vertices: Seq[Long], isLast: Boolean, block: PackedBlock) {
    def names: Int = new BinaryReader(block.names).count("the number of names")
  }

  /** The blocks of a run whose panes have these vertices. */
  private def blocksOf(run: Int, panes: Seq[(Long, Seq[Long])], perWindow: Int): Seq[Sent] = {
    val table = new NameTable
    // Not in the order in which they are packed.
    panes.reverse.foreach(_._2.foreach(vertex => table.intern(UTF8String.fromString(nameOf(vertex)))))
    val writer = new DeltaWriter(table, perWindow, run.toLong)
    panes.zipWithIndex.map { case ((pane, vertices), i) =>
      writer.turnTo(pane)
      val numbers =
        vertices.map(vertex => writer.number(table.find(UTF8String.fromString(nameOf(vertex)))).toLong)
      val forest = new PaneForest(numbers.toArray, Array.range(0, numbers.size))
      val isLast = i == panes.size - 1
      val delta = writer.delta(isLast).toBytes
      Sent(pane, vertices, isLast, PackedBlock(pane, 1, forest.toBytes, writer.names, delta = delta))
    }
  }

  private val run: Gen[Seq[(Long, Seq[Long])]] = for {
    first <- Gen.frequency(4 -> Gen.choose(-30L, 30L), 1 -> Gen.oneOf(Long.MinValue + 1, -1L))
    steps <-
      Gen.nonEmptyListOf(Gen.frequency(8 -> Gen.const(1L), 4 -> Gen.choose(1L, 9L), 1 -> Gen.const(1L << 60)))
    vertices <- Gen.listOfN(steps.size, Gen.listOf(Gen.choose(0L, 60L)).map(_.distinct))
  } yield steps.tail.scanLeft(first)(_ + _).takeWhile(_ >= first).zip(vertices)

  test("blocks of any runs, read by pane, mean the names that were written, though no other name is kept") {
    forAll(Gen.nonEmptyListOf(run).map(_.take(4)), Gen.choose(1, 6), Gen.oneOf(true, false)) {
      (runs, perWindow, forgets) =>
        val blocks = runs.zipWithIndex.flatMap { case (panes, i) => blocksOf(i, panes, perWindow) }
        val ids = VertexIds.create(strings = true)
        blocks.sortBy(_.pane).foreach { sent =>
          assert(namesOf(sent.block, ids).sorted == sent.vertices.map(nameOf).sorted)
          assert(sent.vertices.forall(v => Names.find(ids, nameOf(v)) >= 0))
          if (forgets) ids.retain(_ => ())
        }
        // The last block of a run lets go of what it shared.
        ids.retain(_ => ())
        assert(ids.size == 0)
    }
  }

  test("loose edges find the ids of the names that were written") {
    val blocks = blocksOf(0, Seq(0L -> Seq(8L, 9L), 1L -> Seq(9L, 10L)), perWindow = 2)
    val ids = VertexIds.create(strings = true)
    ids.edgeSet(blocks(0).block)
    val loose = TestEdges.loose(Seq(TimedEdge(0, 2, 0), TimedEdge(0, 1, 1)))
    val links = TestEdges.links(ids.edgeSet(blocks(1).block.copy(edgeSet = loose.toBytes)))
    assert(links.map(e => Seq(e.src, e.dst).map(Names.shown(ids, _))) == Seq(
      Seq(9L, 9L),
      Seq(10L, 8L)
    ).map(_.map(nameOf)))
  }

  private def namesOf(block: PackedBlock, ids: VertexIds): Seq[String] = {
    val names = Seq.newBuilder[String]
    ids.edgeSet(block).vertices(id => names += Names.shown(ids, id).toString)
    names.result()
  }

  test("a name is sent once while it comes again within a window, and a reader holds those of two windows") {
    def check(panes: Seq[(Long, Seq[Long])], perWindow: Int): Unit = {
      val names = new VertexNames
      val reader = new SharedNumbers(names)
      val lastPane = mutable.Map.empty[Long, Long]
      val blocks = blocksOf(0, panes, perWindow)
      blocks.foreach { sent =>
        val recent =
          sent.vertices.count(lastPane.get(_).exists(pane => !isWindowAway(pane, sent.pane, perWindow)))
        assert(sent.names <= sent.vertices.size - recent)
        sent.vertices.foreach(lastPane(_) = sent.pane)
        reader.read(sent.block)
        if (!sent.isLast) {
          val read = blocks.takeWhile(_.pane <= sent.pane)
          val generations = generationsOf(read.map(_.pane), perWindow)
          val held = mutable.Set.empty[Long]
          reader.foreach(held += _)
          val expected =
            read.zip(generations).filter(_._2 >= generations.last - 1).flatMap(_._1.vertices).toSet
          assert(held.map(names.name(_).toString) == expected.map(nameOf))
        }
      }
      assert(reader.size == 0)
    }
    forAll(run, Gen.choose(1, 6))(check(_, _))
    // Panes that are farther apart than a Long can tell.
    check(Seq(Long.MinValue + 1, Long.MinValue + 2, 7L, 8L).map(_ -> Seq(1L, 2L)), 4)
  }

  test("names are forgotten when there are twice as many as there were, and not before") {
    def packed(from: Int, count: Int) = Names.packed((from until from + count).map(i => nameOf(i.toLong)))
    val ids = VertexIds.create(strings = true)
    def come(from: Int, count: Int): Unit = {
      ids.named(new PaneForest(Array.empty, Array.empty), packed(from, count))
      ids.retainIfGrown(few = 65536)(visit => (0L until 40000L).foreach(visit))
    }
    come(0, 60000)
    assert(ids.size == 60000)
    come(60000, 10000)
    assert(ids.size == 40000)
    come(70000, 39000)
    assert(ids.size == 79000)
    come(109000, 2000)
    assert(ids.size == 40000)
  }

  test(
    "a run after another one of the same writer carries nothing over, since a reader may not have that one"
  ) {
    val table = new NameTable
    Seq("a", "b").foreach(name => table.intern(UTF8String.fromString(name)))
    val writer = new DeltaWriter(table, perWindow = 4, run = 1L)
    writer.turnTo(0)
    assert(Seq(1, 0).map(writer.number) == Seq(0, 1))
    writer.beginRun(2L)
    writer.turnTo(1)
    assert(Seq(0, 1).map(writer.number) == Seq(0, 1))
    val delta = writer.delta(isLast = false)
    assert(delta.run == 2L && delta.begins && delta.carried.isEmpty)
    assert(new BinaryReader(writer.names).count("the number of names") == 2)
  }

  /** Blocks that share a dictionary have the same number, those that share the next one the next. */
  private def generationsOf(panes: Seq[Long], perWindow: Int): Seq[Int] =
    panes.tail.scanLeft((panes.head, 0)) { case ((first, generation), pane) =>
      if (isWindowAway(first, pane, perWindow)) (pane, generation + 1) else (first, generation)
    }.map(_._2)

  private def isWindowAway(from: Long, to: Long, perWindow: Int): Boolean = BigInt(to) - from >= perWindow
}
