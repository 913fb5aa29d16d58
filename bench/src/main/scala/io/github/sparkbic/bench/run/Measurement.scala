package io.github.sparkbic.bench.run

import java.lang.management.ManagementFactory
import java.util.BitSet

import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.bench.WindowSystem
import io.github.sparkbic.bench.stream.EdgeStream
import io.github.sparkbic.index.contract.Panes

/** One pass of one system over a stream, with the clock stopped for all that is not the system's. */
final class Measurement(options: Options, stream: EdgeStream, queries: Array[(Long, Long)]) {
  import Measurement.{BetweenChecks, Burst}

  private val unit = EdgeStream.EdgesPerTimestamp
  private val panes = Panes(options.window.toLong / unit, options.slide.toLong / unit)
  // Edges in a pane.
  private val perPane = panes.length.toInt * unit
  private val threads = ManagementFactory.getThreadMXBean
  private val cpu = options.clock == "cpu"

  private def now(): Long = if (cpu) threads.getCurrentThreadCpuTime else System.nanoTime()

  /** @param answers one bit a query, window after window */
  final class Pass(
      val edges: Int,
      val nanos: Long,
      val latencies: Array[Long],
      val burstMax: Long,
      val answers: BitSet
  )

  def windowsIn(edges: Int): Int =
    if (edges < options.window) 0 else (edges - options.window) / options.slide + 1

  /** A pass stops after `capNanos`, between bursts or between the answers of a window, which then counts as not answered.
    *
    * @param onWindow called, off the clock, after the answers of the window of that number
    */
  def run(
      system: String,
      edges: Int = stream.size,
      capNanos: Long = Long.MaxValue
  )(onWindow: Int => Unit): Pass = {
    val index = WindowSystem.create(system, panes)
    val latencies = ArrayBuffer.empty[Long]
    val answers = new BitSet()
    var spent = 0L
    var burst = 0L
    var inBurst = 0
    var burstMax = 0L
    var at = 0
    var end = options.window
    while (at < edges && spent < capNanos) {
      val stop = math.min(math.min(end, edges), (at / perPane + 1) * perPane)
      val until = math.min(stop, at + Burst - inBurst)
      val start = now()
      insert(index, at, until)
      val taken = now() - start
      spent += taken
      burst += taken
      inBurst += until - at
      if (inBurst == Burst) {
        burstMax = math.max(burstMax, burst)
        burst = 0
        inBurst = 0
      }
      at = until
      if (at == end) {
        val window = latencies.length
        val start = now()
        val answered = respond(index, window, answers, start, capNanos - spent)
        if (answered && at < edges) {
          insert(index, at, at + 1)
          at += 1
        }
        val taken = now() - start
        spent += taken
        if (answered) {
          latencies += taken
          end += options.slide
          onWindow(window)
        } else at -= 1 // So that a pass of as many edges does not come to this window.
      }
    }
    new Pass(at, spent, latencies.toArray, burstMax, answers)
  }

  private def insert(index: WindowSystem, from: Int, until: Int): Unit = {
    val sources = stream.sources
    val targets = stream.targets
    val pane = (from / perPane).toLong
    var i = from
    while (i < until) {
      index.insert(pane, sources(i), targets(i))
      i += 1
    }
  }

  /** The answers when an edge completes a window; false if they took longer than `left` since `start`, and were stopped. */
  private def respond(
      index: WindowSystem,
      window: Int,
      answers: BitSet,
      start: Long,
      left: Long
  ): Boolean = {
    index.complete(window.toLong * panes.perSlide)
    var q = 0
    val base = window * queries.length
    while (q < queries.length) {
      if (q % BetweenChecks == BetweenChecks - 1 && now() - start > left) return false
      if (index.connected(queries(q)._1, queries(q)._2)) answers.set(base + q)
      q += 1
    }
    true
  }
}

object Measurement {

  /** Edges in an insert burst. */
  val Burst = 1000

  /** Queries from one look at the clock to the next: so many that the look costs nothing beside them. */
  private val BetweenChecks = 128
}
