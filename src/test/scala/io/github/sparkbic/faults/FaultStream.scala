package io.github.sparkbic.faults

import java.nio.file.{Files, Path}

import scala.collection.compat._
import scala.collection.mutable.ArrayBuffer
import scala.util.Random

import io.github.sparkbic.index.{Oracle, Stream, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.{AsOfOracle, TestEvent}
import io.github.sparkbic.operator.question.AskedConnected

/** A random stream of several graphs as files, each no later than the watermark's delay. So the rows do not depend on
  * which files make a micro-batch. The seed makes all of it.
  *
  * Times and durations are seconds.
  *
  * @param edgesPerFile of most streams; one in three is of many more, among many vertices
  */
final class FaultStream(val seed: Long, files: Int, edgesPerFile: Int) {
  import FaultStream.FlushVertex

  private val random = new Random(seed)

  val panes: Panes = {
    val slide = 1L + random.nextInt(12)
    val window = slide + (if (random.nextBoolean()) slide * random.nextInt(6) else random.nextInt(30).toLong)
    Panes(window, slide, random.nextInt(slide.toInt).toLong)
  }

  /** How much later than a younger edge an edge may come. */
  val delay: Long = random.nextInt(2 * panes.window.toInt).toLong

  val strings: Boolean = random.nextInt(4) == 0

  // Panes of many edges among many more vertices are sent and kept as they are, where others become forests.
  private val factor = if (random.nextInt(3) == 0) FaultStream.EdgesOfSparse else 1
  private val perFile = edgesPerFile * factor

  private val vertices: Array[Long] = {
    val wild = random.nextInt(3) == 0
    val count = (4 + random.nextInt(12)) * (if (factor > 1) FaultStream.VerticesOfSparse else 1)
    Array.tabulate(count)(i => if (wild) random.nextLong() else i.toLong)
  }

  val asked: Seq[(Long, Long)] = {
    val some = vertices.toSeq.take(5) :+ 424242L
    for (s <- some; t <- some) yield (s, t)
  }

  val marked: Seq[Long] = vertices.toSeq.take(2) :+ 424242L

  val later: Seq[Long] = vertices.toSeq.slice(2, 6)

  /** Files of (graph, edge): what is on its way is shuffled within the delay. */
  private val batches: Seq[Seq[(Int, TimedEdge)]] = {
    var time = panes.window
    val arriving = ArrayBuffer.empty[(Long, (Int, TimedEdge))]
    (0 until files * perFile).foreach { n =>
      val quiet = if (random.nextInt(200 * factor) == 0) 10 * panes.window else 0L
      // A file holds about a slide's worth of edges, give or take a factor of two.
      time += quiet + (if (random.nextInt(perFile) < 2 * panes.slide) random.nextInt(2).toLong else 0L)
      val edge =
        TimedEdge(time, vertices(random.nextInt(vertices.length)), vertices(random.nextInt(vertices.length)))
      arriving += ((time + random.nextInt(delay.toInt + 1), random.nextInt(3) -> edge))
      if (n % perFile == 0) time += 1
    }
    arriving.sortBy(_._1).map(_._2).toSeq.grouped(perFile).toSeq
  }

  def edges: Int = batches.map(_.size).sum

  /** One file a batch, and two that only move the watermark past the end of every window. */
  def write(folder: Path): Unit = {
    Files.createDirectories(folder)
    batches.zipWithIndex.foreach { case (batch, n) =>
      // A row that is dropped for a null moves the watermark like any other.
      val rows = batch.map { case (g, e) =>
        s"$g,${e.src},${e.dst},${e.time}"
      } :+ s"1,,7,${batch.head._2.time}"
      write(folder, n, rows)
    }
    (0 until 2).foreach(writeFlush(folder, _))
  }

  /** One more file that moves the watermark no further: its only edge is that of the last two files that [[write]] makes.
    * No pair asks for the vertex of this edge, whose windows stay open.
    *
    * @param number of such files that are there
    */
  def writeFlush(folder: Path, number: Int): Unit =
    write(
      folder,
      batches.size + number,
      Seq(
        s"0,$FlushVertex,$FlushVertex,${batches.flatten.map(_._2.time).max + 1000 * (panes.window + delay)}"
      )
    )

  private def write(folder: Path, n: Int, rows: Seq[String]): Unit = {
    val file = folder.resolve(f"$n%05d.csv")
    Files.writeString(file, rows.mkString("", "\n", "\n"))
    // The file source takes files in the order of their dates.
    Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(1700000000000L + 1000L * n))
  }

  /** The answers, each window from scratch: graph, start, end, source, target, connected; or a vertex, and whether it is
    * connected to a marked one now.
    */
  def expected(query: JobQuery, marked: Seq[Long] = marked): Seq[String] =
    if (query.asksOfEvents) expectedAsOf
    else batches.flatten.groupMap(_._1)(_._2).toSeq.flatMap { case (graph, edges) =>
      val windows = Oracle.windows(Stream(edges, panes))
      lazy val full = windows.map { case (start, _, components) =>
        val names = marked.flatMap(components.get).toSet
        start -> components.keySet.filter(vertex => names(components(vertex)))
      }.toMap
      def rows(start: Long, vertices: Set[Long], isNow: Boolean) =
        vertices.toSeq.map(vertex => s"$graph,$start,${start + panes.window},$vertex,$isNow")
      if (query.asked == AskedConnected(updatesOnly = true))
        full.keySet.flatMap(start => Seq(start, start + panes.slide)).toSeq.flatMap { start =>
          val before = full.getOrElse(start - panes.slide, Set.empty[Long])
          val now = full.getOrElse(start, Set.empty[Long])
          rows(start, now -- before, isNow = true) ++ rows(start, before -- now, isNow = false)
        }
      else if (query.asksOfMarks)
        full.toSeq.flatMap { case (start, vertices) => rows(start, vertices, isNow = true) }
      else
        for ((start, end, components) <- windows; (source, target) <- asked)
          yield s"$graph,$start,$end,$source,$target,${Oracle.connected(components, source, target)}"
    }.sorted

  private def expectedAsOf: Seq[String] = {
    val oracle = AsOfOracle(Seq(panes.window), panes.slide, panes.startTime, Some(marked.toSet))
    val names = if (strings) Some((vertex: Long) => vertex.toString) else None
    val events = batches.flatMap { file =>
      file.map { case (graph, e) => TestEvent(0, Some(e.time), Some(e.src), Some(e.dst), graph) } :+
        TestEvent(0, Some(file.head._2.time), None, Some(7L), graph = 1)
    }
    events.groupBy(_.graph).toSeq.flatMap { case (graph, of) =>
      val answer = oracle.answers(batches.flatten.collect { case (`graph`, edge) => edge }, names)
      of.sortBy(_.time).map { event =>
        s"${(Seq(graph.toLong) ++ event.time ++ event.source ++ event.target).mkString(",")} ${answer(event, None)}"
      }
    }.sorted
  }

  override def toString: String =
    s"seed $seed: ${batches.size} files, window ${panes.window} s, slide ${panes.slide} s, start ${panes.startTime} s, " +
      s"delay $delay s, ${vertices.length} vertices${if (strings) " named by strings" else ""}"
}

private object FaultStream {

  /** The vertex of edges that only move the watermark. */
  val FlushVertex: Long = 777777777L

  /** How many times as many edges a sparse stream has, and vertices. */
  val EdgesOfSparse = 40
  val VerticesOfSparse = 200
}
