package io.github.sparkbic.operator.simulation

import scala.collection.compat._
import scala.collection.mutable

import io.github.sparkbic.index.{Oracle, Stream, TimedEdge}
import io.github.sparkbic.operator.question.{Asked, AskedAsOf, Come, ScratchGraph}
import io.github.sparkbic.operator.simulation.World.Committed

/** What a micro-batch reads and is asked; the watermark is in milliseconds, and the sources of the pairs are marked. */
final case class OracleBatch(rows: Seq[Arrival], watermark: Long, asked: Seq[Asked], pairs: Seq[(Long, Long)])

/** The rows and counters of each micro-batch, from its rows and its watermark alone, by components from scratch.
  *
  * An edge is late if its pane had ended by the watermark. A window is answered in the first micro-batch whose watermark
  * has reached its end. Where rows come early, a row with `true` comes in the first micro-batch whose edges, with all edges
  * before, connect the pair in the window. A pair that is new comes early with the next edges of its graph. Of the product, the oracle uses the start and the length of a pane alone.
  *
  * @param keyOf the columns of `by` of a graph, as a line shows them
  */
final class SimulationOracle(
    setup: Setup,
    batches: Seq[OracleBatch],
    keyOf: Int => Seq[String] = graph => Seq(graph.toString)
) {
  private val panes = setup.panes
  private val lines = batches.map(_.asked.map(_ => mutable.ArrayBuffer.empty[String]))
  private val counters = batches.map(_ => Array.fill(4)(0L))

  /** In the order of the micro-batches: for each question the lines, sorted, and the counters. */
  lazy val expected: Seq[(Seq[Seq[String]], Seq[Long])] = {
    val inTime = batches.zipWithIndex.flatMap { case (batch, i) =>
      val (nulls, edges) = batch.rows.partition(_.src.isEmpty)
      val (late, right) = edges.partition(row => paneEnd(row.time) <= batch.watermark * 1000)
      Seq(right, late, nulls).zipWithIndex.foreach { case (of, at) =>
        counters(i)(at) += of.map(_.times.toLong).sum
      }
      right.map(row => row.graph -> Come(i, TimedEdge(row.time, row.src.get, row.dst), row.times))
    }
    val byGraph = inTime.groupMap(_._1)(_._2)
    setup.asked match {
      case asked: AskedAsOf => answerEvents(asked, byGraph)
      case _                => byGraph.foreach { case (graph, edges) => ofGraph(graph, edges) }
    }
    lines.map(_.map(_.sorted.toSeq)).zip(counters.map(_.toSeq))
  }

  private def answerEvents(asked: AskedAsOf, edges: Map[Int, Seq[Come]]): Unit = {
    val rows = batches.zipWithIndex.flatMap { case (batch, i) =>
      batch.rows.map(row => row.graph -> (i -> row))
    }
    def marks(batch: Int) = batches(batch).pairs.map(_._1).toSet
    rows.groupMap(_._1)(_._2).foreach { case (graph, come) =>
      val known = edges.getOrElse(graph, Nil)
      val found =
        SimulatedEvent.expected(setup, asked, come, known, batches.map(_.watermark * 1000), marks)
      found.foreach { case (batch, _, line) => if (batch >= 0) lines(batch).head += line }
      found.collect { case (batch, Some(pane), _) if batch >= 0 => batch -> pane }.distinct.foreach {
        case (batch, _) => counters(batch)(3) += setup.lengths.size
      }
    }
  }

  private def paneEnd(time: Long): Long =
    time - Math.floorMod(time - panes.startTime, panes.length) + panes.length

  private def ofGraph(graph: Int, come: Seq[Come]): Unit = {
    val inTime = Stream(come.map(_.edge), panes)
    (panes.window +: panes.shorter).foreach { length =>
      val found = Oracle.windows(inTime, Some(length))
      found.foreach { case (_, end, _) => dueAt(end).foreach(counters(_)(3) += 1) }
      batches.flatMap(_.asked).distinct.foreach { asked =>
        asked.tell(new ScratchGraph {
          override def edges = come
          override def stream = inTime
          override def windows = found
          override def pairsIn(batch: Int) = batches(batch).pairs
          override def show(vertex: Long) = setup.shown(vertex).toString
          override def due(end: Long) = dueAt(end)
          override def add(batch: Int, start: Long, end: Long, values: Seq[String]): Unit = {
            val line = (keyOf(graph) ++ Seq(start.toString, end.toString) ++ values).mkString("|")
            batches(batch).asked.zip(lines(batch)).foreach { case (one, of) => if (one == asked) of += line }
          }
        })
      }
    }
  }

  /** The first micro-batch whose watermark has reached a time. */
  private def dueAt(end: Long): Option[Int] =
    Option(batches.indexWhere(_.watermark * 1000 >= end)).filter(_ >= 0)
}

object SimulationOracle {

  /** What differs between the sink and the oracle; None if nothing does. */
  private[operator] def difference(
      setup: Setup,
      source: IndexedSeq[Arrival],
      batches: Seq[Committed]
  ): Option[String] = {
    val read = batches.map { each =>
      OracleBatch(each.plan.rows(source), each.plan.watermark, Seq(setup.asked), each.pairs)
    }
    batches.zip(new SimulationOracle(setup, read).expected).zipWithIndex.collectFirst {
      case ((batch, (Seq(lines), counters)), i)
          if batch.lines.sorted != lines || batch.counters != counters =>
        val (missing, surplus) = (lines.diff(batch.lines), batch.lines.diff(lines))
        s"micro-batch $i, watermark ${batch.plan.watermark} ms, differs: ${missing.size} rows missing, such as " +
          s"${missing.take(3)}; ${surplus.size} rows too many, such as ${surplus.take(3)}; counters " +
          s"${batch.counters} instead of $counters"
    }
  }
}
