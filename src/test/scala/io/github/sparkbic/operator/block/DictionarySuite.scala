package io.github.sparkbic.operator.block

import scala.collection.mutable

import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.forests.{EdgeSets, PaneForest}
import io.github.sparkbic.index.format.BinaryReader
import io.github.sparkbic.operator.block.Names.nameOf

/** Names that blocks share: a reader finds for each vertex the name that the writer had. */
class DictionarySuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** A block of one pane, and the vertices that it holds, each a root of its own. */
  private case class Sent(pane: Long, vertices: Seq[Long], block: PackedBlock) {
    def names: Int = new BinaryReader(block.names).count("the number of names")
  }

  /** The blocks of a task whose panes have these vertices. */
  private def blocksOf(task: Int, panes: Seq[(Long, Seq[Long])], perWindow: Int): Seq[Sent] = {
    val table = new NameTable
    // Not in the order in which they are packed.
    panes.reverse.foreach(_._2.foreach(vertex => Names.intern(table, nameOf(vertex))))
    val numbers = Iterator.from(1).map(_ + 1000L * task)
    val writer = new DictionaryWriter(table, perWindow, () => numbers.next())
    panes.map { case (pane, vertices) =>
      writer.turnTo(pane, segment = 0)
      val positions = vertices.map { vertex =>
        writer.position(table.find(UTF8String.fromString(nameOf(vertex))).toLong).toLong
      }
      val forest = new PaneForest(positions.toArray, Array.range(0, positions.size))
      Sent(pane, vertices, writer.block(pane, 1, EdgeSets.toBytes(forest)))
    }
  }

  private val task: Gen[Seq[(Long, Seq[Long])]] = for {
    first <- Gen.frequency(4 -> Gen.choose(-30L, 30L), 1 -> Gen.oneOf(Long.MinValue + 1, -1L))
    steps <-
      Gen.nonEmptyListOf(Gen.frequency(8 -> Gen.const(1L), 4 -> Gen.choose(1L, 9L), 1 -> Gen.const(1L << 60)))
    vertices <- Gen.listOfN(steps.size, Gen.listOf(Gen.choose(0L, 60L)).map(_.distinct))
  } yield steps.tail.scanLeft(first)(_ + _).takeWhile(_ >= first).zip(vertices)

  private def namesOf(block: PackedBlock, ids: VertexIds): Seq[String] = {
    val names = Seq.newBuilder[String]
    EdgeSets.foreachVertex(ids.edgeSet(block))(id => names += Names.shown(ids, id).toString)
    names.result()
  }

  private def isWithin(panes: Int)(first: Long, last: Long): Boolean = BigInt(last) - first < panes

  test(
    "blocks of any tasks, read by pane, mean the names that were written, though only those of the last window are kept"
  ) {
    forAll(Gen.nonEmptyListOf(task).map(_.take(4)), Gen.choose(1, 6), Gen.oneOf(true, false)) {
      (tasks, perWindow, forgets) =>
        val blocks = tasks.zipWithIndex.flatMap { case (panes, i) => blocksOf(i, panes, perWindow) }
        val ids = VertexIds.create(strings = true, perWindow)
        val seen = mutable.Map.empty[Long, Long]
        blocks.sortBy(_.pane).foreach { sent =>
          assert(namesOf(sent.block, ids).sorted == sent.vertices.map(nameOf).sorted)
          seen ++= sent.vertices.map(_ -> sent.pane)
          val live = seen.collect { case (vertex, pane) if isWithin(perWindow)(pane, sent.pane) => vertex }
          if (forgets) ids.retain(visit => live.foreach(vertex => visit(Names.find(ids, nameOf(vertex)))))
          assert(live.forall(vertex => Names.find(ids, nameOf(vertex)) >= 0))
          assert(!forgets || Names.held(ids) == live.size)
        }
    }
  }

  test("a block sends the names that no block of its dictionary has had within the last window") {
    def check(panes: Seq[(Long, Seq[Long])], perWindow: Int): Unit = {
      var first, last = panes.head._1
      val seen = mutable.Map.empty[Long, Long]
      blocksOf(0, panes, perWindow).foreach { sent =>
        def known =
          seen.collect { case (vertex, pane) if isWithin(perWindow)(pane, sent.pane) => vertex }.toSet
        if (!isWithin(perWindow)(last, sent.pane) || !isWithin(2 * perWindow)(first, sent.pane)) {
          first = sent.pane
          seen.clear()
        }
        assert(sent.names == sent.vertices.count(!known(_)))
        seen ++= sent.vertices.map(_ -> sent.pane)
        last = sent.pane
      }
    }
    forAll(task, Gen.choose(1, 6))(check(_, _))
    // Panes that are farther apart than a Long can tell.
    check(Seq(Long.MinValue + 1, Long.MinValue + 2, 7L, 8L).map(_ -> Seq(1L, 2L)), 4)
  }
}
