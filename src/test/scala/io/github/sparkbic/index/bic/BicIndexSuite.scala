package io.github.sparkbic.index.bic

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Answers, Burst, IdSample, Oracle, Streams, TestEdges}
import io.github.sparkbic.index.contract.{PaneInput, WindowCursor}
import io.github.sparkbic.index.forests.PaneForestBuilder
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.kernels.PathHalving
import io.github.sparkbic.index.Streams.shrinkStream

/** Streams long enough for what small ones never reach: growth, recycled numbers, thinned panes, contractions. */
class BicIndexSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** The naive index: all edges of a window, united anew. */
  private def components(edges: Iterable[(Long, Long)]): Map[Long, Int] = {
    val numbers = edges.iterator.flatMap(e => Iterator(e._1, e._2)).distinct.zipWithIndex.toMap
    val parents = Array.range(0, numbers.size)
    edges.foreach { case (u, v) =>
      parents(PathHalving.root(parents, numbers(u))) = PathHalving.root(parents, numbers(v))
    }
    numbers.view.mapValues(PathHalving.root(parents, _)).toMap
  }

  /** Inserts pane after pane, asks after each, and compares with the naive index.
    *
    * @param edgesOf      the edges of a pane
    * @param restoreEvery saves and restores after so many panes
    * @param smallestRanged vertices from which on their ids may become a range
    * @param visit        called with the index after each pane
    */
  private def check(
      perWindow: Int,
      panes: Int,
      restoreEvery: Int = Int.MaxValue,
      smallestRanged: Int = IdSample.SmallestRanged
  )(
      edgesOf: (Int, SplittableRandom) => Seq[(Long, Long)]
  )(visit: BicIndex => Unit = _ => ()): Unit = {
    val random = new SplittableRandom(7)
    var index = new BicIndex(perWindow, smallestRanged)
    val all = Array.tabulate(panes)(edgesOf(_, random))
    all.indices.foreach { pane =>
      if (pane % 5 == 3) {
        val builder = new PaneForestBuilder()
        all(pane).foreach { case (u, v) => builder.add(u, v) }
        index.insert(pane.toLong, builder.result())
      } else all(pane).foreach { case (u, v) => index.insert(pane.toLong, u, v) }
      index.closePane(pane.toLong)
      val window = pane - perWindow + 1
      val edges = all.slice(math.max(0, window), pane + 1).toSeq.flatten
      val expected = components(edges)
      // Of this window, and of an older one whose vertices may be gone.
      val others = all(math.max(0, window - 3))
      (0 until 200).foreach { _ =>
        val (s, a) = edges(random.nextInt(edges.size))
        val (t, b) = if (random.nextInt(4) == 0) others(random.nextInt(others.size))
        else edges(random.nextInt(edges.size))
        Seq(s -> t, a -> b).foreach { case (x, y) =>
          val connected = expected.get(x).exists(expected.get(y).contains)
          assert(index.connected(window.toLong, x, y) == connected, s"$x, $y in the window from pane $window")
        }
      }
      if (pane % 7 == 0) {
        val smallest = expected.groupMapReduce(_._2)(_._1)(math.min(_, _))
        assert(Answers.components(index, window.toLong) == expected.view.mapValues(smallest).toMap)
      }
      visit(index)
      if (pane % restoreEvery == restoreEvery - 1) index = restored(index, perWindow, smallestRanged)
    }
  }

  private def restored(
      index: BicIndex,
      perWindow: Int,
      smallestRanged: Int = IdSample.SmallestRanged
  ): BicIndex = {
    val out = new BinaryWriter()
    index.save(out)
    BicIndex.restore(perWindow, new BinaryReader(out.toBytes), smallestRanged)
  }

  private def uniform(vertices: Int, edges: Int)(pane: Int, random: SplittableRandom): Seq[(Long, Long)] =
    Seq.fill(edges)((random.nextInt(vertices).toLong, random.nextInt(vertices).toLong))

  test("many small components, vertices that come and go") {
    check(perWindow = 6, panes = 40)(uniform(6000, 600))()
  }

  test("restored in the middle of chunks, it goes on") {
    check(perWindow = 6, panes = 40, restoreEvery = 5)(uniform(3000, 600))()
  }

  for (restoreEvery <- Seq(3, 5, Int.MaxValue))
    test(s"a range comes and goes with dense ids; restored after panes: $restoreEvery") {
      val phases = Seq(true, false, true, true, false)
      val perPhase = 20
      var pane = 0
      check(perWindow = 4, phases.size * perPhase, restoreEvery, smallestRanged = 64) { (pane, random) =>
        def dense(width: Int): Long = random.nextInt(width) - 300L
        def vertex(): Long = pane / perPhase match {
          case 0 => dense(2000)
          case 1 => random.nextInt(5000) * 1000003L
          case 2 => if (random.nextInt(20) == 0) random.nextLong() else Long.MinValue + 300 + dense(1500)
          case 3 => dense(4000)
          case _ => if (random.nextInt(3) == 0) random.nextInt(300).toLong else dense(50000)
        }
        Seq.fill(700 + random.nextInt(600))((vertex(), vertex()))
      } { index =>
        pane += 1
        if (pane % perPhase == 0)
          assert(index.parts._1.rangedIds > 0 == phases(pane / perPhase - 1), s"after pane $pane")
      }
    }

  for (perWindow <- Seq(20, 1))
    test(s"ids that are a fifth of a run have a range while a window of $perWindow panes fills, if it does") {
      val random = new SplittableRandom(perWindow.toLong)
      val ids = Array.tabulate(2000)(i => 5L * i + random.nextInt(5))
      val ranged = Array.newBuilder[Int]
      check(perWindow, panes = 30, smallestRanged = 256)((_, random) =>
        Seq.fill(2000)((ids(random.nextInt(2000)), ids(random.nextInt(2000))))
      )(index => ranged += index.parts._1.rangedIds)
      if (perWindow == 1) assert(ranged.result().forall(_ == 0))
      else assert(ranged.result().slice(3, 18).forall(_ > 9500) && ranged.result().last == 0)
    }

  test("a graph of few vertices, each in a range as soon as it can be") {
    forAll(Streams.stream) { stream =>
      val cursor = new WindowCursor(stream.panes, new BicIndex(stream.panes.perWindow, 1))
      val input = stream.sorted.map { e =>
        val pane = stream.panes.paneOf(e.time)
        new PaneInput(pane, TestEdges.any(pane, Seq(e)))
      }.iterator.buffered
      val got = Iterator
        .continually(cursor.advance(input, Long.MaxValue))
        .takeWhile(identity)
        .map(_ => stream.panes.timeOf(cursor.window) -> Answers.components(cursor.index, cursor.window))
        .toSeq
      assert(got == Oracle.windows(stream).map { case (start, _, components) => start -> components })
    }
  }

  for (perWindow <- Seq(200, 257, 300))
    test(s"chunks of $perWindow panes, which a byte can or cannot tell apart") {
      check(perWindow, panes = 700, restoreEvery = 90)(uniform(400, 3))()
    }

  test(
    "two large components whose halves only both buffers together join: searches give way to a contraction"
  ) {
    check(perWindow = 8, panes = 32) { (pane, random) =>
      // Odd and even vertices never meet; each pane is a set of short paths.
      Seq.fill(500) {
        val u = random.nextInt(1500)
        (u.toLong, ((u + 2 * random.nextInt(20)) % 1500).toLong)
      }
    }()
  }

  test("a pane of many edges over few vertices is thinned, and stays so in the state") {
    check(perWindow = 4, panes = 12, restoreEvery = 3) { (pane, random) =>
      Seq.fill(9000) {
        val u = pane * 20 + random.nextInt(40)
        (u.toLong, if (random.nextInt(10) == 0) u.toLong else (u + 1).toLong)
      }
    } { index =>
      // A link for each vertex of the pane, a self-loop before it, and what came since it was thinned.
      assert(index.openEdges < 6200)
    }
  }

  test("ever new vertices: their numbers are used again") {
    var after5 = 0
    var panes = 0
    check(perWindow = 4, panes = 120) { (pane, _) =>
      (0 until 400).map(i => (pane * 401L + i, pane * 401L + i + 1))
    } { index =>
      panes += 1
      val top = index.parts._1.top
      if (panes == 20) after5 = top
      if (panes > 20) assert(top <= after5 * 1.1)
    }
  }

  test("a graph that shrinks gives the memory back with the next chunks, and goes on") {
    var largest = 0
    var last = 0
    check(perWindow = 3, panes = 40) { (pane, random) =>
      uniform(if (pane < 10) 8000 else 60, 4000)(pane, random)
    } { index =>
      last = index.parts._1.top
      largest = math.max(largest, last)
    }
    assert(largest > 5000 && last < 1024)
  }

  test("hundreds of thousands of vertices become a few: their edges are still theirs") {
    val perWindow = 4
    val few = 8
    // Which tables of vertices are thin next to one another is up to the keys, which are random. A pane that begins a
    // chunk is in no backward buffer, the one after it is.
    (1 to 8).foreach { round =>
      val next = perWindow + round % 2
      val index = new BicIndex(perWindow)
      (0 to 14).foreach { pane =>
        def path(from: Long, length: Int): Unit =
          (0 until length).foreach(i => index.insert(pane.toLong, from + i, from + i + 1))
        if (pane == 0) path(1000000L, 200000)
        if (pane == next) path(2000000L, 50000)
        if (pane < 2 * perWindow) path(0L, few) else path(100L * pane, 1)
        index.closePane(pane.toLong)
        val window = pane - perWindow + 1
        val expected = window < 2 * perWindow
        (1 to few).foreach { i =>
          assert(
            index.connected(window.toLong, 0L, i.toLong) == expected,
            s"0 and $i in the window from pane $window"
          )
        }
        // What was saved of a pane that fills several segments of its log is all of it.
        for (
          each <- index +: Option.when(pane == next && round <= 2)(restored(index, perWindow)).toSeq;
          i <- 1L to 50000L by 997L
        )
          assert(
            each.connected(window.toLong, 2000000L, 2000000L + i) == (window <= next && next <= pane),
            s"2000000 and $i more in the window from pane $window"
          )
      }
    }
  }

  Burst.all.foreach { burst =>
    import burst.{endOf, ids, isDense, last, perWindow}
    test(burst.toString) {
      val index = new BicIndex(perWindow)
      var wasRanged = false
      burst.feed(index)(wasRanged |= index.parts._1.rangedIds > 0) { pane =>
        if (pane < 2 * perWindow - 1)
          assert(index.connected(pane - perWindow + 1, ids(1), ids(burst.vertices - 1)))
      }
      assert(wasRanged == isDense)
      val u = endOf(last)
      assert(Answers.components(index, last - perWindow + 1).filter(_._1 >= u) == Map(u -> u, u + 1 -> u))
      val vertices = index.parts._1
      assert(vertices.size <= burst.vertices / 100 && vertices.rangedIds == 0 && !vertices.isMoving)
      assert(vertices.top < 1024, "the memory is given back")
    }
  }

  test("what a chunk of many vertices left behind is gone, however few edges follow") {
    val index = new BicIndex(4)
    (0L until 1000L).foreach(v => index.insert(1, v, v + 1))
    Seq(4L, 7L).foreach(index.insert(_, 2000, 2000))
    (0L to 1000L by 100L).foreach(v => index.insert(8, v, v))
    index.closePane(8)
    assert(Answers.components(index, 5) == (2000L +: (0L to 1000L by 100L)).map(v => v -> v).toMap)
  }

  test("2^31 panes later, and across a gap of as many, nothing that expired comes back") {
    val index = new BicIndex(4)
    var pane = 0L
    (0 until 40).foreach { i =>
      index.insert(pane, 1, 2)
      index.closePane(pane)
      assert(index.connected(pane - 3, 1, 2))
      index.insert(pane + 1, 100L + i, 3)
      index.closePane(pane + 3)
      assert(index.connected(pane, 1, 2) && index.connected(pane, 100L + i, 3))
      index.insert(pane + 4, 3, 4)
      index.closePane(pane + 4)
      assert(!index.connected(pane + 1, 1, 2) && index.connected(pane + 1, 100L + i, 4))
      pane += (1L << 29) + (i % 7)
    }
  }

  test("a vertex that has a self-loop alone stays when its pane is thinned") {
    val index = new BicIndex(4)
    index.insert(1, 777, 777)
    (0 until 9000).foreach(i => index.insert(1, i % 40L, (i + 1) % 40L))
    (1L to 3L).foreach(index.closePane)
    assert(index.openEdges < 6000)
    index.insert(4, 5, 6)
    index.closePane(4)
    assert(index.connected(1, 777, 777) && index.connected(1, 0, 39) && !index.connected(1, 777, 5))
    assert(Answers.components(index, 1).size == 41)
  }

  test(
    "a thinned pane that still fills several segments of its log keeps all of them, and takes more edges"
  ) {
    val index = new BicIndex(4)
    val length = 3 * EdgeLog.SegmentSize / 2
    (0 until 2 * length + 2000).map(_ % length).foreach(v => index.insert(1, v.toLong, v + 1L))
    assert(index.openEdges >= length && index.openEdges <= length + 2000)
    index.insert(1, length.toLong, -1)
    index.insert(4, -2, -2)
    index.closePane(4)
    (0L to length.toLong by 997L).foreach(v =>
      assert(index.connected(1, -1, v) && !index.connected(1, -2, v))
    )
  }

  test("a search goes on after the first vertex that there was, in the middle of its component") {
    val index = new BicIndex(4)
    Seq((1L, 1L), (2L, 1L), (2L, 3L)).foreach { case (u, v) => index.insert(1, u, v) }
    // Enough others for it to be cheaper than a contraction.
    (100L until 300L).foreach(v => index.insert(1, v, v))
    index.insert(4, 4, 3)
    index.closePane(4)
    assert(index.connected(1, 2, 4) && index.connected(1, 4, 1) && !index.connected(1, 2, 100))
  }

  test("links of a backward buffer that cannot be are told") {
    def violation(parents: Int*)(linkLabels: Int*) = {
      val buffer = new BackwardBuffer(4, parents.size)
      buffer.parents = parents.toArray
      linkLabels.indices.foreach(v => buffer.linkLabels(v) = linkLabels(v))
      buffer.validate().getOrElse("")
    }
    assert(violation(0, 0, 1)(0, 2, 2) == "")
    assert(violation(0, 5)(0, 1) == "a link to vertex 5 of 2")
    assert(violation(0, 0, 1)(0, 2, 1) == "labels rise on the way to a root")
    assert(violation(1, 0)(1, 1) == "a path of more than 3 links over 2 vertices")
  }

  test("labels of a saved backward buffer that cannot be are refused") {
    // The chunk, the closed pane, two vertices, the labels of each with the way to its parent, and no panes.
    def restored(first: Int*)(second: Int*) =
      BicIndex.restore(
        4,
        new BinaryReader((Seq(2, 0, 2, 0, 1) ++ first ++ second :+ 0).map(_.toByte).toArray)
      )
    def refusal(first: Int*)(second: Int*) =
      intercept[CorruptStateException](restored(first: _*)(second: _*)).getMessage
    val index = restored(3, 0)(2, 2, 1)
    assert(index.connected(1, 0, 1))
    assert(refusal(4)(0) == "a vertex label is 4, but must be below 4")
    assert(refusal(3, 0)(2, 3, 1) == "link label 3 of a vertex labelled 2")
    assert(refusal(1, 0)(2, 2, 1) == "a link to a vertex of a later snapshot")
    assert(refusal(3, 2, 4)(0) == "a link to vertex 2 of 2")
    assert(refusal(2, 2, 0)(0) == "a path of more than 3 links over 2 vertices")
  }

  test("panes of a saved chunk that cannot be are refused") {
    def refusal(bytes: Int*) = intercept[CorruptStateException] {
      BicIndex.restore(4, new BinaryReader(bytes.map(_.toByte).toArray))
    }.getMessage
    // The chunk, the closed pane, no vertices, and how many panes, each with its offset and an empty forest.
    assert(refusal(0, 6, 0, 2, 1, 0, 0, 1, 0, 0) == "the panes are not in rising order")
    assert(refusal(0, 8, 0, 0) == "pane 4 of a chunk of 4 panes is closed")
    assert(refusal(0, 1, 0, 0) == "pane -1 of a chunk of 4 panes is closed")
    assert(refusal(0, 2, 0, 1, 2, 0, 0) == "pane 2 of the chunk holds edges, but only 1 is closed")
  }
}
