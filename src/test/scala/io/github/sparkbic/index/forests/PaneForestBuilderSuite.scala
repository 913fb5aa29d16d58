package io.github.sparkbic.index.forests

import java.lang.management.ManagementFactory
import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.{Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.EdgeSet

/** Forests in the making, over a table of ids or over a range of them: which it is, and what it costs. */
class PaneForestBuilderSuite extends AnyFunSuite {
  private type Edges = Seq[(Long, Long)]

  private def componentsOf(edges: EdgeSet): Map[Long, Long] = Oracle.components(TestEdges.links(edges))

  private def oracle(edges: Edges): Map[Long, Long] =
    Oracle.components(edges.map { case (u, v) => TimedEdge(0, u, v) })

  /** A builder after so many edges between ids that `id` makes of numbers below `vertices`, and those edges. */
  private def built(vertices: Int, edges: Int)(id: Long => Long): (PaneForestBuilder, Edges) = {
    val random = new SplittableRandom(1)
    val made = Seq.fill(edges)((id(random.nextLong(vertices.toLong)), id(random.nextLong(vertices.toLong))))
    val builder = new PaneForestBuilder()
    made.foreach { case (u, v) => builder.add(u, v) }
    (builder, made)
  }

  /** Whether the forest, which is compared with the edges, was made over a range. */
  private def isRanged(builder: PaneForestBuilder, edges: Edges): Boolean = {
    assert(builder.edges == edges.size)
    val forest = builder.result()
    val isRanged = builder.isRanged
    assert(componentsOf(forest) == oracle(edges))
    isRanged
  }

  private def scattered(n: Long): Long = new SplittableRandom(n).nextLong()

  test("thousands of dense ids have a range, wherever they are; few vertices, and scattered ids, have none") {
    assert((isRanged _).tupled(built(20000, 30000)(identity)))
    assert((isRanged _).tupled(built(20000, 30000)(_ + (1L << 40))))
    assert(!(isRanged _).tupled(built(1000, 30000)(identity)))
    assert(!(isRanged _).tupled(built(20000, 30000)(scattered)))
  }

  test("a few ids far from others do not spoil a range, and ids that take turns are all in its sample") {
    assert((isRanged _).tupled(built(20000, 30000)(n => if (n % 50 == 0) scattered(n) else n)))
    def id(n: Long): Long = if (n % 10 == 0) scattered(n) else n
    val edges = (0L until 4600L by 2).map(n => (id(n), id(n + 1)))
    val builder = new PaneForestBuilder()
    edges.foreach { case (u, v) => builder.add(u, v) }
    assert(isRanged(builder, edges))
  }

  test("many edges wait on only where a forest would keep most of them, and where they may") {
    val many = 300000
    val sparse = new PaneForestBuilder(mayStay = true)
    (0L until many.toLong).foreach(i => sparse.add(scattered(2 * i), scattered(2 * i + 1)))
    assert(sparse.isWaiting && sparse.isSparse && sparse.waitingEdges.count == many)
    val (dense, _) = built(20000, many)(identity)
    assert(!dense.isWaiting && dense.edges == many)
    val (some, _) = built(20000, 30000)(identity)
    assert(some.isWaiting && !some.isSparse)
    assert(!built(1000000, many)(identity)._1.isWaiting)
  }

  test("edges that turn out to be dense once many wait are all in the forest, and so are those after them") {
    val builder = new PaneForestBuilder(mayStay = true)
    val edges = Seq.tabulate(600000)(i => (i % 270000L, 270000L + i % 270000L))
    edges.foreach { case (u, v) => builder.add(u, v) }
    assert(!builder.isWaiting && isRanged(builder, edges))
  }

  test("a few vertices take the memory of few edges, and forests that come to a range wait for one another") {
    val (builder, _) = built(20, 1000)(identity)
    assert(!builder.isWaiting && builder.weight < 256)
    val ranged = new PaneForestBuilder()
    val parts = (0 until 40).map { part =>
      Seq.tabulate(if (part == 0) 10000 else 500)(i => (i.toLong, part + i * 17L % 10000))
    }
    parts.foreach(edges => TestEdges.forest(edges.map { case (u, v) => TimedEdge(0, u, v) }).feed(ranged))
    assert(componentsOf(ranged.result()) == oracle(parts.flatten) && ranged.isRanged)
  }

  test(
    "a union of few vertices becomes one over a range when ids fill it, and a table when many are outside of it"
  ) {
    def id(n: Long): Long = if (n < 400000) 100 * (n % 1000) else if (n < 430000) n % 20000 else scattered(n)
    for ((count, ranged) <- Seq(400000 -> false, 430000 -> true, 1000000 -> false)) {
      val random = new SplittableRandom(3)
      val edges = Seq.tabulate(count)(i => (id(i.toLong), id(random.nextLong(i + 1L))))
      val builder = new PaneForestBuilder()
      edges.foreach { case (u, v) => builder.add(u, v) }
      assert(isRanged(builder, edges) == ranged)
    }
  }

  test("numbers that are total from zero on are a range, also those total later, unless a pane has few") {
    Seq(10000 -> true, 900000 -> true, 10000000 -> false).foreach { case (before, ranged) =>
      val random = new SplittableRandom(before.toLong)
      var total = before
      val builder = new PaneForestBuilder(numbers = () => total)
      val edges = Seq.fill(40000) {
        if (random.nextInt(4) == 0) total += 1
        (random.nextLong(total.toLong), total - 1L)
      }
      edges.foreach { case (u, v) => builder.add(u, v) }
      assert(isRanged(builder, edges) == ranged)
    }
  }

  test("a forest keeps no more memory than it weighs, however many edges come at once") {
    val ends = Array.tabulate(1 << 20)(_ % 10L)
    val forest = new HashedUnion(16)
    val threads = ManagementFactory.getThreadMXBean.asInstanceOf[com.sun.management.ThreadMXBean]
    val before = threads.getThreadAllocatedBytes(Thread.currentThread.getId)
    forest.joinAll(ends, 0, ends.length)
    val allocated = threads.getThreadAllocatedBytes(Thread.currentThread.getId) - before
    assert(allocated <= 64L * forest.weight + (1 << 14))
  }

  // A tenth of the ids of a range are vertices.
  private val step = 10L

  test("a pane takes memory for its vertices, however many edges come") {
    val builder = new PaneForestBuilder()
    val random = new SplittableRandom(1)
    // Edges lead from a vertex to others with the same last digit.
    def pass(edges: Int): Unit = (0 until edges).foreach { _ =>
      val digit = random.nextInt(10)
      def vertex() = step * (10L * random.nextInt(2000) + digit)
      builder.add(vertex(), vertex())
    }
    pass(1200000)
    val weight = builder.weight
    pass(1800000)
    assert(builder.isRanged && builder.edges == 3000000)
    assert(builder.weight == weight, "it has grown")
    val components = componentsOf(builder.result())
    assert(components == (0L until 20000L).map(v => step * v -> step * (v % 10)).toMap)
  }

  test("forests are added to a builder that has none: it begins with a forest that suits their ids") {
    // A tenth of a range, a whole range, and ids without a range; and then edges elsewhere.
    val kinds = Seq[(Long => Long, Boolean)]((10 * _, true), (identity, true), (scattered, false))
    for ((id, ranged) <- kinds; vertices <- Seq(3000, 20000)) {
      val random = new SplittableRandom(3)
      def vertex(shift: Long) = shift + id(random.nextLong(vertices.toLong))
      def drawn(shift: Long) = Seq.fill(vertices)((vertex(shift), vertex(shift)))
      val parts = Seq(drawn(0), drawn(0), drawn(1L << 40))
      val builder = new PaneForestBuilder()
      parts.zipWithIndex.foreach { case (edges, i) =>
        TestEdges.forest(edges.map { case (u, v) => TimedEdge(0, u, v) }).feed(builder)
        if (i == 0) assert(builder.isRanged == (ranged && vertices > 4096))
      }
      assert(componentsOf(builder.result()) == oracle(parts.flatten))
    }
  }
}
