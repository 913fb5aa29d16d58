package io.github.sparkbic.faults

import scala.collection.compat._
import scala.collection.mutable

import io.github.sparkbic.index.{Oracle, TimedEdge}
import io.github.sparkbic.index.contract.Panes

/** A row of a [[SettingsRound]]'s source; `t` is in microseconds. */
final case class SettingsRow(g: Option[Int], src: Option[Long], dst: Option[Long], t: Option[Long])

/** One micro-batch as it ran.
  *
  * @param watermark in milliseconds
  * @param ends      of each source, how many lots of rows had come
  * @param questions which were asked, of `SettingsOracle.Questions`
  * @param lines     what came out, as [[SettingsOracle]] writes it
  */
final case class RanBatch(watermark: Long, ends: Seq[Int], questions: Seq[String], lines: Seq[String])

/** What each micro-batch must give, and count, from its watermark and its rows alone: an edge is late if its pane had
  * ended by the watermark. A window is answered from scratch over all edges that were not late, in the first
  * micro-batch whose watermark has reached its end. Where rows come early, a row with `true` comes in the first
  * micro-batch whose edges, with all edges before, connect the pair in the window.
  *
  * A line is the number of the question, the key, the start and the end of the window, and the answer.
  */
final class SettingsOracle(
    panes: Panes,
    keyOf: SettingsRow => Seq[String],
    show: Long => String,
    asked: Seq[(Long, Long)],
    early: Boolean,
    sources: Seq[Seq[Seq[SettingsRow]]]
) {
  import SettingsOracle._

  private val lengths = panes.window +: panes.shorter

  // Names of components are compared as they are shown, strings as strings.
  private def least(ids: Iterable[Long]): Long = if (show(0L) == "0") ids.min else ids.minBy(show)

  def expect(batches: Seq[RanBatch]): Seq[Expected] = {
    val none = Seq.fill(sources.size)(0)
    val rows = batches.zip(none +: batches.map(_.ends)).map { case (batch, from) =>
      sources.indices.flatMap(s => sources(s).slice(from(s), batch.ends(s)).flatten)
    }
    // Each edge in time, with its graph and the number of its micro-batch.
    val used = mutable.ArrayBuffer.empty[(Seq[String], (Int, TimedEdge))]
    val counted = batches.zip(rows).zipWithIndex.map { case ((batch, rows), i) =>
      val (nulls, edges) = rows.partition(row => row.src.isEmpty || row.dst.isEmpty || row.t.isEmpty)
      val (late, inTime) = edges.partition { row =>
        panes.timeOf(panes.paneOf(row.t.get) + 1) <= batch.watermark * 1000
      }
      inTime.foreach(row => used += keyOf(row) -> (i -> TimedEdge(row.t.get, row.src.get, row.dst.get)))
      new Expected(inTime.size.toLong, late.size.toLong, nulls.size.toLong)
    }
    for ((key, edges) <- used.groupMap(_._1)(_._2).toSeq; length <- lengths) {
      val windows = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[(Int, TimedEdge)]]
      edges.foreach { case (i, edge) =>
        val last = edge.time - Math.floorMod(edge.time - panes.startTime, panes.slide)
        Iterator.iterate(last)(_ - panes.slide).takeWhile(_ + length > edge.time).foreach { start =>
          windows.getOrElseUpdate(start, mutable.ArrayBuffer.empty) += i -> edge
        }
      }
      val components = windows.map { case (start, inWindow) =>
        start -> Oracle.components(inWindow.map(_._2).toSeq)
      }
      def at(start: Long) = components.getOrElse(start, Map.empty[Long, Long])
      if (early) windows.foreach { case (start, inWindow) =>
        val connected = mutable.Set.empty[Seq[String]]
        inWindow.map(_._1).distinct.sorted.foreach { i =>
          val found = Oracle.components(inWindow.filter(_._1 <= i).map(_._2).toSeq)
          val news =
            answersTo(Connectivity, found, inWindow.size).filter(_.last == "true").filter(connected.add)
          batches(i).questions.indices.foreach { number =>
            counted(i).lines ++= news.map(line(number, key, start, length, _))
          }
        }
      }
      (windows.keySet ++ windows.keySet.map(_ + panes.slide)).foreach { start =>
        val i = batches.indexWhere(_.watermark * 1000 >= start + length)
        if (i >= 0) {
          val edgesInWindow = windows.get(start).fold(0)(_.size)
          if (edgesInWindow > 0) counted(i).windows += 1
          batches(i).questions.zipWithIndex.foreach { case (question, number) =>
            val answers =
              if (question == Changes) changes(at(start - panes.slide), at(start))
              else if (edgesInWindow > 0) answersTo(question, at(start), edgesInWindow)
              else Nil
            val late = if (early) answers.filter(_.last == "false") else answers
            counted(i).lines ++= late.map(line(number, key, start, length, _))
          }
        }
      }
    }
    counted
  }

  private def line(question: Int, key: Seq[String], start: Long, length: Long, answer: Seq[String]): String =
    ((question.toString +: key :+ start.toString :+ (start + length).toString) ++ answer).mkString("|")

  private def answersTo(question: String, found: Map[Long, Long], edges: Int): Seq[Seq[String]] = {
    val members = found.toSeq.groupMap(_._2)(_._1)
    question match {
      case Connectivity => asked.map { case (s, t) =>
          Seq(show(s), show(t), Oracle.connected(found, s, t).toString)
        }
      case Components => members.values.toSeq.flatMap(of => of.map(v => Seq(show(v), show(least(of)))))
      case _ =>
        Seq(Seq(found.size, edges, members.size, members.values.map(_.size).max).map(_.toString))
    }
  }

  private def changes(before: Map[Long, Long], after: Map[Long, Long]): Seq[Seq[String]] = {
    def sets(of: Map[Long, Long]) = of.toSeq.groupMap(_._2)(_._1).values.map(_.toSet).toSeq
    def name(of: Set[Long]) = show(least(of))
    def related(one: Set[Long], others: Seq[Set[Long]]) = {
      val leasts = others.filter(_.exists(one)).map(least(_))
      (if (show(0L) == "0") leasts.sorted else leasts.sortBy(show)).map(show)
    }
    val (old, now) = (sets(before), sets(after))
    old.map(one => one -> related(one, now)).collect {
      case (one, Nil) => Seq("vanished", name(one), "", one.size.toString)
      case (one, others) if others.size > 1 =>
        Seq("split", name(one), others.mkString(","), one.size.toString)
    } ++ now.map(one => one -> related(one, old)).collect {
      case (one, Nil) => Seq("appeared", "", name(one), one.size.toString)
      case (one, others) if others.size > 1 =>
        Seq("merged", others.mkString(","), name(one), one.size.toString)
    }
  }
}

object SettingsOracle {
  val Connectivity = "connectivity"
  val Components = "components"
  val Stats = "stats"
  val Changes = "changes"

  /** What a micro-batch must count and give. */
  final class Expected(edges: Long, late: Long, nulls: Long) {
    var windows = 0L
    val lines = mutable.ArrayBuffer.empty[String]

    /** As the operator counts: edges, late edges, rows with a null, windows. */
    def counters: Seq[Long] = Seq(edges, late, nulls, windows)
  }
}
