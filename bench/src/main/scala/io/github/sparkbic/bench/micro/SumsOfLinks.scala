package io.github.sparkbic.bench.micro

import java.lang.management.ManagementFactory
import java.util.Arrays

import io.github.sparkbic.bench.stream.EdgeStream
import io.github.sparkbic.index.contract.WindowComponents

/** Whether the sizes and marks of components should be kept with the links, or be found by one pass over all vertices at
  * each pane with events.
  *
  * The forest is that of `recency`, over places in arrays: a link is a parent and a pane, ranks are random and rise along
  * each path. With sums, each vertex holds the size and the marks of its subtree along the links. A link that is
  * replaced takes its sums off all ancestors, and the new link adds these to the new ancestors. The links that expire with
  * a pane are found in a list of the links that were made in this pane.
  *
  * At each pane after the first window, events ask for both ends of one edge in twelve of the pane to come.
  *
  * It prints milliseconds of processor time a pane: the insert alone, the insert with sums and expiry, and the insert with
  * one pass. The pass also finds the smallest vertex of each component asked for, which sums cannot tell. Each run of the
  * last two is checked against a union–find over the edges of the last window.
  * `build/sbt 'bench/runMain io.github.sparkbic.bench.micro.SumsOfLinks'`.
  */
object SumsOfLinks {
  private val Window = 3000000
  private val MarkedOneIn = 1000
  private val EventOneIn = 12
  private val Slides = Seq(20, 100, 1000)
  private val clock = ManagementFactory.getThreadMXBean

  def main(arguments: Array[String]): Unit = {
    println(
      "| stream | slide | panes measured | insert, ms | with sums, ms | with one pass, ms | pass / sums |"
    )
    println("|---|--:|--:|--:|--:|--:|--:|")
    // The last pane of edges is asked for alone.
    val edges = Window + Window / 4
    Seq(EdgeStream.rmat(20, edges, 1) -> (1 << 20), EdgeStream.uniform(4000000L, edges, 1) -> 4000000)
      .foreach { case (stream, vertices) =>
        // Compiles the loops.
        Seq(0, 1, 2).foreach(new Run(stream, vertices, Window / 20, Window / 4, _).measure(4))
        Slides.foreach { slides =>
          val slide = Window / slides
          val panes = math.min(60, (edges - Window) / slide - 1)
          val ms = Seq(0, 1, 2).map(new Run(stream, vertices, slide, Window, _).measure(panes))
          println(
            f"| ${stream.name} | 1/$slides | $panes | ${ms(0)}%.2f | ${ms(1)}%.2f | ${ms(2)}%.2f | ${ms(2) / ms(1)}%.2f |"
          )
        }
      }
  }

  /** @param way 0: the insert alone; 1: with sums; 2: with one pass a pane */
  private final class Run(stream: EdgeStream, vertices: Int, slide: Int, window: Int, way: Int) {
    private val perWindow = window / slide
    private val parent = Array.range(0, vertices)
    private val paneOf = Array.fill(vertices)(-1)
    private val seen = Array.fill(vertices)(-1)
    private val withSums = way == 1
    // The sums of both are in one number, marks in the high bits.
    private val own = Array.tabulate(vertices)(v => if (v % MarkedOneIn == 0) (1L << 32) | 1L else 1L)
    private val sums = if (withSums) own.clone() else Array.emptyLongArray
    // The vertices whose links were made in each pane of the window; some have been replaced since.
    private val made = Array.fill(if (withSums) perWindow + 1 else 0)(new Array[Int](1024))
    private val madeCount = new Array[Int](made.length)
    private var found = WindowComponents.Empty
    private var marks = Array.emptyLongArray
    private var first = 0

    /** What events were told, so that no answer is left out. */
    var told = 0L

    private def rank(n: Int): Int = {
      var h = (n ^ 0x5bd1e995) * 0x9e3779b1
      h = (h ^ (h >>> 16)) * 0x85ebca6b
      h ^ (h >>> 15)
    }

    private def find(from: Int, pane: Int): Int = {
      var v = from
      while (paneOf(v) >= pane) {
        val p = parent(v)
        // With sums a path cannot be halved for nothing: the sums of the vertex in between would change.
        if (!withSums && paneOf(p) == paneOf(v)) parent(v) = parent(p)
        v = parent(v)
      }
      v
    }

    /** Adds to all ancestors of a subtree. */
    private def addAbove(from: Int, sum: Long): Unit = {
      var v = from
      sums(v) += sum
      while (paneOf(v) >= first) {
        v = parent(v)
        sums(v) += sum
      }
    }

