package io.github.sparkbic.operator.state

import java.util.zip.CRC32C

import scala.collection.compat._

import org.apache.spark.sql.Row
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Answers, Stream, Streams, TestEdges, TimedEdge}
import io.github.sparkbic.index.Streams.{indexName, nameAsDrawn, shrinkStream}
import io.github.sparkbic.index.contract.{EdgeSet, IndexSize, Panes}
import io.github.sparkbic.index.format.{BinaryWriter, CorruptStateException, StateLayout}
import io.github.sparkbic.operator.block.{Names, PackedBlock, VertexIds}
import io.github.sparkbic.operator.question.ComponentStats

/** The state over the life of random streams: it is what it was, and damage is told and never answered from. */
class StateFormatSuite extends SharedSparkSession with ScalaCheckPropertyChecks {

  /** The edges as blocks, one a pane, with vertices as they are or named by strings. */
  private def blocks(stream: Stream, strings: Boolean): Seq[PackedBlock] =
    stream.edges.groupBy(e => stream.panes.paneOf(e.time)).toSeq.sortBy(_._1).map { case (pane, edges) =>
      if (strings) Names.block(pane, edges)
      else PackedBlock(pane, edges.size.toLong, TestEdges.any(pane, edges).toBytes, null)
    }

  /** The states of the graph after each of some micro-batches, of `step` panes each. */
  private def states(stream: Stream, shape: StateShape, step: Int): Seq[Array[Byte]] = {
    var bytes = Option.empty[Array[Byte]]
    blocks(stream, shape.strings).grouped(math.max(1, step)).toSeq.flatMap { batch =>
      val state = ValueGraph(shape, 7, bytes)
      batch.foreach { block =>
        state.counts.add(block.pane, block.edges)
        state.pending.add(block)
      }
      // The last pane of each micro-batch stays open.
      val horizon = batch.last.pane
      if (state.isDue(horizon)) {
        val input = state.pending.take(horizon).buffered
        while (state.cursorToFeed().advance(input, horizon)) {}
      }
      bytes = state.nextEnd.map(_ => state.save())
      bytes
    }
  }

  private def shapeOf(stream: Stream, index: String, strings: Boolean) =
    StateShape(index, stream.panes, strings)

  /** What a state means: the windows to come, if no more edges do, and the component of each vertex. */
  private def windowsToCome(shape: StateShape, bytes: Array[Byte]): Seq[(Long, Map[Any, Any])] = {
    val state = ValueGraph(shape, 7, Some(bytes))
    val input = state.pending.take(Long.MaxValue).buffered
    Iterator.continually(state.cursorToFeed()).takeWhile(_.advance(input, Long.MaxValue)).map { cursor =>
      cursor.window -> Answers.components(cursor.index, cursor.window).map { case (vertex, component) =>
        Names.shown(state.ids, vertex) -> Names.shown(state.ids, component)
      }
    }.toSeq
  }

