package io.github.sparkbic.operator.state

import org.apache.spark.api.java.Optional
import org.apache.spark.sql.Row
import org.apache.spark.sql.bic.StorageMemory
import org.apache.spark.sql.streaming.{GroupStateTimeout, TestGroupState}
import org.scalatest.Assertions

import io.github.sparkbic.operator.WindowOperator
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.keys.GraphKey
import io.github.sparkbic.operator.question.Question

/** What Spark holds of one graph between two micro-batches. */
private[operator] final case class Held(
    values: Map[StatePlace, Seq[Byte]] = Map.empty,
    timer: Option[Long] = None
) {
  def header: Option[Seq[Byte]] = values.get(StatePlace.Graph)
  def kept: Option[Seq[Byte]] = values.get(StatePlace.Beside)
  def parts: Map[(Long, Int), Seq[Byte]] =
    values.collect { case (StatePlace.Part(pane, number), bytes) => (pane, number) -> bytes }

  def updated(place: StatePlace, bytes: Option[Seq[Byte]]): Held =
    copy(values - place ++ bytes.map(place -> _))
}

/** The values of one graph during an attempt that finds `before`. */
private[operator] final class Values(before: Held = Held(), watermark: Long = 0)
    extends GraphVariables
    with Assertions {
  var now: Held = before
  override def watermarkMillis: Long = watermark
  override def get(place: StatePlace): Option[Array[Byte]] = now.values.get(place).map(_.toArray)

  override def put(place: StatePlace, bytes: Option[Array[Byte]]): Unit = {
    assert(bytes.nonEmpty || now.values.contains(place), s"$place is removed, but was not there")
    now = now.updated(place, bytes.map(_.toSeq))
  }

  override def callAt(millis: Option[Long], before: Option[Long]): Unit = {
    assert(now.timer == before && millis.forall(_ > watermark))
    now = now.copy(timer = millis)
  }
}

/** Live graphs with all the memory that a test wants. */
private[operator] class UnboundedGraphs
    extends LiveGraphs(_ =>
      new StorageMemory(1, () => ()) {
        override def held: Long = Long.MaxValue
        override def grow(bytes: Long): Unit = ()
      }
    )

private[operator] object StoredGraph {

  /** What Spark gives a call for a graph with the layout `value`: a copy of its bytes. */
  def groupState(bytes: Option[Array[Byte]], watermark: Long, isDue: Boolean): TestGroupState[Array[Byte]] = {
    val copy = bytes.fold(Optional.empty[Array[Byte]])(some => Optional.of(some.clone()))
    TestGroupState.create(copy, GroupStateTimeout.EventTimeTimeout, 0L, Optional.of(watermark), isDue)
  }

  /** Closes the panes of a graph before `horizon`. */
  def close(graph: StreamedGraph, horizon: Long): Unit = {
    val input = graph.take(horizon).buffered
    while (graph.cursorToFeed().advance(input, horizon)) {}
  }
}

/** One graph, on a model of the state store that a streaming query sees. */
private[operator] final class StoredGraph(
    val shape: StateShape,
    inPanes: Boolean,
    cache: CacheLimit = CacheLimit(None, minBytes = 0),
    key: Row = Row("a")
) extends Assertions {
  private val stores = new GraphStores(shape, cache)

  /** The store for one attempt, and the state that the attempt has written when it is done. */
  def attempt(state: Held, watermark: Long): (GraphStore, () => Held) =
    if (inPanes) {
      val values = new Values(state, watermark)
      (stores.ofPanes(key, values), () => values.now)
    } else {
      val saved = StoredGraph.groupState(state.header.map(_.toArray), watermark, isDue = false)
      (stores.ofValue(key, saved), () => Held().updated(StatePlace.Graph, saved.getOption.map(_.toSeq)))
    }

  /** Why a state cannot be read, and what to do, behind the name of the graph. */
  def refusal(question: Question, damaged: Held, watermark: Long, blocks: PackedBlock*): String = {
    val message = intercept[IllegalStateException](run(question, damaged, watermark, blocks: _*)).getMessage
    val unreadable = s"the state of graph ${GraphKey.show(key)} cannot be read: "
    assert(message.startsWith(unreadable))
    assert(message.endsWith("give the query a new checkpointLocation and replay the input."))
    message.stripPrefix(unreadable)
  }

  /** Asserts that the state is refused with a bit flipped in any byte of these values, and with an end of them cut off. */
  def assertDamageIsRefused(question: Question, state: Held, watermark: Long, blocks: PackedBlock*)(
      places: StatePlace*
  ): Unit = for (place <- places; bytes = state.values(place); i <- bytes.indices) {
    val flipped = bytes.updated(i, (bytes(i) ^ (1 << i % 8)).toByte)
    Seq(flipped, bytes.take(i)).foreach { damaged =>
      refusal(question, state.updated(place, Some(damaged)), watermark, blocks: _*)
    }
  }

  /** One micro-batch: its rows, and the state after it. */
  def run(question: Question, state: Held, watermark: Long, blocks: PackedBlock*): (Seq[Row], Held) = {
    val (store, result) = attempt(state, watermark)
    val rows = new WindowOperator(shape, question).stream(key, blocks.iterator, store).toList
    (rows, result())
  }
}
