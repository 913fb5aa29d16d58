package io.github.sparkbic.operator.simulation

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Random

import org.apache.spark.sql.Row

import io.github.sparkbic.index.{Indexes, Streams}
import io.github.sparkbic.index.contract.{IndexConfig, Panes}
import io.github.sparkbic.operator.block.Names
import io.github.sparkbic.operator.forests.OpenMemory
import io.github.sparkbic.operator.question._
import io.github.sparkbic.operator.state.{CacheLimit, StateShape}

/** What stays as it is while a simulated query lives: its windows, its question, the layout of its state, its graphs.
  *
  * @param panes      in microseconds
  * @param unit       microseconds between two times at which an edge may happen
  * @param delay      of the watermark, in milliseconds
  * @param partitions of the state; graph `g` is in partition `g % partitions`
  * @param lists      of pairs: every graph is asked for the pairs of one list, whose sources are marked
  * @param tasks      input tasks of a micro-batch, at most
  * @param nameLength at which names of vertices end, behind the part that differs
  * @param refreshes  whether lists are read anew in a run of the query
  */
final case class Setup(
    panes: Panes,
    unit: Long,
    asked: Asked,
    inPanes: Boolean,
    strings: Boolean,
    graphs: Int,
    partitions: Int,
    executors: Int,
    delay: Long,
    vertices: IndexedSeq[Long],
    lists: Seq[Seq[(Long, Long)]],
    tasks: Int = 3,
    nameLength: Int = 0,
    refreshes: Boolean = false
) {

  /** The same with other vertices, and lists of them: a few, one of them twice, which are the first list, no vertex that
    * occurs, all vertices, and some. Few lists, so that a vertex that has left a list returns.
    */
  def asking(vertices: IndexedSeq[Long]): Setup = {
    val random = new Random(vertices.sum)
    val few = vertices.take(4) :+ 424242L
    def withAny(sources: Seq[Long]) =
      sources.take(Setup.MostPairs).map(source => source -> vertices(random.nextInt(vertices.size)))
    def some = withAny(vertices.head +: random.shuffle(vertices.tail.filter(_ => random.nextBoolean())))
    copy(
      vertices = vertices,
      lists = Seq(
        (for (s <- few; t <- few if s <= t) yield (s, t)) :+ (few(0) -> few(1)),
        Seq(424242L -> -7L),
        withAny(vertices),
        some,
        some
      ),
      refreshes = random.nextBoolean()
    )
  }

  /** The lengths of the windows, the longest first. */
  def lengths: Seq[Long] = panes.window +: panes.shorter

  def needsRecency: Boolean = asked.needsRecency || panes.shorter.nonEmpty

  def shown(vertex: Long): Any =
    if (strings) Names.inOrder(vertex).padTo(nameLength, '.') else vertex

  /** Whether the ids are dense enough for a forest over a range, and for an array over the range; names are numbered. */
  def isRange: Boolean = strings || spread < 32
  def isFilled: Boolean = strings || spread < 8
  private def spread: Double = (vertices.last.toDouble - vertices.head).abs / vertices.size

  /** The pairs of a list; the number behind the last is that of a list that has become empty. */
  def pairs(list: Int): Seq[(Long, Long)] = if (list < lists.size) lists(list) else Nil

  private lazy val queries = (0 to lists.size).map(pairs).map { pairs =>
    def asked(vertex: Long): Any = if (strings) shown(vertex).toString.getBytes(UTF_8) else vertex
    val rows = pairs.map { case (source, target) => Row(asked(source), asked(target)) }
    QuerySet(rows, 2)(QuerySet.pairs(early = true))
  }

  /** @param readAt when the list was read */
  def question(list: Int, readAt: Long = 0): Question = {
    val read = queries(list).copy(readAt = readAt)
    asked.question(new LocalQueries(read), strings)
  }

  private[operator] def shape(index: String, config: IndexConfig): StateShape =
    StateShape(index, panes, strings, question(0).kept, Seq("graph"), Some(config))

  override def toString: String =
    s"$asked, window ${(panes.window +: panes.shorter).mkString(" and ")} µs, slide ${panes.slide} µs, start " +
      s"${panes.startTime} µs, delay $delay ms, ${if (inPanes) "panes" else "value"}, " +
      s"${if (strings) "strings" else "numbers"}, $graphs graphs in $partitions partitions, $executors executors"
}

