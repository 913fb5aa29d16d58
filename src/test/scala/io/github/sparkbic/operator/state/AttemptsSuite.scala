package io.github.sparkbic.operator.state

import scala.collection.compat._
import scala.collection.mutable
import scala.util.Random

import org.apache.spark.api.java.Optional
import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.{GroupStateTimeout, TestGroupState}
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.{Gen, Shrink}
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{NamesOracle, Stream, Streams, TestEdges, TimedEdge}
import io.github.sparkbic.index.Streams.{indexName, nameAsDrawn, shrinkStream}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.{Unpacked, WindowOperator}
import io.github.sparkbic.operator.block.{Names, PackedBlock}
import io.github.sparkbic.operator.question.{Components, Question}

/** The operator among attempts that fail, are repeated, run side by side, and start from an older state, with graphs kept
  * alive in memory: a model of the state store that a streaming query sees, without Spark's machinery, and so with many
  * more schedules than [[FailedTasksSuite]] can run.
  */
class AttemptsSuite extends SharedSparkSession with ScalaCheckPropertyChecks {
  import AttemptsSuite._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 150, sizeRange = 100)

  implicit private val seedAsDrawn: Shrink[Long] = Shrink.shrinkAny

  /** One graph: its micro-batches, the state after each, and what came out of it. */
  private class Query[S](stream: Stream, kept: StoredGraph[S], asked: Asked, random: Random) {
    private val operator = new WindowOperator(kept.shape, asked.question(kept.shape.strings))

    protected lazy val batches: Seq[Seq[TimedEdge]] = {
      val edges = stream.sorted
      val cuts = Seq.fill(random.nextInt(6))(random.nextInt(edges.size + 1)).sorted
      (0 +: cuts).zip(cuts :+ edges.size).map { case (from, until) => edges.slice(from, until) } :+ Nil
    }

    /** The watermark of each: a time that all edges still to come are not before. */
    protected lazy val watermarks: Seq[Long] = batches.indices.map { i =>
      if (i == batches.size - 1) 1L << 40
      else batches.drop(i).flatten.headOption.fold(0L)(edge => random.nextInt(edge.time.toInt + 1).toLong)
    }.scanLeft(0L)(math.max).tail

    private val states = mutable.ArrayBuffer(kept.empty)
    private val answered = mutable.ArrayBuffer.empty[Seq[Row]]

    def isDone: Boolean = answered.size == batches.size

    /** One micro-batch: up to three attempts at it, of which at least one comes to its end and one is committed. */
    def step(): Unit = {
      val number = answered.size
      val attempts = Seq.fill(1 + random.nextInt(3)) {
        val (store, result) = kept.attempt(states.last, watermarks(number))
        new Attempt(operator.stream(key, blocksOf(number), store), result)
      }
      // Some are abandoned in the middle of their answers; the others take turns.
      val left = mutable.ArrayBuffer.from(attempts)
      val abandoned = attempts.tail.filter(_ => random.nextInt(3) == 0)
      abandoned.foreach { attempt =>
        (0 until random.nextInt(4)).foreach(_ => attempt.next())
        left -= attempt
      }
      while (left.nonEmpty) {
        val attempt = left(random.nextInt(left.size))
        if (!attempt.next()) left -= attempt
      }
      val done = attempts.diff(abandoned)
      done.foreach(attempt => assert(attempt.answers == done.head.answers))
      states += done(random.nextInt(done.size)).result()
      answered += done.head.answers
    }

    /** Goes back to the state before some micro-batch, as a restart from an older checkpoint does. */
    def rollBack(): Unit = {
      val to = random.nextInt(answered.size + 1)
      states.remove(states.size - (answered.size - to), answered.size - to)
      answered.remove(to, answered.size - to)
    }

    def check(): Unit = {
      val got = answered.flatten.groupBy(row => (row.getLong(1), row.getLong(2))).map { case (window, rows) =>
        assert(rows.map(_.get(3)).distinct.size == rows.size, s"window $window was answered twice")
        window -> rows.map(row => row.get(3) -> row.toSeq.slice(4, row.size - 1)).toMap
      }
      assert(got == asked.expected(stream, if (kept.shape.strings) Names.inOrder(_) else (id: Long) => id))
      assert(kept.size(states.last) == 0, "no state is left when all windows are answered")
    }

    private def blocksOf(number: Int): Iterator[PackedBlock] = {
      // In parts, as from several input tasks.
      val parts = batches(number).groupBy(_ => random.nextInt(2)).values
      parts.iterator.flatMap { edges =>
        edges.groupBy(edge => kept.shape.panes.paneOf(edge.time * Micros)).map { case (pane, same) =>
          if (kept.shape.strings) Names.block(pane, same, Names.inOrder)
          else PackedBlock(pane, same.size.toLong, TestEdges.any(random.nextLong(), same).toBytes, null)
        }
      }
    }
  }

  private final class Attempt[S](rows: Iterator[Row], val result: () => S) {
    private val got = mutable.ArrayBuffer.empty[Row]

    def next(): Boolean = rows.hasNext && { got += rows.next(); true }

    def answers: Seq[Row] =
      got.filterNot(_.isNullAt(1)).flatMap(Unpacked.answers(_, bounds = 3)).sortBy(_.toString).toSeq
  }

  private def law(stores: (StateShape, CacheLimit) => StoredGraph[_]): Unit =
    forAll(Streams.stream, Streams.stream, indexName, anyAsked, Gen.choose(0L, Long.MaxValue)) {
      (one, other, index, asked, seed) =>
        val random = new Random(seed)
        val panes = Panes(one.panes.window * Micros, one.panes.slide * Micros, one.panes.startTime * Micros)
        val shape = asked.shape(index, panes, strings = random.nextInt(10) < 4)
        // Both graphs share one slot of the cache, so that each finds there what the other left.
        val limit = Seq(None, None, Some(9000L), Some(0L))(random.nextInt(4))
        val kept = stores(shape, CacheLimit(limit, minBytes = if (random.nextInt(3) == 0) 100 else 0))
        val queries = Seq(one, other.copy(panes = one.panes)).map { stream =>
          new Query(stream.fromZero, kept, asked, random)
        }
        while (!queries.forall(_.isDone)) {
          val query = queries(random.nextInt(2))
          if (random.nextInt(8) == 0) query.rollBack() else if (!query.isDone) query.step()
        }
        queries.foreach(_.check())
    }

  // Windows that are no whole number of slides, on edges with gaps: graphs that are between two windows now and then.
  private val gapped: Gen[Stream] = for {
    slide <- Gen.choose(2L, 4L)
    more <- Gen.choose(1L, 2 * slide)
    steps <- Gen.listOf(Gen.choose(0L, 6L))
    ends <- Gen.listOfN(steps.size, Gen.zip(Gen.choose(0L, 9L), Gen.choose(0L, 9L)))
  } yield {
    val edges = steps.scanLeft(0L)(_ + _).tail.zip(ends).map { case (time, (u, v)) => TimedEdge(time, u, v) }
    Stream(edges, Panes(slide + more, slide))
  }

  private def paneAfterPane[S](stores: (StateShape, CacheLimit) => StoredGraph[S]): Unit =
    forAll(gapped, indexName, anyAsked, Gen.prob(0.7)) { (stream, index, asked, strings) =>
      val shape =
        asked.shape(index, Panes(stream.panes.window * Micros, stream.panes.slide * Micros), strings)
      val end = stream.sorted.lastOption.fold(0L)(_.time) + stream.panes.window + stream.panes.slide + 1
      val query = new Query(stream, stores(shape, CacheLimit(None, minBytes = 0)), asked, new Random(1)) {
        override protected lazy val batches: Seq[Seq[TimedEdge]] = stream.sorted +: Seq.fill(end.toInt)(Nil)
        override protected lazy val watermarks: Seq[Long] = batches.indices.map(_.toLong)
      }
      while (!query.isDone) query.step()
      query.check()
    }

  test("pane by pane, one pane after the other: the rows are the oracle's") {
    paneAfterPane((shape, cache) => new KeptByPane(shape, cache))
  }

  test("one value a graph, one pane after the other: the rows are the oracle's") {
    paneAfterPane((shape, cache) => new KeptAsValue(shape, cache))
  }

  test("pane by pane: whatever the attempts, the rows are the oracle's, each once") {
    law((shape, cache) => new KeptByPane(shape, cache))
  }

  test("one value a graph: whatever the attempts, the rows are the oracle's, each once") {
    law((shape, cache) => new KeptAsValue(shape, cache))
  }
}

