package io.github.sparkbic.index.recency

import scala.collection.mutable
import scala.util.Random

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Burst, Oracle, Stream, Streams, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.forests.PaneForestBuilder
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.Answers.components
import io.github.sparkbic.index.Streams.shrinkStream

/** What `recency` promises beyond the law of every index. */
class RecencyIndexSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300, sizeRange = 100)

  private def assertValid(index: RecencyIndex): Unit = assert(index.validate().isEmpty)

  private def saved(index: RecencyIndex): Array[Byte] = {
    val out = new BinaryWriter()
    index.save(out)
    out.toBytes
  }

  private def edge(stream: Stream, e: TimedEdge) = (stream.panes.paneOf(e.time), e.src, e.dst)

  test("edges in any order inside the window, closed panes too, and a window from any pane that is held") {
    var ranged, copied = 0
    forAll(Streams.stream, Gen.choose(0L, 1000L), Gen.oneOf(1, 1 << 20), Gen.oneOf(1, 1 << 20)) {
      (stream, seed, smallestSparse, smallestRanged) =>
        val perWindow = stream.panes.perWindow
        val random = new Random(seed)
        val index = new RecencyIndex(perWindow)
        // With one, there is another forest as soon as a few vertices are dead, or ids are dense.
        index.smallestSparse = smallestSparse
        index.watch.smallest = smallestRanged
        val inserted = mutable.ArrayBuffer.empty[TimedEdge]
        // Each edge is put off by up to half a window.
        val late =
          stream.edges.map(e => e -> (stream.panes.paneOf(e.time) + random.nextInt(perWindow) / 2)).sortBy(
            _._2
          )
        late.foreach { case (e, _) =>
          val (pane, src, dst) = edge(stream, e)
          index.insert(pane, src, dst)
          inserted += e.copy(time = pane)
          if (random.nextInt(4) == 0) index.closePane(inserted.map(_.time).max)
          assertValid(index)
          val newest = inserted.map(_.time).max
          assert(index.firstHeld == newest - perWindow + 1)
          val start = index.firstHeld + random.nextInt(perWindow + 1)
          assert(components(index, start) == Oracle.components(inserted.filter(_.time >= start).toSeq))
          val copy = RecencyIndex.restore(perWindow, new BinaryReader(saved(index)), smallestRanged)
          assertValid(copy)
          assert(components(copy, start) == components(index, start))
          if (index.rangedIds > 0) ranged += 1
          if (index.isCopying) copied += 1
        }
    }
    assert(ranged > 100 && copied > 20)
  }

  test("the largest windows: panes near the reach of 32 bits, over many times that") {
    forAll(Streams.stream, Gen.choose(0L, 1000L)) { (stream, seed) =>
      val perWindow = Panes.MaxPerWindow
      val random = new Random(seed)
      val index = new RecencyIndex(perWindow)
      var pane = random.nextLong() >> 2
      var edges = Vector.empty[TimedEdge]
      stream.edges.foreach { e =>
        pane += (random.nextInt(5) match {
          case 0 => perWindow.toLong - 1
          case 1 => random.nextInt(perWindow).toLong
          case 2 => random.nextLong() & ((1L << 33) - 1)
          case _ => random.nextInt(9).toLong
        })
        index.insert(pane, e.src, e.dst)
        edges = (edges :+ e.copy(time = pane)).filter(_.time > pane - perWindow)
        Seq(index.firstHeld, pane - random.nextInt(perWindow), pane).foreach { start =>
          assert(components(index, start) == Oracle.components(edges.filter(_.time >= start)))
        }
      }
    }
  }

  test(
    "vertices come and go by the ten thousand: answers stay right, and memory follows the window both ways"
  ) {
    val random = new Random(7)
    val perWindow = 10
    val index = new RecencyIndex(perWindow)
    val window = mutable.ArrayDeque.empty[Seq[(Long, Long)]]
    // Vertices alive at a time, by phase. A few hubs stay alive all along.
    Seq(300, 40000, 40000, 500, 60000, 0, 20000, 300, 300).zipWithIndex.foreach { case (width, phase) =>
      val steps = 2 * perWindow + 2
      for (step <- 0 until steps) {
        val pane = (steps * phase + step).toLong
        val fresh = Iterator.continually(pane * 1000000L + random.nextInt(math.max(1, width / 10)))
        var edges = Seq.fill(width / 5)((
          fresh.next(),
          if (random.nextInt(50) == 0) random.nextInt(40).toLong else fresh.next()
        )) ++
          Seq.fill(30)((random.nextInt(40).toLong, random.nextInt(40).toLong))
        edges.foreach { case (u, v) => index.insert(pane, u, v) }
        if (step == perWindow) {
          // Edges among known vertices pay for the sweep, slowly; that makes this part long.
          val many = Array.tabulate(3000000)(i => (i % 40).toLong)
          many.foreach(index.insert(pane, _, 0L))
          edges ++= many.distinct.map((_, 0L))
          assert(index.storedVertices == components(index, index.firstHeld).size)
        }
        index.closePane(pane)
        window.append(edges)
        if (window.size > perWindow) window.removeHead()
        if (step % 3 == 0) {
          assertValid(index)
          assert(components(index, pane - perWindow + 1) == recomputed(window.flatten.toSeq))
          assert(components(index, pane - 2) == recomputed(window.toSeq.takeRight(3).flatten))
        }
      }
      val occur = components(index, index.firstHeld).size
      assert(index.storedNumbers <= math.max(3 * occur, 1 << 14), s"for $occur vertices")
      assertValid(index)
    }
  }

  private def recomputed(edges: Seq[(Long, Long)]): Map[Long, Long] = {
    val parents = mutable.HashMap.empty[Long, Long]
    def root(v: Long): Long = if (parents(v) == v) v else { parents(v) = root(parents(v)); parents(v) }
    def join(u: Long, v: Long): Unit = parents(math.max(u, v)) = math.min(u, v)
    edges.foreach { case (u, v) =>
      parents.getOrElseUpdate(u, u)
      parents.getOrElseUpdate(v, v)
      join(root(u), root(v))
    }
    parents.keys.map(v => v -> root(v)).toMap
  }

  test(
    "more than two million vertices, where all that looks ahead does; pairs, then fours, then pairs again"
  ) {
    val index = new RecencyIndex(2)
    val fours = 530000L
    for (k <- 0L until fours) {
      index.insert(0, 4 * k, 4 * k + 1)
      index.insert(0, 4 * k + 2, 4 * k + 3)
    }
    for (k <- 0L until fours) index.insert(1, 4 * k + 1, 4 * k + 2)
    index.closePane(1)
    for (k <- 0L until fours by 997) {
      assert(index.connected(0, 4 * k, 4 * k + 3) && !index.connected(0, 4 * k, 4 * k + 4))
      assert(index.connected(1, 4 * k + 1, 4 * k + 2) && !index.connected(1, 4 * k, 4 * k + 1))
    }
    assert(components(index, 0).groupBy(_._2).forall { case (smallest, four) =>
      smallest % 4 == 0 && four.keySet == Set(0L, 1L, 2L, 3L).map(smallest + _)
    })
    for (k <- 0L until fours) index.insert(2, -4 * k - 1, -4 * k - 2)
    index.closePane(2)
    for (k <- 0L until fours by 997) {
      assert(index.connected(1, 4 * k + 1, 4 * k + 2) && index.connected(1, -4 * k - 1, -4 * k - 2))
      assert(!index.connected(1, 4 * k, 4 * k + 1) && !index.connected(2, 4 * k + 1, 4 * k + 2))
    }
    assert(components(index, 1).size == 4 * fours)
    assertValid(index)
  }

  test("keys are a permutation of the ids") {
    forAll { (seed: Long, id: Long) =>
      val keys = new VertexKeys(seed)
      assert(keys.idOf(keys.keyOf(id)) == id)
    }
  }

  test("a pane no longer held is refused, for edges and for windows") {
    val index = new RecencyIndex(3)
    index.insert(10, 1, 2)
    index.insert(8, 2, 3)
    assert(index.connected(8, 1, 3) && !index.connected(9, 1, 3))
    val edge = intercept[IllegalArgumentException](index.insert(7, 1, 2)).getMessage
    assert(edge.contains("pane 7 is no longer held") && edge.contains("3 panes up to pane 10, is 8"))
    val window = intercept[IllegalArgumentException](index.connected(7, 1, 2)).getMessage
    assert(window.contains("from pane 7 is no longer held") && window.contains("starts at pane 8"))
    index.closePane(100)
    assert(intercept[IllegalArgumentException](index.insert(
      10,
      1,
      2
    )).getMessage.contains("pane 10 is no longer held"))
  }

  test("a damaged state is refused or restored to a valid index") {
    forAll(Streams.stream, Gen.choose(0, 1 << 20), Gen.choose(0, 7)) { (stream, where, bit) =>
      val index = new RecencyIndex(stream.panes.perWindow)
      stream.sorted.foreach { e =>
        val (pane, src, dst) = edge(stream, e)
        index.insert(pane, src, dst)
      }
      val bytes = saved(index)
      val at = where % bytes.length
      bytes(at) = (bytes(at) ^ (1 << bit)).toByte
      try assertValid(RecencyIndex.restore(stream.panes.perWindow, new BinaryReader(bytes)))
      catch { case _: CorruptStateException => }
      intercept[CorruptStateException] {
        RecencyIndex.restore(
          stream.panes.perWindow,
          new BinaryReader(bytes.take(math.min(at, bytes.length - 1)))
        )
      }
    }
  }

  for (perWindow <- Seq(1, 2, 5))
    test(s"a range comes and goes with dense ids, in windows of $perWindow panes") {
      val random = new Random(perWindow)
      def dense(first: Long): Long = first + random.nextInt(900)
      def often(part: Double, id: => Long): Long = if (random.nextDouble() < part) id else random.nextLong()
      // The ids of a phase, and whether they have a range in the end.
      val phases = Seq[(() => Long, Boolean)](
        (() => dense(-300), true),
        (() => often(0.97, dense(-300)), true),
        (() => often(0.99, dense(Long.MaxValue - 899)), true),
        (() => random.nextLong(), false),
        (() => 6 * dense(0), false),
        (() => often(0.98, dense(Long.MinValue)), true)
      )
      var index = new RecencyIndex(perWindow)
      val window = mutable.ArrayDeque.empty[Seq[(Long, Long)]]
      var pane = random.nextInt().toLong
      for (((vertex, isRanged), phase) <- phases.zipWithIndex) {
        for (_ <- 0 until 5 * perWindow + 10) {
          pane += 1
          index.smallestSparse = 64
          index.watch.smallest = 64
          val edges = Seq.fill(600 + random.nextInt(700))((vertex(), vertex()))
          if (random.nextBoolean()) edges.foreach { case (u, v) => index.insert(pane, u, v) }
          else
            edges.grouped(1 + random.nextInt(400)).foreach { some =>
              val builder = new PaneForestBuilder()
              some.foreach { case (u, v) => builder.add(u, v) }
              index.insert(pane, builder.result())
            }
          window.append(edges)
          if (window.size > perWindow) window.removeHead()
          assertValid(index)
          val panes = 1 + random.nextInt(window.size)
          assert(components(index, pane - panes + 1) == recomputed(window.toSeq.takeRight(panes).flatten))
          if (random.nextInt(20) == 0)
            index = RecencyIndex.restore(perWindow, new BinaryReader(saved(index)), 64)
        }
        assert(index.rangedIds > 0 == isRanged, s"in phase $phase")
      }
    }

  test(
    "while a window fills, ids become a range at half of what a full one takes, which gives them up again"
  ) {
    for (perWindow <- Seq(20, 1)) {
      val random = new Random(perWindow)
      val ids = random.shuffle((0L until 10000L).toVector).take(2000)
      val index = new RecencyIndex(perWindow)
      index.watch.smallest = 256
      index.smallestSparse = 256
      val ranged = (0L until 30L).map { pane =>
        val edges = Seq.fill(2000)((ids(random.nextInt(2000)), ids(random.nextInt(2000))))
        edges.foreach { case (u, v) => index.insert(pane, u, v) }
        assertValid(index)
        assert(components(index, pane) == recomputed(edges))
        index.rangedIds
      }
      if (perWindow == 1) assert(ranged.forall(_ == 0))
      else assert(ranged.slice(2, 18).forall(_ > 9500) && ranged.last == 0)
    }
  }

  test("half of all time later, nothing of a range is left") {
    val index = new RecencyIndex(2)
    index.watch.smallest = 1
    val early = -(1L << 62) - (1L << 61)
    for (pane <- 0 to 4; u <- 0 until 400) index.insert(early + pane, u.toLong, u.toLong / 2)
    index.closePane(early + 4)
    assert(index.rangedIds > 0)
    // The low 32 bits are the same.
    val late = early + 4 + Long.MinValue
    index.insert(late, 7, 300)
    assert(components(index, late - 1) == Map(7L -> 7L, 300L -> 7L))
    assertValid(index)
  }

  test("fed forests alone, memory follows the window as well") {
    val index = new RecencyIndex(4)
    def feed(pane: Long, vertices: Int): Unit = {
      val builder = new PaneForestBuilder()
      (0 until vertices).foreach(i => builder.add(pane * 1000000 + i, pane * 1000000 + i / 2))
      index.insert(pane, builder.result())
      index.closePane(pane)
      assertValid(index)
    }
    (0L until 60L).foreach { pane =>
      feed(pane, 2000)
      assert(index.storedVertices <= 2 * 4 * 2000 && index.storedNumbers <= 3 * 4 * 2000)
    }
    (60L until 80L).foreach(feed(_, 20000))
    assert(index.storedNumbers >= 4 * 20000)
    (80L until 100L).foreach(feed(_, 500))
    assert(index.storedNumbers <= (1 << 14))
  }

  Burst.all.foreach { burst =>
    import burst.{endOf, isDense, last, perWindow}
    test(burst.toString) {
      val index = new RecencyIndex(perWindow)
      var wasRanged = false
      burst.feed(index)(wasRanged |= index.rangedIds > 0) { pane =>
        assertValid(index)
        val expected = if (pane < 2 * perWindow - 1) burst.vertices else 0
        assert(components(index, index.firstHeld).size >= expected)
      }
      assert(wasRanged == isDense)
      val u = endOf(last)
      assert(components(index, last) == Map(u -> u, u + 1 -> u))
      assert(index.storedVertices <= burst.vertices / 100 && index.rangedIds == 0)
      assert(index.storedNumbers <= (1 << 14), "the memory is given back")
    }
  }
}
