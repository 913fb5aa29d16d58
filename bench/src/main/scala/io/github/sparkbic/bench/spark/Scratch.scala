package io.github.sparkbic.bench.spark

import org.apache.spark.sql.catalyst.expressions.XXH64

import io.github.sparkbic.bench.baseline.ScratchComponents
import io.github.sparkbic.bench.stream.EdgeStream

/** The rival that computes each window by union–find, with all edges in memory: no file, no Spark, one thread. */
final class Scratch(options: Options, files: EdgeFiles) {
  import Scratch._

  private lazy val stream: EdgeStream = files.edgeStream()
  private val windows = new EdgeWindows(options)

  /** One pass over the windows that rivals answer. Some questions need the components of the window before too. A loop
    * over all windows has these components from its last round, so their time does not count.
    *
    * @param checked whether to check the rows, outside the time
    */
  def run(query: String, checked: Boolean): Run = {
    // The making of the stream is no part of a window's time.
    val edgesInAll = stream.size
    val question = GroupQueries.question(query)
    var (nanos, rows) = (0L, 0L)
    val starts = if (GroupQueries.isTable(query)) Seq(GroupQueries.TableStart) else windows.chosen
    val checks = starts.map { start =>
      val before =
        if (GroupQueries.comparesWindows(query)) components(windows.edges(start - options.slideMillis))
        else null
      val edges = if (GroupQueries.isTable(query)) 0 until edgesInAll else windows.edges(start)
      val begun = System.nanoTime()
      val found = answer(question, components(edges), before)
      nanos += System.nanoTime() - begun
      rows += found.size
      start -> (if (checked) Answers.check(found.hashes, found.size) else 0L)
    }
    val edges =
      if (GroupQueries.isTable(query)) edgesInAll.toLong else starts.size.toLong * options.slideEdges
    Run(nanos, 0, edges, starts.size, checks.toMap, rows = rows)
  }

  private def components(edges: Range): ScratchComponents =
    ScratchComponents.of(stream.sources, stream.targets, edges, options.idLimit)
}

private object Scratch {
  // As xxhash64 of Spark begins.
  private final val Seed = 42L

  /** The rows of a window. Their hashes, which the checks alone need, are `xxhash64` of the columns, exclusive-ored. */
  private trait Found {
    def size: Long
    def hashes: Long
  }

  private def answer(question: String, window: ScratchComponents, before: ScratchComponents): Found =
    question match {
      case "components" | GroupQueries.Table => new Pairs(window.rows)
      case "components-updates"              => new Pairs(window.updates(before))
      case "stats"                           => new Rows(Seq(window.stats), identity[Seq[Long]])
      case "largest" => new Rows(window.largest(GroupQueries.Top), (row: (Long, Long)) => Seq(row._1, row._2))
      case "changes" => new Rows(
          window.changes(before),
          (change: ScratchComponents.Change) =>
            (GroupQueries.Kinds.indexOf(change.kind) + 1L) +:
              (change.before ++ change.after).map(_.toLong) :+ change.size
        )
      case other => throw new IllegalArgumentException(s"union-find cannot answer the query $other")
    }

  /** A component that is absent is null, which a hash skips. */
  private final class Pairs(columns: (Array[Long], Array[Long])) extends Found {
    private val (vertices, components) = columns
    override def size: Long = vertices.length.toLong
    override def hashes: Long = vertices.indices.foldLeft(0L) { (all, i) =>
      val hash = XXH64.hashLong(vertices(i), Seed)
      val name = components(i)
      all ^ (if (name == ScratchComponents.Absent) hash else XXH64.hashLong(name, hash))
    }
  }

  private final class Rows[A](rows: Seq[A], numbers: A => Seq[Long]) extends Found {
    override def size: Long = rows.size.toLong
    override def hashes: Long = rows.foldLeft(0L) { (all, row) =>
      all ^ numbers(row).foldLeft(Seed)((hash, number) => XXH64.hashLong(number, hash))
    }
  }
}
