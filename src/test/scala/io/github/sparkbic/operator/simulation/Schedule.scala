package io.github.sparkbic.operator.simulation

import scala.util.Random

import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.question.AskedAsOf

/** A row that comes at the source. A row with a null has no source vertex.
  *
  * @param time  in microseconds
  * @param times how often the row comes, one right after the other
  */
final case class Arrival(graph: Int, src: Option[Long], dst: Long, time: Long, times: Int = 1) {
  override def toString: String =
    s"$graph:${src.getOrElse("null")}-$dst@$time${if (times > 1) s" ($times times)" else ""}"
}

/** A step of a schedule. What a step chooses by itself, it draws from a seed of its own. So the others stay as they are
  * when a step is left out.
  */
sealed trait Step

/** Rows come at the source. */
final case class Arrive(rows: Seq[Arrival]) extends Step {
  override def toString: String =
    s"rows come: ${rows.take(100).mkString(" ")}${if (rows.size > 100) s" and ${rows.size - 100} more" else ""}"
}

/** A micro-batch is planned, if none is left unfinished, and run once. `faulty` is the chance of each fault, in percent. */
final case class RunBatch(seed: Long, faulty: Int) extends Step

/** The query stops and starts again; in memory of executors, graphs of the run before remain. */
final case class Restart(seed: Long, losesCommit: Boolean) extends Step

/** The query is restarted from a copy of its checkpoint, so many micro-batches older. */
final case class GoBack(seed: Long, batches: Int) extends Step

/** An executor dies, and another takes its place. */
final case class LoseExecutor(number: Int) extends Step

/** A file of the state store is damaged: a bit flips, its end is cut off, or two files take each other's place. */
final case class Damage(seed: Long) extends Step

/** All that happens to one query, from its seed. */
final case class Schedule(setup: Setup, settings: RunSettings, steps: Seq[Step]) {
  override def toString: String =
    (s"$setup" +: s"index ${settings.index}, cache ${settings.cache}, list ${settings.list}" +: steps.zipWithIndex.map {
      case (step, i) => s"${i + 1}. $step"
    }).mkString("\n")
}

object Schedule {

  /** The schedule of a seed: the same on every machine, since `java.util.Random` is specified to the bit. */
  def of(seed: Long): Schedule = {
    // Neighbouring seeds of `Random` begin alike.
    val random = new Random(seed * 0x9e3779b97f4a7c15L + 0x1234567L)
    random.nextLong()
    val scale = Scale.of(seed)
    val setup = scale.setup(Setup.draw(random), random)
    val settings = RunSettings.draw(setup, random)
    val faulty = Seq(0, 10, 30, 60)(random.nextInt(4))
    val arrivals = new Arrivals(setup, random)
    val steps = (0 until scale.steps(random)).flatMap { _ =>
      val rows = Arrive(scale.rows(arrivals))
      val between: Seq[Step] =
        if (random.nextInt(100) >= faulty) Nil
        else
          Seq(random.nextInt(5) match {
            case 0 => Restart(random.nextLong(), losesCommit = false)
            case 1 => Restart(random.nextLong(), losesCommit = true)
            case 2 => GoBack(random.nextLong(), 1 + random.nextInt(3))
            case 3 => LoseExecutor(random.nextInt(setup.executors))
            case _ => Damage(random.nextLong())
          })
      (rows +: between) ++ Seq.fill(1 + random.nextInt(2))(RunBatch(random.nextLong(), faulty))
    }
    val drawn = Schedule(setup, settings, steps)
    if (seed % 8 == 7 && scale == Scale.small) ofEvents(drawn, seed / 8) else drawn
  }

  /** The same rows and faults, where each row is an event as well: before, with or after its edges. */
  private def ofEvents(drawn: Schedule, number: Long): Schedule = {
    val asked = AskedAsOf(marked = (number & 1) == 0, pair = (number & 2) == 0, waits = number % 3 > 0)
    val panes = drawn.setup.panes
    drawn.copy(
      setup = drawn.setup.copy(asked = asked, panes = panes.copy(slide = panes.length)),
      settings = drawn.settings.copy(index = RecencyIndex.Name)
    )
  }

  /** Schedules with fewer steps, and with fewer rows: large parts are left out first. */
  def shorter(schedule: Schedule): Iterator[Schedule] = {
    val steps = schedule.steps
    val sizes = Iterator.iterate(steps.size / 2)(_ / 2).takeWhile(_ > 0)
    val fewerSteps = sizes.flatMap(size => (0 to steps.size - size).iterator.map(steps.patch(_, Nil, size)))
    val fewerRows = steps.indices.iterator.flatMap { i =>
      steps(i) match {
        case Arrive(rows) =>
          // Of many rows only large parts are left out at a time.
          val parts = Iterator.iterate(rows.size)(_ / 2).takeWhile(size => size > 0 && size >= rows.size / 16)
          parts.flatMap(size => (0 until rows.size by size).iterator.map(rows.patch(_, Nil, size)))
            .map(fewer => steps.updated(i, Arrive(fewer)))
        case RunBatch(seed, faulty) if faulty > 0 => Iterator.single(steps.updated(i, RunBatch(seed, 0)))
        case _                                    => Iterator.empty
      }
    }
    (fewerSteps ++ fewerRows).map(left => schedule.copy(steps = left))
  }
}
