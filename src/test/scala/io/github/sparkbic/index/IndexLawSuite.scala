package io.github.sparkbic.index

import scala.collection.compat._
import scala.collection.mutable
import scala.util.Random

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.Streams.{asDrawn, configAsDrawn, nameAsDrawn, shrinkStream}
import io.github.sparkbic.index.TestEdges.SingleEdges
import io.github.sparkbic.index.bic.{BicIndex, BicProbe}
import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, IndexConfig, Panes, WindowCursor}
import io.github.sparkbic.index.forests.PaneForest
import io.github.sparkbic.index.format.BinaryWriter

/** The law of [[ConnectivityIndex]], over random streams, for every index there is.
  *
  * Thresholds are so small that the streams reach batches, growing tables, ids that become dense and sparse, thinning, and
  * numbers that are used again; each test asserts that they did.
  */
class IndexLawSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 80)

  private def asked(stream: Stream, components: Map[Long, Long]): Seq[Long] = {
    def some(vertices: Seq[Long]): Seq[Long] =
      vertices.indices.by(math.max(1, vertices.size / 6)).map(vertices)
    some(components.keys.toSeq.sorted) ++ some(stream.vertices) :+ 987654321987654321L
  }

  // Vertices that were connected with a marked one, and marked ones among them.
  private var rows, marked = 0

  private def check(
      index: ConnectivityIndex,
      stream: Stream,
      window: Long,
      components: Map[Long, Long]
  ): Unit = {
    val vertices = asked(stream, components)
    val pairs = for (s <- vertices; t <- vertices) yield (s, t)
    def checkPairs(): Unit = pairs.foreach { case (s, t) =>
      val wanted = Oracle.connected(components, s, t)
      assert(index.connected(window, s, t) == wanted, s"$s and $t, window $window")
    }
    checkPairs()
    assert(Answers.components(index, window) == components, s"window $window")
    // From scratch for each suffix of the window, which takes too long for very many panes.
    if (stream.panes.perWindow < 100) {
      val marks = stream.marks(window)
      val wanted = Oracle.connectedTo(stream.paned(window, window + stream.panes.perWindow), marks)
      assert(Answers.connectedTo(index, window, marks) == wanted, s"window $window")
      rows += wanted.size
      marked += wanted.count { case (vertex, (_, mark)) => vertex == mark }
    }
    // Once more, now that all has been asked for: the order of questions must not matter.
    checkPairs()
    val visited = mutable.Set.empty[Long]
    index.vertices(visited += _)
    assert(components.keySet.subsetOf(visited) && visited.subsetOf(stream.vertices.toSet))
  }

  /** Each pane in one to three sets of edges, of several forms. */
  private def blocks(stream: Stream): Seq[(Long, EdgeSet)] =
    stream.sorted.groupBy(e => stream.panes.paneOf(e.time)).toSeq.sortBy(_._1).flatMap { case (pane, edges) =>
      edges.grouped(math.max(1, (edges.size + 2) / 3)).zipWithIndex.map { case (some, i) =>
        pane -> TestEdges.any(pane + i, some)
      }
    }

  private def edges(panes: Int, ofPane: Int)(ends: (Int, Random) => (Int, Int)): Seq[TimedEdge] = {
    val random = new Random(7)
    for (pane <- 0 until panes; _ <- 0 until ofPane) yield {
      val (u, v) = ends(pane, random)
      TimedEdge(pane.toLong, u.toLong, v.toLong)
    }
  }

  private def uniform(vertices: Int)(pane: Int, random: Random): (Int, Int) =
    (random.nextInt(vertices), random.nextInt(vertices))

  // What small streams do not reach: panes in a window, edges, and after how many panes the index is restored.
  private val long: Seq[(String, Int, Seq[TimedEdge], Int)] = {
    val never = Int.MaxValue
    val small = edges(30, 300)(uniform(2000))
    // Odd and even vertices never meet; each pane is a set of short paths.
    val two = edges(24, 250) { (_, random) =>
      val u = random.nextInt(750)
      (u, (u + 2 * random.nextInt(20)) % 750)
    }
    val few = edges(12, 2000) { (pane, random) =>
      val u = pane * 20 + random.nextInt(40)
      (u, if (random.nextInt(10) == 0) u else u + 1)
    }
    Seq(
      ("many small components, vertices that come and go", 6, small, never),
      ("many small components, restored now and then", 6, small, 5),
      ("panes of a chunk that a byte can tell apart", 200, edges(460, 2)(uniform(200)), 90),
      ("panes of a chunk that a byte cannot tell apart", 257, edges(574, 2)(uniform(200)), 90),
      (
        "two components whose halves only both buffers of bic join: searches give way to a contraction",
        8,
        two,
        never
      ),
      ("many edges over few vertices, thinned to fewer edges than vertices, and what came since", 4, few, 3)
    )
  }

  for (name <- Indexes.names; (what, perWindow, edges, restoreEvery) <- long) test(s"$name: $what") {
    val config = IndexConfig(seed = 13, smallestDense = 512, smallestSparse = 512, smallestThinned = 256)
    val panes = Panes(perWindow.toLong, 1)
    val stream = Stream(edges, panes)
    var cursor = new WindowCursor(panes, Indexes.create(name, panes, config))
    val input = blocks(stream).iterator.buffered
    Oracle.windows(stream).foreach { case (start, end, components) =>
      assert(cursor.advance(input, end) && cursor.window == start)
      val index = cursor.index
      assert(Answers.violation(index).isEmpty)
      check(index, stream, start, components)
      index match {
        case bic: BicIndex => assert(BicProbe.logSize(bic) < 256 + 3 * components.size)
        case _             =>
      }
      if (end % restoreEvery == 0) {
        val again = Answers.restored(name, panes, Answers.saved(index), config)
        cursor = new WindowCursor(panes, again, firstOpen = cursor.fed, newest = cursor.newestPane)
      }
    }
  }

  private def checkReached(reached: Reached, wanted: Seq[String]): Unit = {
    assert(reached.missing(wanted).isEmpty, s"of $reached")
    info(reached.toString)
  }

  Indexes.names.foreach { name =>
    val thinned = Seq(Reached.LogThinned).filter(_ => name == "bic")

    test(s"$name: sets of edges through the cursor give the oracle's windows, components and answers") {
      val reached = new Reached
      forAll(Streams.phases, Streams.config) { (drawn, config) =>
        val stream = drawn.numbered(config)
        val panes = stream.panes
        val index = new Watched(Indexes.create(name, panes, config), panes.perWindow, reached)
        val cursor = new WindowCursor(panes, index)
        val input = blocks(stream).iterator.buffered
        Oracle.windows(stream).foreach { case (start, end, components) =>
          assert(cursor.advance(input, Long.MaxValue))
          assert((panes.timeOf(cursor.window), panes.timeOf(cursor.windowEnd)) == (start, end))
          check(index, stream, cursor.window, components)
        }
        assert(!cursor.advance(input, Long.MaxValue))
      }
      checkReached(reached, Reached.OfAll ++ thinned)
      assert(rows > 2 * marked && marked > 1000, s"$rows rows, $marked of marked vertices")
    }

    test(s"$name: raw edges, asked at every window, empty ones too, and with the defaults") {
      val reached = new Reached
      forAll(Streams.phases, Gen.frequency(5 -> Streams.config, 1 -> Gen.const(IndexConfig()))) {
        (drawn, config) =>
          val stream = drawn.numbered(config)
          val panes = stream.panes
          val index = new Watched(Indexes.create(name, panes, config), panes.perWindow, reached)
          val wanted = Oracle.windows(stream).map(w => w._1 -> w._3).toMap
          val input = stream.sorted.iterator.buffered
          var window = if (input.hasNext) panes.firstWindowWith(panes.paneOf(input.head.time)) else 0L
          while (input.hasNext) {
            val visited = mutable.Set.empty[Long]
            while (input.hasNext && panes.paneOf(input.head.time) < window + panes.perWindow) {
              val e = input.next()
              index.insert(panes.paneOf(e.time), e.src, e.dst)
              visited ++= Seq(e.src, e.dst)
            }
            // It visits the vertices of edges that came last before their pane is closed.
            index.vertices(visited -= _)
            assert(visited.isEmpty)
            index.closePane(window + panes.perWindow - 1)
            check(index, stream, window, wanted.getOrElse(panes.timeOf(window), Map.empty))
            window += panes.perSlide
          }
      }
      checkReached(reached, Reached.Often ++ thinned)
    }

    for (first <- Seq(0L, 1L << 40); restoredAt <- Seq(-1, 3))
      test(s"$name: no edge comes back 2^31 panes later, from $first on, restored after $restoredAt") {
        val panes = Panes(1L << 30, 1)
        val step = 1L << 29
        var index = Indexes.create(name, panes)
        (0 until 60).foreach { i =>
          val pane = first + i * step
          index.insert(pane, 1000L + i, 1001L + i)
          index.closePane(pane)
          val held = math.max(0, i - 1)
          val window = pane - panes.perWindow + 1
          assert(Answers.components(index, window) ==
            (held to i + 1).map(v => (1000L + v) -> (1000L + held)).toMap)
          // The last mark is given twice.
          val marks = Seq(1001L + i, 1000L + held, 1001L + i)
          val paned = (held to i).map(k => (first + k * step) -> TimedEdge(0, 1000L + k, 1001L + k))
          assert(Answers.connectedTo(index, window, marks) == Oracle.connectedTo(paned, marks))
          if (i == restoredAt) index = Answers.restored(name, panes, Answers.saved(index))
        }
      }

    test(s"$name: a forest in which a parent comes after its child is refused") {
      val index = Indexes.create(name, Panes(10, 10))
      val forest = new PaneForest(Array(5L, 7L, 9L), Array(0, 2, 2))
      val refusal = intercept[IllegalArgumentException](index.insert(0, forest)).getMessage
      assert(refusal.contains("vertex 1 of a pane forest comes before its parent, which is 2"))
    }
  }

  for (from <- Indexes.names; to <- Indexes.names)
    test(s"saved by $from, restored by $to, and the other way round, after every step of a moving horizon") {
      val reached = new Reached
      forAll(Streams.phases, Streams.config, Gen.choose(1, 9), minSuccessful(30)) { (drawn, config, step) =>
        val stream = drawn.numbered(config)
        val panes = stream.panes
        def watched(index: ConnectivityIndex): ConnectivityIndex =
          new Watched(index, panes.perWindow, reached)
        var cursor = new WindowCursor(panes, watched(Indexes.create(from, panes, config)))
        val input = blocks(stream).iterator.buffered
        val wanted = Oracle.windows(stream).iterator
        var horizon = if (input.hasNext) input.head._1 else 0L
        val names = Iterator.continually(Seq(to, from)).flatten
        while (input.hasNext || cursor.isLive) {
          horizon += step
          while (cursor.advance(input, horizon)) {
            val (start, end, components) = wanted.next()
            assert((panes.timeOf(cursor.window), panes.timeOf(cursor.windowEnd)) == (start, end))
            check(cursor.index, stream, cursor.window, components)
          }
          val copy =
            Answers.restored(names.next(), panes, Answers.saved(cursor.index), config.copy(seed = horizon))
          assert(Answers.violation(copy).isEmpty)
          cursor =
            new WindowCursor(panes, watched(copy), firstOpen = cursor.fed, newest = cursor.newestPane)
        }
        assert(wanted.isEmpty)
      }
    }

  test("what an index saves are the vertices of the panes held, and a link less for each component") {
    forAll(Streams.phases, Streams.config, Streams.indexName) { (drawn, config, name) =>
      val stream = drawn.numbered(config)
      val panes = stream.panes
      val index = Indexes.create(name, panes, config)
      stream.sorted.groupBy(e => panes.paneOf(e.time)).toSeq.sortBy(_._1).foreach { case (pane, edges) =>
        index.insert(pane, TestEdges.any(pane, edges))
        index.closePane(pane)
        val held =
          Oracle.between(stream.edges, panes.timeOf(pane - panes.perWindow + 1), panes.timeOf(pane + 1))
        val components = Oracle.components(held)
        val size = index.save(new BinaryWriter())
        assert(size.vertices == components.size)
        assert(size.links == components.size - components.values.toSet.size)
      }
    }
  }

  test("a whole table: all edges, in sets of several forms and one by one, are one window") {
    forAll(Streams.stream, Streams.indexName) { (stream, name) =>
      val index = Indexes.create(name, Panes.Whole)
      val cursor = new WindowCursor(Panes.Whole, index)
      val sets = stream.edges.grouped(math.max(1, stream.edges.size / 3)).zipWithIndex.map {
        case (some, i) => 0L -> TestEdges.any(i.toLong, some)
      }.buffered
      if (sets.hasNext) {
        assert(cursor.advance(sets, Long.MaxValue))
        assert(Answers.components(index, cursor.window) == Oracle.components(stream.edges))
      }
      assert(!cursor.advance(sets, Long.MaxValue))
      val single = Indexes.create(name, Panes.Whole)
      stream.edges.foreach(e => single.insert(0, e.src, e.dst))
      single.closePane(0)
      assert(Answers.components(single, 0) == Oracle.components(stream.edges))
      intercept[IllegalArgumentException](single.insert(0, 1, 2))
    }
  }
}