object AttemptsSuite {
  private val Micros = 1000L
  private[operator] val key = Row(0)

  /** The components that a query asks for, and its rows by the oracle. */
  private final case class Asked(updatesOnly: Boolean, stable: Boolean, minSize: Long) {
    def question(strings: Boolean): Question = new Components(strings, minSize, updatesOnly, stable)

    def shape(index: String, panes: Panes, strings: Boolean): StateShape =
      StateShape(index, panes, strings, question(strings).kept)

    /** Start and end of each window that has rows; of a row the vertex, and the values after it. */
    def expected(stream: Stream, shown: Long => Any): Map[(Long, Long), Map[Any, Seq[Any]]] = {
      val windows = if (stable) NamesOracle.stable(stream) else NamesOracle.smallest(stream)
      val updates = NamesOracle.updates(windows, stream.panes.slide, minSize)
      windows.map { window =>
        val rows =
          if (updatesOnly) updates(window.start)
          else window.rows(minSize).map { case (vertex, name) => vertex -> Option(name) }
        (window.start * Micros, window.end * Micros) -> rows.map { case (vertex, name) =>
          val component = name.map(name => shown(name.component)).orNull
          val born = Option.when(stable)(name.map(name => (name.born * Micros): Any).orNull)
          shown(vertex) -> (component +: born.toSeq)
        }
      }.filter(_._2.nonEmpty).toMap
    }
  }

