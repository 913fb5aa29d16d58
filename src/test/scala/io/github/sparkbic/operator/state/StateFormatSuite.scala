package io.github.sparkbic.operator.state

import java.math.{BigDecimal => JBigDecimal}
import java.time.{Instant, LocalDate}
import java.util.zip.CRC32C

import org.apache.spark.sql.Row
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Stream, Streams, TestEdges, TimedEdge}
import io.github.sparkbic.index.Streams.{indexName, nameAsDrawn, shrinkStream}
import io.github.sparkbic.index.contract.{EdgeSet, Panes}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException, StateLayout}
import io.github.sparkbic.operator.block.{Names, PackedBlock, VertexIds}
import io.github.sparkbic.operator.question.ComponentStats

/** The state over the life of random streams: it is the same when it is read, and damage is told; and places of values. */
class StateFormatSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** The edges as blocks, one a pane, with vertices as they are or named by strings. */
  private def blocks(stream: Stream, strings: Boolean): Seq[PackedBlock] =
    stream.edges.groupBy(e => stream.panes.paneOf(e.time)).toSeq.sortBy(_._1).map { case (pane, edges) =>
      if (strings) Names.block(pane, edges) else Names.numbered(pane, edges)
    }

  /** The states of the graph after each of some micro-batches, of `step` panes each. */
  private def states(stream: Stream, shape: StateShape, step: Int): Seq[Array[Byte]] = {
    var bytes = Option.empty[Array[Byte]]
    blocks(stream, shape.strings).grouped(math.max(1, step)).toSeq.flatMap { batch =>
      val state = new ValueGraph(shape, 7, bytes)
      batch.foreach(state.add)
      // The last pane of each micro-batch stays open.
      if (state.isDue(batch.last.pane)) StoredGraph.close(state, batch.last.pane)
      bytes = state.nextEnd.map(_ => state.save())
      bytes
    }
  }

  test("a state of any stream that is read and written again is the same, read lazily or in full") {
    forAll(Streams.stream, indexName, Gen.prob(0.4), Gen.choose(1, 6)) { (stream, index, strings, step) =>
      val shape = StateShape(index, stream.panes, strings)
      states(stream, shape, step).foreach { bytes =>
        assert(new ValueGraph(shape, 7, Some(bytes)).save().toSeq == bytes.toSeq)
        def readInFull(bytes: Array[Byte]): Array[Byte] = {
          val state = new ValueGraph(shape, 7, Some(bytes))
          state.cursorToFeed()
          state.save()
        }
        // The names of vertices that nothing holds any more are forgotten, once.
        val kept = if (strings) readInFull(bytes) else bytes
        val size = new ValueGraph(shape, 7, Some(kept)).indexSize
        assert(new ValueGraph(shape, 7, Some(readInFull(kept))).indexSize == size)
      }
    }
  }

  /** The same bytes with another payload, and a checksum that says it is right. */
  private def withChecksum(bytes: Array[Byte]): Array[Byte] = {
    val crc = new CRC32C
    crc.update(bytes(4).toInt)
    crc.update(bytes, 12, 4)
    crc.update(bytes, 20, bytes.length - 20)
    val out = new BinaryWriter(16)
    out.fixedInt(crc.getValue.toInt)
    System.arraycopy(out.toBytes, 0, bytes, 16, 4)
    bytes
  }

  /** Reads the bytes with a bit of the payload flipped, under a right checksum: every `step`-th one in turn. */
  private def readsOrRefuses(bytes: Array[Byte], step: Int = 1)(read: Array[Byte] => Any): Unit =
    (20 * 8 until bytes.length * 8 by step).foreach { bit =>
      val copy = bytes.clone()
      copy(bit / 8) = (copy(bit / 8) ^ (1 << bit % 8)).toByte
      try read(withChecksum(copy))
      catch {
        case e: CorruptStateException => assert(e.getMessage.nonEmpty)
      }
    }

  test("a payload that no release can have written, under a right checksum, is read or refused for a reason") {
    forAll(Streams.stream, indexName, Gen.prob(0.4), Gen.choose(1, 6), minSuccessful(40)) {
      (stream, index, strings, step) =>
        val shape = StateShape(index, stream.panes, strings)
        states(stream, shape, step).lastOption.foreach { bytes =>
          readsOrRefuses(bytes, step = math.max(1, bytes.length / 40)) { damaged =>
            new ValueGraph(shape, 7, Some(damaged)).cursorToFeed()
          }
        }
    }
  }

  /** The bytes of a part in a state of its own. */
  private def part(block: PackedBlock, strings: Boolean): Array[Byte] = {
    val state = new Values
    new EdgeParts(strings, 7, state).add(0, Seq(block))
    state.get(StatePlace.Part(0, 0)).get
  }

  private def read(bytes: Array[Byte], strings: Boolean): EdgeSet = {
    val state = new Values
    state.put(StatePlace.Part(0, 0), Some(bytes))
    val parts = new EdgeParts(strings, 7, state)
    parts.panes.put(0, PaneEntry(1, Seq(0, 0), 0))
    parts.read(0, VertexIds.create(strings)).next()
  }

  test("so is a part of a pane, with names or without, which is no part of a graph of strings") {
    forAll(Streams.stream, minSuccessful(40)) { stream =>
      blocks(stream, strings = true).take(3).foreach { block =>
        readsOrRefuses(part(block, strings = true))(bytes => TestEdges.links(read(bytes, strings = true)))
      }
      val loose = EdgeSets.toBytes(TestEdges.loose(stream.edges.take(20)))
      val bytes = part(PackedBlock(0, 1, loose, null), strings = false)
      readsOrRefuses(bytes)(damaged => TestEdges.links(read(damaged, strings = false)))
      val e = intercept[CorruptStateException](read(bytes, strings = true))
      assert(e.getMessage == "it ends within a number")
    }
  }

  test("counted panes that do not rise are refused, and so are more than there can be") {
    def refusal(panes: Long, numbers: Long*): String = {
      val out = new BinaryWriter
      out.unsigned(panes)
      numbers.foreach(out.signed)
      intercept[CorruptStateException]((new PaneCounts).restore(new BinaryReader(out.toBytes))).getMessage
    }
    assert(refusal(2, 5, 0, 0, 0) == "the counted panes are not in rising order")
    assert(refusal(2, 5, 0, -1, 0) == "the counted panes are not in rising order")
    assert(refusal(9, 5, 0) == "the number of counted panes is 9, but must be below 4")
  }

  test("a value of any other version is refused, whatever it holds") {
    val frame = StateFrame.seal(StateLayout.PartMagic, 7, new BinaryWriter)
    assert(StateFrame.open(StateLayout.PartMagic, 7, frame).remaining == 0)
    (0 to 255).filter(_ != StateLayout.Version).foreach { version =>
      frame(4) = version.toByte
      val e = intercept[CorruptStateException](StateFrame.open(StateLayout.PartMagic, 7, withChecksum(frame)))
      assert(e.getMessage == s"its format version is $version, but this release reads version 1")
      assert(e.remedy.startsWith("Run the query with the release that wrote the checkpoint, or"))
    }
  }

  test("the operator names the graph whose state is damaged, and what to do, and gives no row") {
    val shape = StateShape("bic", Panes(10000L, 5000L), strings = false, by = Seq("region", "site"))
    val question = new ComponentStats(sizes = false)
    def graph(key: Row) = new StoredGraph(shape, inPanes = false, CacheLimit(Some(0)), key)
    val own = graph(Row("eu", 7))
    def edge(millis: Long) =
      Names.numbered(shape.panes.paneOf(millis * 1000), Seq(TimedEdge(millis, millis, millis + 1)))
    val good = own.run(question, own.run(question, Held(), 1, edge(1))._2, 8, edge(8))._2
    assert(own.run(question, good, 17, edge(17))._1.size > 1)
    own.assertDamageIsRefused(question, good, 17, edge(17))(StatePlace.Graph)
    def refusal(bytes: Seq[Byte], of: StoredGraph = own) =
      of.refusal(question, Held().updated(StatePlace.Graph, Some(bytes)), 17, edge(17))
    val bytes = good.header.get
    assert(bytes.indices.map(length => refusal(bytes.take(length))).forall(_.startsWith("it has ")))
    assert(refusal(
      bytes.dropRight(3)
    ).startsWith(s"it has ${bytes.size - 23} bytes instead of ${bytes.size - 20}. "))
    assert(refusal(bytes, graph(Row("eu", 8))).startsWith("it was written for another graph, "))
  }

  private def utf8(text: String) = text.getBytes("UTF-8")

  test("equal keys have one place, as other objects and other collections too, and from release to release") {
    def key(items: collection.Seq[Any]) = Row(utf8("eu"), 7, Row(items, 1.5), null, LocalDate.of(2026, 1, 2))
    val same = Seq[collection.Seq[Any]](Seq(1, 2), Vector(1, 2), collection.mutable.ArrayBuffer(1, 2))
    assert(same.map(items => StatePlace.graph("q", key(items))).distinct.size == 1)
    assert(StatePlace.graph("q", Row(-0.0, 7)) == StatePlace.graph("q", Row(0.0, 7L)))
    assert(StatePlace.graph("91dc", Row(utf8("eu"), 7)) == -181134941)
  }

  test("graphs, queries, panes, parts and what is kept beside them have places of their own") {
    val keys =
      Seq(Row(0), Row(1), Row(utf8("1")), Row(utf8("a"), utf8("b")), Row(Row(utf8("a"), utf8("b")))) ++
        Seq(Row(utf8("ab")), Row(new JBigDecimal("1.50")), Row(Instant.EPOCH), Row(null))
    val places = for {
      key <- keys
      one = StatePlace.graph("q", key)
      parts = for (pane <- -2L to 2L; part <- 0 to 2) yield StatePlace.Part(pane, part).hash(one)
      place <- parts ++ Seq(one, StatePlace.Beside.hash(one), StatePlace.graph("r", key))
    } yield place
    // A number and its text may share a place, since the types of a query's keys never change.
    assert(places.distinct.size == places.size - 2 - 1 - 15)
  }
}
