package io.github.sparkbic.operator.simulation

import scala.collection.compat._
import scala.collection.mutable

import io.github.sparkbic.index.{NamesOracle, Oracle, Stream, TimedEdge}
import io.github.sparkbic.index.NamesOracle.{Name, Named}
import io.github.sparkbic.operator.simulation.World.{Committed, Plan}

/** The rows and counters of each micro-batch, from its rows and its watermark alone, by components from scratch.
  *
  * An edge is late if its pane had ended by the watermark. A window is answered in the first micro-batch whose watermark
  * has reached its end. Where rows come early, a row with `true` comes in the first micro-batch whose edges, with all edges
  * before, connect the pair in the window. Of the product, the oracle uses the start and the length of a pane alone.
  */
final class SimulationOracle(setup: Setup, source: IndexedSeq[Arrival], plans: Seq[Plan]) {
  import SimulationOracle.Come

  private val panes = setup.panes
  private val lines = Array.fill(plans.size)(mutable.ArrayBuffer.empty[String])
  private val counters = plans.map(_ => Array.fill(4)(0L))

  /** In the order of the micro-batches: the lines, sorted, and the counters. */
  lazy val expected: Seq[(Seq[String], Seq[Long])] = {
    val inTime = plans.zipWithIndex.flatMap { case (plan, i) =>
      val (nulls, edges) = plan.rows(source).partition(_.src.isEmpty)
      val (late, right) = edges.partition(row => paneEnd(row.time) <= plan.watermark * 1000)
      Seq(right, late, nulls).zipWithIndex.foreach { case (of, at) =>
        counters(i)(at) += of.map(_.times.toLong).sum
      }
      right.map(row => row.graph -> Come(i, TimedEdge(row.time, row.src.get, row.dst), row.times))
    }
    inTime.groupMap(_._1)(_._2).foreach { case (graph, edges) => ofGraph(graph, edges) }
    lines.toSeq.map(_.sorted.toSeq).zip(counters.map(_.toSeq))
  }

  private def paneEnd(time: Long): Long =
    time - Math.floorMod(time - panes.startTime, panes.length) + panes.length

  private def ofGraph(graph: Int, edges: Seq[Come]): Unit = {
    val stream = Stream(edges.map(_.edge), panes)
    (panes.window +: panes.shorter).foreach { length =>
      val windows = Oracle.windows(stream, length)
      windows.foreach { case (_, end, _) => due(end).foreach(counters(_)(3) += 1) }
      setup.asked match {
        case AskedPairs(early, since) =>
          windows.foreach { case (start, end, _) => pairs(graph, edges, start, end, early, since) }
        case AskedStats(sizes) =>
          windows.foreach { case (start, end, found) =>
            val members = found.groupBy(_._2).values.map(_.size).toSeq
            val inWindow = edges.filter(come => come.edge.time >= start && come.edge.time < end)
            val counts = Seq(found.size, inWindow.map(_.times).sum, members.size, members.max)
            val bySize =
              members.groupBy(identity).toSeq.sortBy(_._1).map { case (size, of) => s"($size,${of.size})" }
            val all = counts.map(_.toString) ++ Option.when(sizes)(bySize.mkString("[", ",", "]"))
            due(end).foreach(add(_, graph, start, end, all))
          }
        case AskedLargest(top, minSize, members) =>
          windows.foreach { case (start, end, found) =>
            val sets = found.toSeq.groupMap(_._2)(_._1).toSeq.filter(_._2.size >= minSize)
            sets.sortBy { case (name, of) => (-of.size, name) }.take(top.toInt).foreach { case (name, of) =>
              val shown = of.sorted.map(show).mkString("[", ",", "]")
              val row = Seq(show(name), of.size.toString) ++ Option.when(members)(shown)
              due(end).foreach(add(_, graph, start, end, row))
            }
          }
        case AskedMembers(minSize, false, false) =>
          windows.foreach { case (start, end, found) =>
            val sizes = found.values.groupBy(identity).map { case (name, of) => name -> of.size }
            found.filter { case (_, name) => sizes(name) >= minSize }.foreach { case (vertex, name) =>
              due(end).foreach(add(_, graph, start, end, Seq(show(vertex), show(name))))
            }
          }
        case AskedMembers(minSize, updatesOnly, stable) =>
          ofMembers(graph, stream, minSize, updatesOnly, stable)
        case AskedChanges(minSize, stable) => ofChanges(graph, named(stream, stable), minSize, stable)
      }
    }
  }

  private def named(stream: Stream, stable: Boolean): Seq[Named] =
    if (stable) NamesOracle.stable(stream) else NamesOracle.smallest(stream)