object Setup {

  /** Of a list, so that the oracle has not much to look up. */
  private val MostPairs = 300

  def draw(random: Random): Setup = {
    def pick[A](of: A*): A = of(random.nextInt(of.size))
    val unit = pick(1000L, 1000L, 700L, 1000000L)
    val slide = 1L + random.nextInt(8)
    val window = slide + (if (random.nextBoolean()) slide * random.nextInt(5) else random.nextInt(16).toLong)
    val stable = random.nextBoolean()
    val asked = Asked.draw(random, stable)
    val shorter = if (!asked.compares && window > slide && random.nextInt(5) == 0) Seq(slide * unit) else Nil
    val wild = random.nextInt(4) == 0
    val vertices =
      IndexedSeq.tabulate(3 + random.nextInt(12))(i => if (wild) random.nextLong() else i.toLong).distinct
    Setup(
      Panes(window * unit, slide * unit, random.nextInt(20) * unit, shorter),
      unit,
      asked,
      inPanes = random.nextBoolean(),
      strings = random.nextInt(3) == 0,
      graphs = 1 + random.nextInt(3),
      partitions = 1 + random.nextInt(2),
      executors = 1 + random.nextInt(3),
      delay = random.nextInt(12).toLong,
      Vector.empty,
      Nil
    ).asking(vertices)
  }
}

/** What a restart of the query may change.
  * @param inputs of its input tasks
  * @param list   of pairs, by its number
  */
private[operator] final case class RunSettings(
    index: String,
    config: IndexConfig,
    cache: CacheLimit,
    inputs: InputLimits,
    list: Int
)

/** The sizes at which an input task does something else.
  * @param leastQueued graphs from which on edges wait in a queue
  * @param least, step, most the vertices of its forests, as of `OpenMemory`
  * @param byColumns   whether it takes columns of edges, where there is one graph
  */
private[operator] final case class InputLimits(
    leastQueued: Int,
    least: Long,
    step: Long,
    most: Long,
    byColumns: Boolean
) {
  def memory: OpenMemory = new OpenMemory(None, least, most, step)
}

private[operator] object RunSettings {

  def draw(setup: Setup, random: Random): RunSettings = {
    def pick[A](of: A*): A = of(random.nextInt(of.size))
    val index = if (setup.needsRecency) "recency" else pick(Indexes.names: _*)
    val config = Streams.smallConfig(
      seed = random.nextLong(),
      batchEdges = 1 + random.nextInt(4),
      sweepPart = 2 + random.nextInt(15),
      reach = pick(1L + random.nextInt(30), 1L << 30)
    )
    val limit = pick(Some(1L << 20), Some(1L << 20), Some(9000L), Some(0L))
    val cache = CacheLimit(limit, minBytes = pick(0L, 100L))
    // From a seed of their own: the steps of a schedule stay as they are, whatever else is drawn here.
    val more = new Random(config.seed)
    // Threads of `bic` share no work whose result depends on them.
    val threads = if (index == "bic" && more.nextInt(20) == 0) 2 else 1
    val limits = inputs(setup, more)
    RunSettings(index, config.copy(threads = threads), cache, limits, more.nextInt(setup.lists.size))
  }

  private def inputs(setup: Setup, random: Random): InputLimits = {
    val (least, step) = (20L + random.nextInt(100), 1L + random.nextInt(40))
    val most = least + step * random.nextInt(4)
    val byColumns = random.nextBoolean()
    val queued = if (random.nextBoolean()) random.nextInt(3) else Int.MaxValue
    // Large forests are seen only if they are not sent before.
    random.nextInt(if (setup.vertices.size < 5000) 4 else 16) match {
      case 0 => InputLimits(queued, least, step, most, byColumns)
      case 1 => InputLimits(queued, 20 * least, 20 * step, 20 * most, byColumns)
      case _ => InputLimits(queued, OpenMemory.Least, OpenMemory.Step, OpenMemory.Most, byColumns)
    }
  }
}
