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
  private def built(
      vertices: Int,
      edges: Int,
      spare: RankedUnion = null,
      seed: Long = 1
  )(id: Long => Long): (PaneForestBuilder, Edges) = {
    val random = new SplittableRandom(seed)
    val made = Seq.fill(edges)((id(random.nextLong(vertices.toLong)), id(random.nextLong(vertices.toLong))))
    val builder = new PaneForestBuilder(spare = spare)
    made.foreach { case (u, v) => builder.add(u, v) }
    (builder, made)
  }

  private def check(builder: PaneForestBuilder, edges: Edges): RankedUnion = {
    assert(builder.edges == edges.size)
    var spare: RankedUnion = null
    assert(componentsOf(EdgeSets.fromBytes(builder.toBytes(spare = _))) == oracle(edges))
    spare
  }

  private def scattered(n: Long): Long = new SplittableRandom(n).nextLong()

  test("dense ids become a range when there are thousands, and it serves the panes after them") {
    val (first, edges) = built(20000, 30000)(identity)
    assert(first.isRanged)
    val spare = check(first, edges)
    assert(spare != null && spare.range.offsetOf(0) >= 0 && spare.range.offsetOf(19999) >= 0)
    // Of a next pane: whether its ids have a range, whether one is left for the pane after it, and whether that is this one.
    def next(edges: Int)(id: Long => Long): (Boolean, Boolean, Boolean) = {
      val (builder, made) = built(20000, edges, spare, seed = 2)(id)
      val isRanged = builder.isRanged
      val left = check(builder, made)
      (isRanged, left != null, left eq spare)
    }
    assert(next(30000)(identity) == ((true, true, true)))
    assert(next(30000)(scattered) == ((false, false, false)), "ids elsewhere leave the range")
    assert(next(30000)(_ + (1L << 40)) == ((true, true, false)), "and find their own")
    assert(!next(100)(identity)._2, "a range of which a pane has next to nothing is not kept")
  }

  test("few vertices, and ids that are scattered, have no range; a few ids far from others do not spoil it") {
    Seq(built(1000, 30000)(identity), built(20000, 30000)(scattered)).foreach { case (builder, edges) =>
      assert(!builder.isRanged && check(builder, edges) == null)
    }
    val (builder, edges) = built(20000, 30000)(n => if (n % 50 == 0) scattered(n) else n)
    assert(builder.isRanged && check(builder, edges) != null)
  }

  test("ids that take turns are all in the sample that a range is chosen by") {
    val builder = new PaneForestBuilder()
    def id(n: Long): Long = if (n % 10 == 0) scattered(n) else n
    (0L until 4600L by 2).foreach(n => builder.add(id(n), id(n + 1)))
    assert(builder.isRanged)
  }

  test("numbers that are total from zero on are a range, also those total later, unless a pane has few") {
    Seq(10000 -> true, 900000 -> true, 10000000 -> false).foreach { case (before, isRanged) =>
      val random = new SplittableRandom(before.toLong)
      var total = before
      val builder = new PaneForestBuilder(expected = 30000, numbers = () => total)
      val edges = Seq.fill(40000) {
        if (random.nextInt(4) == 0) total += 1
        (random.nextLong(total.toLong), total - 1L)
      }
      edges.foreach { case (u, v) => builder.add(u, v) }
      assert(builder.isRanged == isRanged)
      assert(componentsOf(builder.result()) == oracle(edges))
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

  test("a pane whose edges waited for one another has the range of the pane before") {
    val (first, edges) = built(5000, 20000)(identity)
    val spare = check(first, edges)
    val builder = new PaneForestBuilder(waiting = 4096, spare = spare)
    val random = new SplittableRandom(5)
    val made = Seq.fill(20000)((random.nextLong(5000L), random.nextLong(5000L)))
    made.foreach { case (u, v) => builder.add(u, v) }
    assert(builder.isRanged && (check(builder, made) eq spare))
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
    assert(builder.isRanged && builder.edges == 3000000 && builder.size == 20000)
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