  test(
    "whatever the stream, a state that is read and written again means the same, read lazily or in full"
  ) {
    forAll(Streams.stream, indexName, Gen.prob(0.4), Gen.choose(1, 6)) { (stream, index, strings, step) =>
      val shape = shapeOf(stream, index, strings)
      states(stream, shape, step).foreach { bytes =>
        assert(ValueGraph(shape, 7, Some(bytes)).save().toSeq == bytes.toSeq)
        def readInFull(bytes: Array[Byte]): Array[Byte] = {
          val state = ValueGraph(shape, 7, Some(bytes))
          state.cursorToFeed()
          state.save()
        }
        // The names of vertices that nothing holds any more are forgotten, once.
        val kept = if (strings) readInFull(bytes) else bytes
        val again = readInFull(kept)
        assert(windowsToCome(shape, again) == windowsToCome(shape, bytes))
        val size = ValueGraph(shape, 7, Some(kept)).indexSize
        assert(ValueGraph(shape, 7, Some(again)).indexSize == size)
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

  test(
    "a payload that no release can have written, under a right checksum, is read, or refused for a reason"
  ) {
    forAll(Streams.stream, indexName, Gen.prob(0.4), Gen.choose(1, 6), minSuccessful(40)) {
      (stream, index, strings, step) =>
        val shape = shapeOf(stream, index, strings)
        states(stream, shape, step).lastOption.foreach { bytes =>
          readsOrRefuses(
            bytes,
            step = math.max(1, bytes.length / 40)
          )(damaged => ValueGraph(shape, 7, Some(damaged)).cursorToFeed())
        }
    }
  }

  /** A part in a state of its own. */
  private def part(block: PackedBlock, strings: Boolean): (IndexSize, Array[Byte]) = {
    val state = new Values
    val parts = new EdgeParts(strings, 7, state)
    parts.add(0, Seq(block))
    (parts.sizeUntil(1), state.get(StatePlace.Part(0, 0)).get)
  }

  private def read(bytes: Array[Byte], ids: VertexIds, strings: Boolean): EdgeSet = {
    val state = new Values
    state.put(StatePlace.Part(0, 0), Some(bytes))
    val parts = new EdgeParts(strings, 7, state)
    parts.panes.put(0, PaneEntry(1, Seq(0, 0), 0))
    parts.read(0, ids).next()
  }

  test(
    "a part of a pane with names is what it was, or refused for a reason, whatever it is under a right checksum"
  ) {
    forAll(Streams.stream, minSuccessful(40)) { stream =>
      def named(edges: EdgeSet, ids: VertexIds) =
        TestEdges.links(edges).map(e => Names.shown(ids, e.src) -> Names.shown(ids, e.dst))
      val shown = (bytes: Array[Byte]) => {
        val ids = VertexIds.create(strings = true)
        named(read(bytes, ids, strings = true), ids)
      }
      blocks(stream, strings = true).take(3).foreach { block =>
        val (_, good) = part(block, strings = true)
        val ids = VertexIds.create(strings = true)
        // A star for each tree, whose middle may be another one.
        def components(links: Seq[(Any, Any)]) = links.groupMap(_._2)(_._1).values.map(_.toSet).toSet
        assert(components(shown(good)) == components(named(ids.edgeSet(block), ids)))
        readsOrRefuses(good)(shown)
      }
    }
  }

  test("a part of loose edges is what it was, or refused for a reason; it is no part of a graph of strings") {
    forAll(Streams.stream, minSuccessful(40)) { stream =>
      val edges = stream.edges.take(20)
      val (size, good) =
        part(PackedBlock(0, 1, TestEdges.loose(edges).toBytes, null), strings = false)
      def shown(bytes: Array[Byte], strings: Boolean = false) =
        TestEdges.links(read(bytes, VertexIds.create(strings), strings)).map(e => (e.src, e.dst))
      assert(shown(good).sorted == edges.map(e => (e.src, e.dst)).sorted && size.links == edges.size)
      readsOrRefuses(good)(shown(_))
      val e = intercept[CorruptStateException](shown(good, strings = true))
      assert(e.getMessage == "edges between strings are not a forest")
    }
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
    def edge(millis: Long) = {
      val forest = TestEdges.forest(Seq(TimedEdge(millis, millis, millis + 1)))
      PackedBlock(shape.panes.paneOf(millis * 1000), 1, forest.toBytes, null)
    }
    val good = own.run(question, own.run(question, Held(), 1, edge(1))._2, 8, edge(8))._2
    assert(own.run(question, good, 17, edge(17))._1.size > 1)
    own.assertDamageIsRefused(question, good, 17, edge(17))(StatePlace.Graph)
    def refusal(bytes: Seq[Byte], of: StoredGraph = own) =
      of.refusal(question, Held().updated(StatePlace.Graph, Some(bytes)), 17, edge(17))
    val bytes = good.header.get
    assert(bytes.indices.map(length => refusal(bytes.take(length))).forall(_.startsWith("it has ")))
    assert(refusal(bytes.dropRight(3)).startsWith(s"it has ${bytes.size - 23} bytes instead of " +
      s"${bytes.size - 20}. The checkpoint is damaged: go back to a copy of it, or "))
    assert(refusal(bytes, graph(Row("eu", 8))).startsWith("it was written for another graph, "))
    val future = withChecksum(bytes.updated(4, (StateLayout.Version + 1).toByte).toArray)
    assert(
      refusal(future.toSeq).startsWith("its format version is 2, but this release reads version 1. Run the " +
        "query with the release that wrote the checkpoint, or ")
    )
  }
}