  private val anyAsked: Gen[Asked] = for {
    updatesOnly <- Gen.oneOf(true, false)
    stable <- Gen.oneOf(true, false)
    minSize <- Gen.choose(1L, 3L)
  } yield Asked(updatesOnly, stable, minSize)

  implicit private val askedAsDrawn: Shrink[Asked] = Shrink.shrinkAny

  /** Where an attempt finds the state of one graph, and leaves the next one, which the model commits or not. */
  private[operator] abstract class StoredGraph[S](val shape: StateShape) {
    def empty: S

    def size(state: S): Int

    /** The store for one attempt, and the state that it has written when it is done. */
    def attempt(state: S, watermark: Long): (GraphStore[StreamedGraph], () => S)
  }

  private[operator] final class KeptAsValue(shape: StateShape, cache: CacheLimit)
      extends StoredGraph[Option[Array[Byte]]](shape) {
    private val stores = new GraphStores(shape, cache)

    override def empty: Option[Array[Byte]] = None

    override def size(state: Option[Array[Byte]]): Int = state.size

    override def attempt(
        state: Option[Array[Byte]],
        watermark: Long
    ): (GraphStore[StreamedGraph], () => Option[Array[Byte]]) = {
      // A copy, as Spark gives one.
      val saved = TestGroupState.create(
        state.fold(Optional.empty[Array[Byte]])(bytes => Optional.of(bytes.clone())),
        GroupStateTimeout.EventTimeTimeout,
        0L,
        Optional.of(watermark),
        hasTimedOut = false
      )
      (stores.ofValue(key, saved), () => saved.getOption)
    }
  }

  /** What Spark would hold of one graph. */
  private[operator] final case class Held(
      header: Option[Seq[Byte]],
      parts: Map[(Long, Int), Seq[Byte]],
      timer: Option[Long],
      kept: Option[Seq[Byte]] = None
  )

  private[operator] final class KeptByPane(shape: StateShape, cache: CacheLimit, of: Row = AttemptsSuite.key)
      extends StoredGraph[Held](shape) {
    private val stores = new GraphStores(shape, cache)
    private val key = of

    override def empty: Held = Held(None, Map.empty, None)

    override def size(state: Held): Int =
      state.header.size + state.parts.size + state.timer.size + state.kept.size

    override def attempt(state: Held, watermark: Long): (GraphStore[StreamedGraph], () => Held) = {
      var now = state
      val variables = new PaneVariables {
        override def watermarkMillis: Long = watermark
        override def header: Option[Array[Byte]] = now.header.map(_.toArray)
        override def header_=(bytes: Option[Array[Byte]]): Unit =
          now = now.copy(header = bytes.map(_.toSeq))
        override def part(pane: Long, number: Int): Option[Array[Byte]] =
          now.parts.get((pane, number)).map(_.toArray)
        override def putPart(pane: Long, number: Int, bytes: Array[Byte]): Unit =
          now = now.copy(parts = now.parts.updated((pane, number), bytes.toSeq))
        override def removePart(pane: Long, number: Int): Unit = {
          assert(now.parts.contains((pane, number)))
          now = now.copy(parts = now.parts - ((pane, number)))
        }
        override def kept: Option[Array[Byte]] = now.kept.map(_.toArray)
        override def kept_=(bytes: Option[Array[Byte]]): Unit = {
          assert(bytes.nonEmpty || now.kept.nonEmpty)
          now = now.copy(kept = bytes.map(_.toSeq))
        }
        override def callAt(millis: Option[Long], before: Option[Long]): Unit = {
          assert(now.timer == before && millis.forall(_ > watermark))
          now = now.copy(timer = millis)
        }
      }
      (stores.ofPanes(key, variables), () => now)
    }
  }
}
