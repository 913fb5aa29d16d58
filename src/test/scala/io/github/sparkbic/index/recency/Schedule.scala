package io.github.sparkbic.index.recency

import scala.collection.mutable

/** Runs threads one at a time, each up to its next step, so that a run depends on the choices alone.
  *
  * @param choose picks one of so many threads: 0 is the thread that runs, if it has not ended
  */
final class Schedule(choose: Int => Int) {
  private var waiting = Vector.empty[Thread]
  private var running: Thread = _
  private val failures = mutable.Buffer.empty[Throwable]

  /** Runs all of them to their ends, and throws what one of them throws. */
  def run(bodies: Seq[() => Unit]): Unit = {
    val threads = bodies.map { body =>
      new Thread(() => {
        synchronized(awaitTurn())
        try body()
        catch { case e: Throwable => failures += e }
        synchronized(pass(None))
      })
    }
    waiting = threads.toVector
    synchronized(pass(None))
    threads.foreach(_.start())
    threads.foreach(_.join())
    failures.foreach(throw _)
  }

  /** Another thread may go on here. Does nothing in a thread that is not of the schedule. */
  def step(): Unit = synchronized {
    if (running eq Thread.currentThread()) {
      pass(Some(running))
      awaitTurn()
    }
  }

  private def pass(current: Option[Thread]): Unit = {
    val able = current.toVector ++ waiting
    running = if (able.isEmpty) null else able(if (able.size == 1) 0 else choose(able.size))
    waiting = able.filter(_ ne running)
    notifyAll()
  }

  private def awaitTurn(): Unit = while (running ne Thread.currentThread()) wait()
}

object Schedule {

  /** Every run in which a thread is interrupted at most `most` times, as CHESS has them; returns how many there are. */
  def all(most: Int)(run: Schedule => Unit): Int = {
    var prefix = Option(Vector.empty[Int])
    var runs = 0
    while (prefix.isDefined) {
      // Each choice, and among how many.
      val taken = mutable.Buffer.empty[(Int, Int)]
      run(new Schedule(count => {
        val choice = prefix.get.lift(taken.size).getOrElse(0)
        taken += choice -> count
        choice
      }))
      runs += 1
      prefix = taken.indices.reverse.find { i =>
        val (choice, count) = taken(i)
        choice + 1 < count && taken.take(i).count(_._1 > 0) < most
      }.map(i => taken.take(i).map(_._1).toVector :+ taken(i)._1 + 1)
    }
    runs
  }
}