    private def replace(v: Int, to: Int, pane: Int): Unit = {
      if (withSums && paneOf(v) >= first) addAbove(parent(v), -sums(v))
      parent(v) = to
      paneOf(v) = pane
      if (withSums) {
        addAbove(to, sums(v))
        val slot = pane % made.length
        if (madeCount(slot) == made(slot).length) made(slot) = Arrays.copyOf(made(slot), 2 * madeCount(slot))
        made(slot)(madeCount(slot)) = v
        madeCount(slot) += 1
      }
    }

    private def insert(source: Int, target: Int, newest: Int): Unit = {
      seen(source) = newest
      seen(target) = newest
      var (a, b, pane) = (source, target, newest)
      while (pane >= first) {
        a = find(a, pane)
        b = find(b, pane)
        if (a == b) return
        if (rank(a) > rank(b)) {
          val other = a
          a = b
          b = other
        }
        val (displaced, displacedPane) = (parent(a), paneOf(a))
        replace(a, b, pane)
        // The link that makes way joins its ends over the new link.
        b = displaced
        pane = displacedPane
      }
    }

    /** The window moves on by a pane. */
    private def expire(): Unit = {
      if (withSums) {
        val slot = first % made.length
        var i = 0
        while (i < madeCount(slot)) {
          val v = made(slot)(i)
          if (paneOf(v) == first) {
            addAbove(parent(v), -sums(v))
            paneOf(v) = -1
          }
          i += 1
        }
        madeCount(slot) = 0
      }
      first += 1
    }

    /** The vertices that the events of a pane ask for. */
    private def asked(from: Int, until: Int): Array[Int] =
      Array.range(from, until, EventOneIn).flatMap(i =>
        Array(stream.sources(i).toInt, stream.targets(i).toInt)
      )

    /** The sizes, marks and smallest vertices of some components of the window, by the product's pass over all vertices. */
    private def pass(asked: Array[Int]): Unit = {
      // Place 0 is no vertex.
      val parents = new Array[Int](vertices + 1)
      var v = 0
      while (v < vertices) {
        // All ones if the link, and if the vertex, is too old.
        val isOld = (paneOf(v) - first) >> 31
        val isGone = (seen(v) - first) >> 31
        parents(v + 1) = (1 + ((v & isOld) | (parent(v) & ~isOld))) & ~isGone
        v += 1
      }
      found = WindowComponents(parents, place => place - 1L, threads = 1, asked = asked.map(_ + 1))
      marks = new Array[Long](found.components)
      v = 0
      while (v < vertices) {
        val component = found.componentOf(v + 1)
        if (component >= 0) marks(component) += 1
        v += MarkedOneIn
      }
      told += Arrays.stream(found.smallest).sum
    }

    private def answer(asked: Array[Int]): Unit = {
      if (way == 2) pass(asked)
      if (way > 0) asked.foreach(v => told += (if (seen(v) >= first) sumOf(v) else 0))
    }

    private def sumOf(v: Int): Long =
      if (withSums) sums(find(v, first))
      else {
        val component = found.componentOf(v + 1)
        marks(component) << 32 | found.size(component)
      }

    /** Milliseconds a pane, after a first window. */
    def measure(panes: Int): Double = {
      var start = 0L
      var i = 0
      var pane = 0
      while (pane < perWindow + panes) {
        if (pane == perWindow) start = clock.getCurrentThreadCpuTime
        if (pane >= perWindow) expire()
        val until = i + slide
        while (i < until) {
          insert(stream.sources(i).toInt, stream.targets(i).toInt, pane)
          i += 1
        }
        if (pane >= perWindow) answer(asked(i, i + slide))
        pane += 1
      }
      val nanos = clock.getCurrentThreadCpuTime - start
      if (way == 2) pass(Array.range(0, vertices))
      if (way > 0) check(i - window, i)
      nanos / 1e6 / panes
    }

    /** Each size and number of marks is that of a union–find over the edges of the window. */
    private def check(from: Int, until: Int): Unit = {
      val union = Array.range(0, vertices)
      def rootOf(vertex: Int): Int = {
        var v = vertex
        while (union(v) != v) {
          union(v) = union(union(v))
          v = union(v)
        }
        v
      }
      val occurs = new Array[Boolean](vertices)
      (from until until).foreach { i =>
        val (s, t) = (stream.sources(i).toInt, stream.targets(i).toInt)
        occurs(s) = true
        occurs(t) = true
        union(rootOf(s)) = rootOf(t)
      }
      val wanted = new Array[Long](vertices)
      (0 until vertices).foreach(v => if (occurs(v)) wanted(rootOf(v)) += own(v))
      (0 until vertices).filter(occurs(_)).foreach { v =>
        val found = sumOf(v)
        require(
          found == wanted(rootOf(v)),
          s"vertex $v of ${stream.name}, slide $slide, way $way: ${found.toInt} vertices and ${found >>> 32} marks instead " +
            s"of ${wanted(rootOf(v)).toInt} and ${wanted(rootOf(v)) >>> 32}"
        )
      }
    }
  }
}
