package io.github.sparkbic.operator.simulation

import scala.collection.compat._
import scala.collection.mutable
import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, UnsafeRow}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{IntegerType, LongType, StringType, TimestampType}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.forests.{OpenGraph, OpenGraphs, PackEvents, StageOne}
import io.github.sparkbic.operator.question.AskedAsOf

/** Stage 1 of a query: the rows of a micro-batch go through the product's forests, in a few input tasks. */
private[operator] final class Inputs(setup: Setup, sizes: Sizes) {
  import Inputs._

  def blocks(rows: Seq[Arrival], settings: RunSettings, random: Random): Map[Int, Seq[PackedBlock]] = {
    val splits = 1 + random.nextInt(setup.tasks)
    val tasks = rows.groupBy(_ => random.nextInt(splits)).toSeq.sortBy(_._1)
    val blocks = tasks.flatMap { case (_, inTask) =>
      measure(inTask)
      task(inTask, settings.inputs)
    }
    val ofGraphs = blocks.groupMap(_._1)(_._2)
    ofGraphs.values.foreach(of => measure(of.filterNot(_.countsNulls), settings))
    setup.asked match {
      case _: AskedAsOf =>
        val ofEvents = tasks.flatMap { case (_, inTask) => events(inTask) }.groupMap(_._1)(_._2)
        (ofGraphs.keySet ++ ofEvents.keySet).map { graph =>
          graph -> random.shuffle(ofGraphs.getOrElse(graph, Nil) ++ ofEvents.getOrElse(graph, Nil))
        }.toMap
      case _ => ofGraphs
    }
  }

  private def events(rows: Seq[Arrival]): Seq[(Int, PackedBlock)] =
    SQLConf.withExistingConf(Interpreted) {
      val vertex = if (setup.strings) StringType else LongType
      val columns = Seq(TimestampType, LongType, vertex, vertex).zipWithIndex.map { case (of, i) =>
        BoundReference(1 + i, of, nullable = true)
      }
      val key = Seq(BoundReference(0, IntegerType, nullable = false))
      val pack = PackEvents(key, columns.head, columns.tail, setup.panes, None, StageOne.schema(IntegerType))
      def shown(id: Long): Any = if (setup.strings) utf8(id) else id
      val sent = rows.flatMap(SimulatedEvent.of(_, setup)).flatMap { event =>
        val time = event.time.fold[Any](null)(identity)
        val ends = Seq(event.source, event.target).map(_.fold[Any](null)(shown))
        pack.eval(InternalRow.fromSeq(Seq(event.graph, time, time) ++ ends)).map(_.copy()).toSeq
      } ++ pack.terminate().map(_.copy())
      sent.map(blockOf)
    }

  private def task(rows: Seq[Arrival], limits: InputLimits): Seq[(Int, PackedBlock)] = {
    val (strings, keys) = (setup.strings, Seq(IntegerType))
    val forests = SQLConf.withExistingConf(Interpreted) {
      StageOne.open(setup.panes, strings, forState = true, keys, limits.memory, limits.leastQueued)
    }
    val sent = mutable.ArrayBuffer.empty[(Int, PackedBlock)]
    var full, queued = 0L
    val graphs = mutable.Set.empty[Int]
    def close(): Unit = sent ++= StageOne.rows(forests).map(blockOf)
    val sendIfFull = () => {
      val taken = math.min(forests.memory.held, limits.most) - limits.least
      sizes.see("steps of memory", (taken + limits.step - 1) / limits.step)
      if (forests.isFull) {
        full += 1
        close()
      }
    }
    // As a query adds edges that reads column batches, that has `by`, and that has neither.
    if (setup.graphs == 1 && limits.byColumns && !strings) addColumns(forests, rows, sendIfFull)
    else
      rows.foreach { row =>
        (0 until row.times).foreach { _ =>
          row.src match {
            case Some(src) if setup.graphs > 1 =>
              if (graphs.size >= limits.leastQueued) queued += 1
              if (strings) forests.add(key(row.graph), utf8(src), utf8(row.dst), row.time)
              else forests.add(key(row.graph), src, row.dst, row.time)
            case _ if setup.graphs > 1 => add(forests.graph(key(row.graph)), row)
            case _                     => add(forests.onlyGraph(key(row.graph)), row)
          }
        }
        graphs += row.graph
        sendIfFull()
      }
    close()
    sizes.see("early sends", full)
    sizes.see("edges in a queue", queued)
    sizes.see("graphs of a task", graphs.size.toLong)
    sent.toSeq
  }

  private def add(graph: OpenGraph, row: Arrival): Unit = row.src match {
    case None                       => graph.addNull()
    case Some(src) if setup.strings => graph.add(utf8(src), utf8(row.dst), row.time)
    case Some(src)                  => graph.add(src, row.dst, row.time)
  }

  private def addColumns(forests: OpenGraphs, rows: Seq[Arrival], sendIfFull: () => Unit): Unit = {
    val only = key(0)
    val sources, targets, times = new Array[Long](ColumnBatch)
    var count = 0
    def addAll(): Unit = {
      forests.onlyGraph(only).addAll(sources, targets, times, count)
      count = 0
      sendIfFull()
    }
    rows.foreach { row =>
      (0 until row.times).foreach { _ =>
        if (row.src.isEmpty) forests.onlyGraph(only).addNull()
        else {
          if (count == ColumnBatch) addAll()
          sources(count) = row.src.get
          targets(count) = row.dst
          times(count) = row.time
          count += 1
        }
      }
    }
    addAll()
  }

  private def utf8(vertex: Long): UTF8String = UTF8String.fromString(setup.shown(vertex).toString)

  private def measure(rows: Seq[Arrival]): Unit = {
    val edges = rows.filter(_.src.nonEmpty)
    edges.groupBy(_.graph).values.foreach { ofGraph =>
      if (setup.strings) {
        val names = 2L * ofGraph.map(_.times).sum
        sizes.see("names of a task", names)
        sizes.see("bytes of names", math.min(names, 256L) * setup.shown(ofGraph.head.dst).toString.length)
      }
      val panes = ofGraph.groupBy(row => setup.panes.paneOf(row.time))
      val inOrder = ofGraph.map(row => setup.panes.paneOf(row.time)).distinct.map(panes)
      val counts = inOrder.map(_.map(_.times.toLong).sum)
      counts.foreach(sizes.see("edges of a pane", _))
      if (setup.vertices.size > 1000) {
        val vertices = inOrder.map(of => of.flatMap(row => Seq(row.src.get, row.dst)).distinct)
        if (setup.isRange) vertices.zip(counts).foreach { case (of, count) =>
          val (inside, outside) = of.partition(id => id >= setup.vertices.head && id <= setup.vertices.last)
          sizes.see("dense vertices", inside.size.toLong)
          if (inside.size >= 4096) {
            sizes.see("dense ends", 2 * count)
            sizes.see("dense edges", count)
            if (outside.size > setup.vertices.size / 8)
              sizes.see("ids outside of a range", outside.size.toLong)
          }
        }
      }
    }
  }

  private def measure(blocks: Seq[PackedBlock], settings: RunSettings): Unit = {
    blocks.foreach { block =>
      if (EdgeSets.areLoose(block.edgeSet))
        sizes.see("loose edges of a block", EdgeSets.sizeOf(block.edgeSet).links.toLong)
      else {
        val vertices = EdgeSets.sizeOf(block.edgeSet).vertices.toLong
        sizes.see("vertices of a block", vertices)
        sizes.see(s"vertices of a block, ${settings.index}", vertices)
      }
    }
    blocks.groupBy(_.pane).values.foreach { of =>
      val forests = of.filterNot(block => EdgeSets.areLoose(block.edgeSet))
      val largest = (0L +: forests.map(block => EdgeSets.sizeOf(block.edgeSet).vertices.toLong)).max
      if (of.size > 1) sizes.see("vertices merged", largest)
      if (setup.inPanes && setup.strings) sizes.see("names of a part", largest)
    }
  }
}

private object Inputs {

  /** Rows of a column batch: so few that many batches come. */
  private val ColumnBatch = 100

  /** Code for the rows of blocks would be generated for each task, which takes longer than most tasks. */
  private val Interpreted: SQLConf = {
    val conf = new SQLConf
    conf.setConfString("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    conf
  }

  private def blockOf(row: InternalRow): (Int, PackedBlock) = row.getInt(0) -> StageOne.block(row)

  private def key(graph: Int): UnsafeRow = {
    val row = new UnsafeRow(1)
    row.pointTo(new Array[Byte](16), 16)
    row.setInt(0, graph)
    row
  }
}
