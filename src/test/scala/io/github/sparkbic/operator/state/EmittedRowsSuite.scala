package io.github.sparkbic.operator.state

import scala.collection.mutable

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.LongType
import org.apache.spark.util.SizeEstimator
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.{ConnectedVertices, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.question.{Pairs, PairsConnected, Queries, QuerySet}

/** Emitted windows of pairs and of vertices beside a set of them, one by one. */
class EmittedRowsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  private val panes = Panes(12, 3, 1, Seq(7))

  /** Rows of some keys, by their numbers. */
  private abstract class Keys(val count: Int) {
    def rows: EmittedRows
    def restart(saved: BinaryReader): Unit
    def verticesOf(key: Int): Set[Long]
    def contains(key: Int, length: Int, first: Long, last: Long): Boolean

    /** Emits windows one by one, or as far as may be together, and gives those that are new. */
    def emit(key: Int, length: Int, windows: Seq[Long], oneByOne: Boolean): Seq[Long]
  }

  private class PairKeys extends Keys(9) {
    // Of vertices, and how often the pair came before.
    private val pairs = Seq((1L, 2L), (2L, 1L), (0L, 0L), (-1L, -1L), (Long.MinValue, Long.MaxValue))
      .map((_, 0)) ++ Seq(1, 2, Int.MaxValue - 1).map(((1L, 2L), _)) :+ ((Long.MaxValue, Long.MinValue), 0)
    var rows = new EmittedPairs(panes)
    def restart(saved: BinaryReader): Unit = rows = new EmittedPairs(panes).restore(saved).ofPairs
    def verticesOf(key: Int): Set[Long] = Set(pairs(key)._1._1, pairs(key)._1._2)
    def contains(key: Int, length: Int, first: Long, last: Long): Boolean = {
      val ((source, target), repeat) = pairs(key)
      rows.contains(source, target, repeat)(length, first, last)
    }
    def emit(key: Int, length: Int, windows: Seq[Long], oneByOne: Boolean): Seq[Long] = {
      val ((source, target), repeat) = pairs(key)
      (if (oneByOne) windows.map(Seq(_)) else Seq(windows)).flatMap { some =>
        rows.emit(source, target, repeat)(
          length,
          some.headOption.getOrElse(1L),
          some.lastOption.getOrElse(0L)
        )
      }
    }
  }

  private class VertexKeys extends Keys(6) {
    private val vertices = Seq(Long.MinValue, -1L, 0L, 1L, 7L, Long.MaxValue)
    private val numbers = new java.util.Random(1)
    var rows = new EmittedVertices(panes, ofLast = false)
    def restart(saved: BinaryReader): Unit =
      rows = new EmittedVertices(panes, ofLast = false).restore(saved).ofVertices
    def verticesOf(key: Int): Set[Long] = Set(vertices(key))

    /** The slot, whatever the number in the index, which is a hint alone. */
    private def slotOf(key: Int): Int = {
      val found = Seq.fill(2)(slots(rows, 1 + numbers.nextInt(4) -> vertices(key)).head)
      assert(found.distinct.size == 1)
      found.head
    }
    def contains(key: Int, length: Int, first: Long, last: Long): Boolean =
      rows.contains(slotOf(key), rows.placeOf(length), first, last)
    def emit(key: Int, length: Int, windows: Seq[Long], oneByOne: Boolean): Seq[Long] =
      if (windows.isEmpty) Nil
      else {
        val (slot, place) = (slotOf(key), rows.placeOf(length))
        // Only windows out of order are left to single steps.
        val until = windows.last + panes.perSlide - 1
        val from = if (oneByOne) EmittedRows.Mixed else rows.addAll(slot, place, windows.head, until)
        if (from == EmittedRows.Mixed) windows.filter(rows.add(slot, place, _)) else windows.filter(_ >= from)
      }
  }

  /** The slots of some vertices, each with its number in the index. */
  private def slots(emitted: EmittedVertices, vertices: (Int, Long)*): Array[Int] = {
    val ids = vertices.toMap
    val zeros = new Array[Int](vertices.size)
    val found = new ConnectedVertices(vertices.size, 0L, vertices.map(_._1).toArray, zeros, zeros, ids(_))
    emitted.slotsOf(found, from = 0)
  }

  private def saved(emitted: EmittedRows): Array[Byte] = {
    val out = new BinaryWriter
    emitted.save(out)
    out.toBytes
  }

  private sealed trait Step
  private case class Emit(key: Int, length: Int, first: Long, count: Int, oneByOne: Boolean) extends Step
  private case class Forget(pane: Long) extends Step
  private case object Restart extends Step

  private val step: Gen[Step] = Gen.frequency(
    16 -> Gen.zip(
      Gen.choose(0, 8),
      Gen.oneOf(panes.perWindows),
      Gen.choose(-30L, 60L),
      Gen.choose(0, 7),
      Gen.oneOf(true, false)
    ).map { case (key, length, first, count, oneByOne) => Emit(key, length, first, count, oneByOne) },
    2 -> Gen.choose(-30L, 60L).map(Forget(_)),
    1 -> Gen.const(Restart)
  )

  private def windowsFrom(pane: Long): Iterator[Long] =
    Iterator.iterate(panes.lastWindowBy(pane))(_ + panes.perSlide)

  for (
    (what, make) <-
      Seq[(String, () => Keys)]("pairs" -> (() => new PairKeys), "vertices" -> (() => new VertexKeys))
  )
    test(s"$what: emitted once, remembered until the window closes, over restarts") {
      forAll(Gen.listOf(step)) { steps =>
        val keys = make()
        val wanted = mutable.Set.empty[(Int, Int, Long)]
        var closed = Long.MinValue
        steps.foreach {
          case Emit(drawn, length, first, count, oneByOne) =>
            val key = drawn % keys.count
            val windows = windowsFrom(first).take(count).filter(_ + length > closed).toSeq
            val news = windows.filterNot(window => wanted((key, length, window)))
            assert(keys.emit(key, length, windows, oneByOne) == news)
            wanted ++= news.map((key, length, _))
          case Forget(pane) =>
            closed = math.max(closed, pane)
            keys.rows.forgetBefore(closed)
            wanted --= wanted.toSeq.filter { case (_, length, window) => window + length <= closed }
          case Restart => keys.restart(new BinaryReader(saved(keys.rows)))
        }
        val visited = mutable.Set.empty[Long]
        keys.rows.foreachId(visited += _)
        assert(visited == wanted.flatMap(row => keys.verticesOf(row._1)))
        assert((new BinaryReader(saved(keys.rows)).unsigned() == 0) == wanted.isEmpty)
        for {
          key <- 0 until keys.count
          length <- panes.perWindows
          from <- windowsFrom(-40).takeWhile(_ < 90)
          count <- Seq(1, 4)
          some = windowsFrom(from).take(count).filter(_ + length > closed).toSeq
          if some.nonEmpty
        } assert(keys.contains(key, length, some.head, some.last) == some.forall(w =>
          wanted((key, length, w))
        ))
      }
    }

  test("what is no emitted windows is refused") {
    def refused(rows: EmittedRows, numbers: Long*): String = {
      val out = new BinaryWriter
      // Counts are as small as they are when written with a sign: twice as large.
      numbers.foreach(out.unsigned)
      intercept[CorruptStateException](rows.restore(new BinaryReader(out.toBytes))).getMessage
    }
    def vertices = new EmittedVertices(Panes(10, 4), ofLast = false)
    // The number of vertices; of each the vertex, its runs, and of each run the last window and its distance to the first;
    // in zigzag code, where 2 is 1, 4 is 2 and 1 is -1.
    Seq(
      Seq(1L, 10, 0) -> "a vertex has no emitted window",
      Seq(1L, 10, 1, 6, 0) -> "an emitted window does not start at a multiple of the slide",
      Seq(1L, 10, 1, 8, 3) -> "the emitted windows of a vertex are not in falling order",
      Seq(1L, 10, 2, 12, 0, 3, 0) -> "the emitted windows of a vertex are not in falling order",
      Seq(2L, 10, 1, 8, 0, 0, 1, 0, 0) -> "an emitted vertex is there twice",
      Seq(9L, 10) -> "the number of emitted rows is 9, but must be below 3"
    ).foreach { case (numbers, message) => assert(refused(vertices, numbers: _*) == message) }
    // Source, target, repeat, one run of the longer window, and none of the shorter window.
    val twice = 2L +: Seq.fill(2)(Seq(0L, 0L, 0L, 1L, 2L, 0L, 0L)).flatten.updated(11, 0L)
    assert(refused(new EmittedPairs(panes), twice: _*) == "an emitted pair is there twice")
  }

  test("rows take few bytes in memory and in the state, and none once forgotten") {
    val vertices = new EmittedVertices(Panes(20, 1), ofLast = false)
    slots(vertices, (0 until 1000000).map(i => (i + 1, i.toLong)): _*).foreach { slot =>
      (0L until 10L).foreach(window => vertices.add(slot, 0, window))
    }
    val pairs = new EmittedPairs(Panes(20, 1))
    (0L until 10000L).foreach(i => pairs.emit(i, i + 7, 0)(20, 0, 9 + i % 3))
    Seq((vertices, 1000000, 80, 10), (pairs, 10000, 130, 7)).foreach {
      case (rows, count, inMemory, inState) =>
        assert(SizeEstimator.estimate(rows) < inMemory.toLong * count)
        assert(saved(rows).length < inState * count)
    }
    pairs.forgetBefore(30)
    assert(pairs.size == 3333)
    Seq(vertices, pairs).foreach { rows =>
      rows.forgetBefore(32)
      assert(rows.size == 0 && saved(rows).length == 1 && SizeEstimator.estimate(rows) < 10000L)
    }
  }

  test("panes: what only early rows read is refused with the graph's key where it is missing or damaged") {
    // Panes of a millisecond, in windows of four.
    val shape = StateShape("recency", Panes(4000L, 1000L), strings = false, Kept.Emitted, Seq("site"))
    val graph = new StoredGraph(shape, inPanes = true, CacheLimit(Some(0)))
    val question = PairsConnected(
      new Queries[Pairs] {
        override def send(): Unit = ()
        override def value: QuerySet[Pairs] = QuerySet(Seq(Row(1L, 2L), Row(1L, 3L)), 2)(Pairs(_))
      },
      LongType,
      since = false,
      early = true
    )
    def edge(pane: Long, src: Long) =
      PackedBlock(pane, 1, TestEdges.any(pane, Seq(TimedEdge(pane, src, src + 1))).toBytes, null)
    val (_, first) = graph.run(question, Held(), 0, edge(2, 1))
    val (part, beside) = (StatePlace.Part(2, 0), StatePlace.Beside)
    def refusal(damaged: Held) = graph.refusal(question, damaged, 0, edge(3, 2))
    assert(refusal(first.updated(part, None)).startsWith("part 0 of pane 2 is missing. "))
    assert(refusal(first.updated(beside, None)).startsWith("its emitted windows are missing. "))
    graph.assertDamageIsRefused(question, first, 0, edge(3, 2))(beside)
    // Without new edges, and before a window is due, only the header is read.
    val (rows, _) = graph.run(question, first.updated(part, None).updated(beside, None), 0)
    assert(rows.size == 1)
  }
}
