package io.github.sparkbic.operator.simulation

import scala.collection.compat._
import scala.collection.mutable
import scala.util.Random

import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.state.GraphStores

/** A streaming query among all that is around it: source, planner, watermark, executors, state stores and sink, as models.
  * Stage 1 of an input task ([[Inputs]]), the window operator, its stores, formats and live graphs are the product's own.
  *
  * One thread runs all attempts. They take turns row by row, in an order that the schedule chooses.
  */
private[operator] final class World(setup: Setup, first: RunSettings, mutant: Mutant) {
  import World._
  import World.Fate._

  private val source = mutable.ArrayBuffer.empty[Arrival]
  private val plans = mutable.ArrayBuffer.empty[Plan]
  private val committed = mutable.ArrayBuffer.empty[Committed]
  private val stores = Seq.fill(setup.partitions)(new ModelStore)
  private val executors = mutable.ArrayBuffer.fill(setup.executors)(mutant.liveGraphs())
  // Attempts that nobody waits for any more, and that go on.
  private val stray = mutable.ArrayBuffer.empty[Running]

  // Of the run: nothing of it is in the checkpoint.
  private var settings = first
  private var ofRun = newStores()
  private var hasRun = false
  private var isStopped = false
  private var readAt = 0L
  // The list by which a micro-batch ran last; not all runs get to one.
  private var lastList = first.list

  val sizes = new Sizes
  private val inputs = new Inputs(setup, sizes)

  val events: mutable.Map[String, Long] = mutable.TreeMap.empty[String, Long].withDefaultValue(0L)

  private def count(event: String): Unit = events(event) += 1

  private def newStores() = new GraphStores(setup.shape(settings.index, settings.config), settings.cache)

  sizes.see("threads", settings.config.threads.toLong)

  def step(step: Step): Unit = step match {
    case Arrive(rows)               => source ++= rows
    case RunBatch(seed, faulty)     => batch(new Random(seed), faulty)
    case Restart(seed, losesCommit) => restart(new Random(seed), losesCommit)
    case GoBack(seed, batches)      => goBack(new Random(seed), batches)
    case LoseExecutor(number) =>
      count("executor lost")
      executors(number) = mutant.liveGraphs()
      stray --= stray.filter(_.executor == number)
    case Damage(seed) =>
      val random = new Random(seed)
      val partition = random.nextInt(setup.partitions)
      val store = stores(partition)
      random.nextInt(3) match {
        case 0 => if (store.damage(committed.size, random, isCut = false)) count("bit flipped")
        case 1 => if (store.damage(committed.size, random, isCut = true)) count("file cut")
        case _ => if (store.exchange(committed.size, random)) count("files exchanged")
      }
  }

  /** Lets the watermark pass the end of every window, and answers all that is left. */
  def finish(): Unit = {
    step(Arrive(Seq(World.Flush)))
    // The first has the row, the second the watermark; either may find damaged files, or the query stopped.
    var turns = 0
    while (turns < 20 && (committed.size < plans.size || hasWork || isStopped)) {
      batch(new Random(turns.toLong), faulty = 0)
      turns += 1
    }
    if (hasWork || committed.size < plans.size) throw new AssertionError("the query does not come to its end")
    stores.zipWithIndex.foreach { case (store, partition) =>
      val left = store.load(committed.size).keys
      if (left.nonEmpty)
        throw new AssertionError(s"partition $partition has state left: ${left.toSeq.take(5)}")
    }
  }

  def written: Seq[Long] = stores.map(_.written)

  def pairs: Seq[(Long, Long)] = setup.pairs(settings.list)

  def batches: Seq[Committed] = committed.toSeq

  private def nextWatermark: Long = committed.lastOption.fold(0L) { last =>
    val newest = last.plan.rows(source).map(row => Math.floorDiv(row.time, 1000L) - setup.delay)
    (newest :+ last.plan.watermark).max
  }

  private def read: Int = plans.lastOption.fold(0)(_.until)

  /** Whether a micro-batch is due. Spark runs one without data only after another in the same run of the query. */
  def hasWork: Boolean =
    read < source.size || hasRun && nextWatermark > plans.lastOption.fold(0L)(_.watermark)

  private def restart(random: Random, losesCommit: Boolean): Unit = {
    count("restart")
    if (losesCommit && committed.nonEmpty && committed.size == plans.size) {
      count("commit lost")
      mutant.losesCommit(committed)
    }
    settings = RunSettings.draw(setup, random)
    if (settings.list != lastList) {
      count("other pairs asked")
      // A micro-batch that runs again may have other rows now, so files of its first run are of no use.
      stray.clear()
      stores.foreach(_.truncate(committed.size))
    }
    ofRun = newStores()
    hasRun = false
    isStopped = false
  }

  /** Reads the list anew in some micro-batches. It draws from a seed of its own, so the steps of a schedule stay as they are. */
  private def refresh(version: Int): Unit = {
    val random = new Random(settings.config.seed * 31 + version)
    if (random.nextInt(3) == 0) {
      count("list read anew")
      settings = settings.copy(list = random.nextInt(setup.lists.size + 1))
      // No two readings are of one time, also where an older checkpoint has the version again.
      readAt += 1
    }
  }

  private def goBack(random: Random, batches: Int): Unit = if (committed.nonEmpty) {
    count("older checkpoint")
    val to = math.max(0, committed.size - batches)
    committed.remove(to, committed.size - to)
    plans.remove(to, plans.size - to)
    stores.foreach(_.truncate(to))
    // Attempts of the other history would write files of other rows.
    stray.clear()
    restart(random, losesCommit = false)
  }

  private def batch(random: Random, faulty: Int): Unit = {
    if (isStopped) restart(random, losesCommit = false)
    if (plans.size == committed.size && hasWork) plans += Plan(read, source.size, nextWatermark)
    if (plans.size > committed.size) {
      val plan = plans.last
      val version = committed.size
      if (setup.refreshes && hasRun) refresh(version)
      lastList = settings.list
      val blocks = inputs.blocks(plan.rows(source), settings, random)
      val tasks = stores.indices.map(partition => new Task(partition, version, plan, blocks, random, faulty))
      if (stray.nonEmpty && faulty > 0 && random.nextBoolean()) tasks.head.adopt(stray)
      try {
        run(tasks, random)
        if (tasks.forall(_.winner.nonEmpty)) {
          val winners = tasks.map(_.winner.get)
          val counters = winners.map(_.attempt.counters).transpose.map(_.sum)
          committed += Committed(plan, winners.flatMap(_.attempt.lines), counters, pairs)
          hasRun = true
          count("micro-batch")
          stores.foreach(store => if (random.nextInt(3) == 0) store.snapshot(committed.size))
        } else {
          count("micro-batch failed")
          isStopped = true
        }
      } catch {
        case e: IllegalStateException if stores.exists(_.isDamaged) && World.names(e) =>
          count("damage reported")
          stores.foreach(_.repair())
          stray.clear()
          isStopped = true
      }
    }
  }

  /** Runs the attempts of all tasks in turns; of attempts that are left behind, some go on in a later micro-batch. */
  private def run(tasks: Seq[Task], random: Random): Unit = {
    val running = mutable.ArrayBuffer.from(tasks.flatMap(_.running))
    while (running.nonEmpty) {
      val one = running(random.nextInt(running.size))
      if (one.rowsLeft == 0) {
        running -= one
        if (one.fate == Stray) stray += one else count("died: midway")
      } else if (one.attempt.next()) one.rowsLeft -= 1
      else {
        running -= one
        end(one)
      }
    }
  }

  private def end(one: Running): Unit = one.fate match {
    case DiesBeforeCommit => count("died: before its commit")
    case fate =>
      one.task.store.commit(one.task.version + 1, one.attempt.changes)
      if (fate == DiesAfterCommit) count("died: after its commit")
      else if (one.isLate) count("late attempt committed")
      else if (one.task.winner.isEmpty) one.task.winner = Some(one)
      else count("second attempt committed")
  }

  final private class Task(
      partition: Int,
      val version: Int,
      plan: Plan,
      blocks: Map[Int, Seq[PackedBlock]],
      val random: Random,
      faulty: Int
  ) {
    val store: ModelStore = stores(partition)
    var winner = Option.empty[Running]
    private val adopted = mutable.ArrayBuffer.empty[Running]

    private val own: Seq[Running] = {
      def fails: Boolean = random.nextInt(100) < faulty
      val extra = Seq.fill(if (fails) 1 + random.nextInt(2) else 0)(random.nextInt(5)).map {
        case 4    => Succeeds
        case fate => Fate(1 + fate)
      }
      // The query gives up when no attempt succeeds.
      val last = if (fails && random.nextInt(4) == 0) Nil else Seq(Succeeds)
      random.shuffle(extra ++ last).map(start)
    }

    def running: Seq[Running] = own ++ adopted

    /** Attempts of earlier micro-batches wake up beside those of this task. */
    def adopt(late: mutable.ArrayBuffer[Running]): Unit = {
      late.foreach { one =>
        one.isLate = true
        one.rowsLeft = Int.MaxValue
        one.fate = Succeeds
      }
      adopted ++= late
      late.clear()
    }

    private def start(fate: Fate.Value): Running = {
      val executor = random.nextInt(setup.executors)
      val ofGraphs = blocks.toSeq.filter(_._1 % setup.partitions == partition).sortBy(_._1)
        .map { case (graph, ofGraph) => graph -> random.shuffle(ofGraph) }
      val attempt = new Attempt(
        setup,
        setup.question(settings.list, readAt),
        store.load(mutant.version(version)),
        random.shuffle(ofGraphs),
        plan.watermark,
        ofRun,
        executors(executor),
        new java.util.Random(random.nextLong()),
        mutant,
        sizes
      )
      new Running(this, attempt, executor, fate)
    }
  }

  final private class Running(val task: Task, val attempt: Attempt, val executor: Int, var fate: Fate.Value) {
    var rowsLeft: Int = if (fate == DiesMidway || fate == Stray) task.random.nextInt(6) else Int.MaxValue
    var isLate = false
  }
}

private[operator] object World {

  /** A row that is dropped, and whose time is after all others. */
  val Flush: Arrival = Arrival(0, None, 0, 1L << 50)

  /** What a micro-batch reads: rows of the source from one place until another, under a watermark in milliseconds. */
  final case class Plan(from: Int, until: Int, watermark: Long) {
    def rows(source: collection.IndexedSeq[Arrival]): Seq[Arrival] = source.slice(from, until).toSeq
  }

  /** A micro-batch in the sink.
    * @param counters edges, late edges, rows with a null, windows
    * @param pairs    that graphs were asked for
    */
  final case class Committed(plan: Plan, lines: Seq[String], counters: Seq[Long], pairs: Seq[(Long, Long)])

  private object Fate extends Enumeration {
    val Succeeds, DiesMidway, DiesBeforeCommit, DiesAfterCommit, Stray = Value
  }

  /** Whether an error names the graph whose state cannot be read, and says what to do. */
  private def names(e: IllegalStateException): Boolean =
    e.getMessage.matches("(?s)the state of graph \\[\\d+\\] cannot be read: .*") &&
      e.getMessage.contains("checkpoint")
}
