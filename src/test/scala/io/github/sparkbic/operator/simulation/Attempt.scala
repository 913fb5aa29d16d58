package io.github.sparkbic.operator.simulation

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable

import org.apache.spark.sql.Row

import io.github.sparkbic.operator.{Unpacked, WindowOperator}
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.question.{AsOf, Question}
import io.github.sparkbic.operator.state._

/** One attempt at the task of one partition in one micro-batch: the real operator over a model of Spark's state.
  *
  * First come the graphs with blocks, then the graphs whose time has come, as Spark calls them.
  *
  * @param stores those of the run of the query, which all its tasks share
  */
private[operator] final class Attempt(
    setup: Setup,
    question: Question,
    before: ModelStore.State,
    blocks: Seq[(Int, Seq[PackedBlock])],
    watermark: Long,
    stores: GraphStores,
    live: LiveGraphs,
    tokens: java.util.Random,
    mutant: Mutant,
    sizes: Sizes
) {
  private val loaded = mutant.loads(before)
  private var now = loaded
  private val operator = new WindowOperator(stores.shape, question)
  private val got = mutable.ArrayBuffer.empty[Row]

  private def expired: Seq[Int] =
    now.collect {
      case (Place(graph, 't', _, _), bytes) if isDue(ByteBuffer.wrap(bytes).getLong) => graph
    }.toSeq.sorted

  // Spark calls a graph when the watermark is beyond its timeout, and a timer when the watermark has reached it.
  private def isDue(millis: Long): Boolean = if (setup.inPanes) millis <= watermark else millis < watermark

  private val rows: Iterator[Row] =
    blocks.iterator.flatMap { case (graph, ofGraph) => call(graph, ofGraph) } ++
      Iterator.single(()).flatMap(_ => expired.iterator.flatMap(call(_, Nil)))

  /** Takes one row more; false after the last row. */
  def next(): Boolean = rows.hasNext && {
    got += rows.next()
    measure(got.last)
    true
  }

  private def isCounters(row: Row): Boolean = !row.isNullAt(row.size - 1)

  // Of the window at hand.
  private var answers = 0L

  private def measure(row: Row): Unit =
    if (isCounters(row)) {
      val counted = Counters.All.zip(row.getAs[Array[Long]](row.size - 1)).toMap
      sizes.see("vertices of an index", counted("live_vertices"))
      if (question.method != "bicConnectivity")
        sizes.see("vertices of all components", counted("live_vertices"))
      if (counted("restored_graphs") > 0) sizes.see("vertices restored", counted("live_vertices"))
      if (stores.cache.bytes > 0) {
        val isKept = setup.inPanes || counted("state_bytes") >= stores.cache.minBytes
        val what = if (isKept) "bytes of a live graph" else "bytes of a graph not kept"
        sizes.see(what, counted("state_bytes"))
      }
    } else if (question.isPacked && !question.kept.hasEvents) {
      val isNext = got.size > 1 && (0 until 3).forall(i => got(got.size - 2).get(i) == row.get(i))
      answers = (if (isNext) answers else 0L) + Unpacked.answers(row, bounds = 3).size
      sizes.see("answers of a window", answers)
    }

  /** What a commit writes to the file of the next version. */
  def changes: ModelStore.Changes = mutant.commits(ModelStore.changes(before, now))

  def lines: Seq[String] = mutant.answers {
    val rows = got.filterNot(isCounters).toSeq
    question match {
      case asOf: AsOf => rows.flatMap(SimulatedEvent.lines(_, asOf, setup))
      case _ =>
        rows.flatMap(row => if (question.isPacked) Unpacked.answers(row, bounds = 3) else Seq(row))
          .map(row => row.toSeq.dropRight(1).map(Attempt.show).mkString("|"))
    }
  }

  /** The first counters of all calls: edges, late edges, rows with a null, windows. */
  def counters: Seq[Long] = {
    val each = got.toSeq.filter(isCounters).map(row => row.getAs[Array[Long]](row.size - 1).toSeq.take(4))
    (Seq.fill(4)(0L) +: each).transpose.map(_.sum)
  }

  private def call(graph: Int, blocks: Seq[PackedBlock]): Iterator[Row] = {
    val key = Row(graph)
    val arriving = mutant.arrives(blocks).iterator
    if (setup.inPanes) {
      operator.stream(key, arriving, stores.ofPanes(key, new Variables(graph, blocks.isEmpty), live))
    } else {
      val bytes = now.get(Place(graph, 'v'))
      val saved = StoredGraph.groupState(bytes, mutant.watermark(watermark), isDue = blocks.isEmpty)
      val called = operator.stream(key, arriving, stores.ofValue(key, saved, live))
      called ++ Iterator.single(()).flatMap { _ =>
        put(Place(graph, 'v'), saved.getOption, saved.isUpdated || saved.isRemoved)
        val timeout = saved.getTimeoutTimestampMs
        val at = if (saved.exists && timeout.isPresent) Some(timeout.get) else None
        put(Place(graph, 't'), at.map(Attempt.bytesOf), isChanged = true)
        Iterator.empty
      }
    }
  }

  private def put(place: Place, bytes: Option[Array[Byte]], isChanged: Boolean): Unit =
    if (isChanged) now = bytes.fold(now - place)(kept => now.updated(place, kept.clone()))

  /** The state of a graph as `transformWithState` gives it.
    * @param isTimer whether the graph is called since its timer has fired, which Spark deletes by itself
    */
  final private class Variables(graph: Int, isTimer: Boolean) extends GraphVariables {
    private val timer = Place(graph, 't')
    if (isTimer) now -= timer

    private def at(place: StatePlace) = place match {
      case StatePlace.Graph              => Place(graph, 'h')
      case StatePlace.Part(pane, number) => Place(graph, 'p', pane, number)
      case StatePlace.Beside             => Place(graph, 'k')
    }

    override def random: java.util.Random = tokens
    override def watermarkMillis: Long = mutant.watermark(watermark)
    override def get(place: StatePlace): Option[Array[Byte]] = now.get(at(place)).map(_.clone())
    override def put(place: StatePlace, bytes: Option[Array[Byte]]): Unit = {
      if (bytes.nonEmpty) sizes.see("parts of a pane", at(place).number + 1L)
      Attempt.this.put(at(place), bytes, isChanged = true)
    }
    override def callAt(millis: Option[Long], before: Option[Long]): Unit = if (millis != before) {
      val set = now.get(timer).map(ByteBuffer.wrap(_).getLong)
      // A timer that is deleted must be there, unless it has just fired.
      if (before.nonEmpty && !isTimer && set != before)
        throw new IllegalStateException(s"timer $before of graph $graph is deleted, but $set is set")
      if (millis.exists(_ <= watermark))
        throw new IllegalStateException(
          s"graph $graph sets a timer at $millis, but the watermark is $watermark"
        )
      Attempt.this.put(timer, millis.map(Attempt.bytesOf), isChanged = true)
    }
  }
}

private[operator] object Attempt {

  private def bytesOf(millis: Long): Array[Byte] = ByteBuffer.allocate(8).putLong(millis).array

  def show(value: Any): String = value match {
    case row: Row                 => row.toSeq.map(show).mkString("(", ",", ")")
    case bytes: Array[Byte]       => new String(bytes, UTF_8)
    case items: Array[_]          => items.map(show).mkString("[", ",", "]")
    case items: collection.Seq[_] => items.map(show).mkString("[", ",", "]")
    case other                    => String.valueOf(other)
  }
}
