package io.github.sparkbic.faults

import java.util.SplittableRandom

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.index.forests.PaneForestBuilder

/** A window of three million edges in a driver of 4 GiB, which is what the tests' JVM has. */
class LargeWindowSuite extends QueryTest with SharedSparkSession {
  import LargeWindowSuite._
  import testImplicits._

  test("R-MAT scale 20, 12 M edges, window 3 M, slide 150 K, 100 queries, in a heap of 4 GiB") {
    assert(Runtime.getRuntime.maxMemory <= (4L << 30))
    // Edge number n happens at microsecond n, so that windows hold the edges wanted.
    val edges = spark.range(0, Edges, 1, 4).as[Long].map { n =>
      val (u, v) = rmat(n)
      (u, v, n)
    }.toDF("src", "dst", "n").selectExpr("src", "dst", "timestamp_micros(n) AS time")
    val pairs = (0L until 100L).map(n => rmat(Edges + n))
    val start = System.nanoTime()
    val rows = edges.bicConnectivity(s"$Window microseconds", s"$Slide microseconds", pairs)
      .selectExpr("unix_micros(window.start)", "source", "target", "connected").collect()
    info(s"${Edges * 1000L / ((System.nanoTime() - start) / 1000000L)} edges/s, generator included")

    val windows = (Edges + Window) / Slide - 1
    assert(rows.length == windows * pairs.size)
    val connected = rows.filter(_.getBoolean(3)).map(r => (r.getLong(0), r.getLong(1), r.getLong(2))).toSet
    assert(connected.nonEmpty && connected.size < rows.map(r =>
      (r.getLong(0), r.getLong(1), r.getLong(2))
    ).toSet.size)

    // The first and the last, partly filled windows, and some in between, from scratch.
    Seq(Slide - Window, 0L, 41 * Slide, 60 * Slide, Edges - Slide).foreach { start =>
      val builder = new PaneForestBuilder(1 << 20)
      var n = math.max(0L, start)
      while (n < math.min(Edges, start + Window)) {
        val (u, v) = rmat(n)
        builder.add(u, v)
        n += 1
      }
      val forest = builder.result()
      val positions = forest.ids.zipWithIndex.toMap
      def root(i: Int): Int = if (forest.parents(i) == i) i else root(forest.parents(i))
      pairs.foreach { case (u, v) =>
        val wanted = positions.get(u).exists(a => positions.get(v).exists(b => root(a) == root(b)))
        assert(connected((start, u, v)) == wanted, s"pair ($u, $v) in the window from $start")
      }
    }
  }
}

object LargeWindowSuite {
  private val Edges = 12000000L
  private val Window = 3000000L
  private val Slide = 150000L
  private val Scale = 20

  /** Edge number `n` of a Graph500 R-MAT stream (.57/.19/.19/.05), with ids scrambled within the scale. */
  private def rmat(n: Long): (Long, Long) = {
    val random = new SplittableRandom(n)
    var u = 0L
    var v = 0L
    var level = 0
    while (level < Scale) {
      val p = random.nextDouble()
      u = u << 1 | (if (p >= 0.76) 1 else 0)
      v = v << 1 | (if (p >= 0.95 || (p >= 0.57 && p < 0.76)) 1 else 0)
      level += 1
    }
    (scrambled(u), scrambled(v))
  }

  private def scrambled(id: Long): Long = (id * 0x9e3779b1L + 12345) & ((1L << Scale) - 1)
}