  private def pairs(
      graph: Int,
      edges: Seq[Come],
      start: Long,
      end: Long,
      early: Boolean,
      since: Boolean
  ): Unit = {
    val inWindow = edges.filter(come => come.edge.time >= start && come.edge.time < end)
    val told = mutable.Set.empty[(Long, Long)]
    def tell(batch: Int, of: Seq[TimedEdge], all: Boolean): Unit = {
      val found = Oracle.components(of)
      val suffixes = new Suffixes(of, start, end)
      setup.pairs.filterNot(told).foreach { case (source, target) =>
        val isConnected = Oracle.connected(found, source, target)
        if (all || isConnected) {
          told += ((source, target))
          val latest = if (isConnected) suffixes.latestStart(source, target).toString else "null"
          val row = Seq(show(source), show(target), isConnected.toString) ++ Option.when(since)(latest)
          add(batch, graph, start, end, row)
        }
      }
    }
    if (early) inWindow.map(_.batch).distinct.sorted.foreach { batch =>
      tell(batch, inWindow.filter(_.batch <= batch).map(_.edge), all = false)
    }
    due(end).foreach(tell(_, inWindow.map(_.edge), all = true))
  }

  /** The components of the last panes of a window, from each pane on. */
  final private class Suffixes(of: Seq[TimedEdge], start: Long, end: Long) {
    private val found = mutable.Map.empty[Long, Map[Long, Long]]

    /** The start of the latest pane from which on edges connect the pair. */
    def latestStart(source: Long, target: Long): Long =
      Iterator.iterate(end - panes.length)(_ - panes.length).takeWhile(_ >= start).find { from =>
        Oracle.connected(
          found.getOrElseUpdate(from, Oracle.components(of.filter(_.time >= from))),
          source,
          target
        )
      }.get
  }

  private def ofMembers(
      graph: Int,
      stream: Stream,
      minSize: Long,
      updatesOnly: Boolean,
      stable: Boolean
  ): Unit = {
    val windows = named(stream, stable)
    val updates = NamesOracle.updates(windows, panes.slide, minSize)
    windows.foreach { window =>
      val rows: Iterable[(Long, Option[Name])] =
        if (updatesOnly) updates(window.start)
        else window.rows(minSize).map { case (vertex, name) => vertex -> Option(name) }
      rows.foreach { case (vertex, name) =>
        val born = Option.when(stable)(name.fold("null")(_.born.toString))
        val row = Seq(show(vertex), name.fold("null")(name => show(name.component))) ++ born
        due(window.end).foreach(add(_, graph, window.start, window.end, row))
      }
    }
  }

  private def ofChanges(graph: Int, windows: Seq[Named], minSize: Long, stable: Boolean): Unit = {
    val byStart = windows.map(window => window.start -> window.names).toMap
    def shown(names: Iterable[Name]): String =
      names.toSeq.sortBy(name => (name.component, name.born)).map { name =>
        if (stable) s"(${show(name.component)},${name.born})" else show(name.component)
      }.mkString("[", ",", "]")
    def ofVertices(names: Map[Set[Long], Name]): Map[Long, Name] =
      for ((vertices, name) <- names; vertex <- vertices) yield vertex -> name
    def related(one: Set[Long], others: Map[Long, Name]) = one.toSeq.flatMap(others.get).distinct
    windows.foreach { window =>
      val (before, after) = (byStart.getOrElse(window.start - panes.slide, Map.empty), window.names)
      val (namesBefore, namesAfter) = (ofVertices(before), ofVertices(after))
      def tell(change: String, old: Iterable[Name], now: Iterable[Name], size: Int): Unit =
        if (size >= minSize) due(window.end).foreach {
          add(_, graph, window.start, window.end, Seq(change, shown(old), shown(now), size.toString))
        }
      before.foreach { case (one, name) =>
        val now = related(one, namesAfter)
        if (now.isEmpty) tell("vanished", Seq(name), Nil, one.size)
        else if (now.size > 1) tell("split", Seq(name), now, one.size)
      }
      after.foreach { case (one, name) =>
        val old = related(one, namesBefore)
        if (old.isEmpty) tell("appeared", Nil, Seq(name), one.size)
        else if (old.size > 1) tell("merged", old, Seq(name), one.size)
      }
    }
  }

  /** The first micro-batch whose watermark has reached a time. */
  private def due(end: Long): Option[Int] =
    Option(plans.indexWhere(_.watermark * 1000 >= end)).filter(_ >= 0)

  private def show(vertex: Long): String = setup.shown(vertex).toString

  private def add(batch: Int, graph: Int, start: Long, end: Long, values: Seq[String]): Unit =
    lines(batch) += (Seq(graph.toString, start.toString, end.toString) ++ values).mkString("|")
}

object SimulationOracle {

  /** An edge in time, the micro-batch in which it comes, and how often. */
  final private case class Come(batch: Int, edge: TimedEdge, times: Int)

  /** What differs between the sink and the oracle; None if nothing does. */
  private[operator] def difference(
      setup: Setup,
      source: IndexedSeq[Arrival],
      batches: Seq[Committed]
  ): Option[String] = {
    val oracle = new SimulationOracle(setup, source, batches.map(_.plan))
    batches.zip(oracle.expected).zipWithIndex.collectFirst {
      case ((batch, (lines, counters)), i) if batch.lines.sorted != lines || batch.counters != counters =>
        val (missing, surplus) = (lines.diff(batch.lines), batch.lines.diff(lines))
        s"micro-batch $i, watermark ${batch.plan.watermark} ms, differs: ${missing.size} rows missing, such as " +
          s"${missing.take(3)}; ${surplus.size} rows too many, such as ${surplus.take(3)}; counters " +
          s"${batch.counters} instead of $counters"
    }
  }
}
