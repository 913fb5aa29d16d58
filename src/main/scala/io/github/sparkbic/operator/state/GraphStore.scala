package io.github.sparkbic.operator.state

import java.util.{Random, UUID}
import java.util.concurrent.ThreadLocalRandom

import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.GroupState

/** The state of one graph in Spark, during one call of the operator. */
private[operator] trait GraphVariables {
  def watermarkMillis: Long
  def get(place: StatePlace): Option[Array[Byte]]

  /** Writes a value, or removes it. */
  def put(place: StatePlace, bytes: Option[Array[Byte]]): Unit

  /** Has Spark call again when the watermark reaches `millis`, instead of at `before`. */
  def callAt(millis: Option[Long], before: Option[Long]): Unit

  /** Draws the tokens of headers. */
  def random: Random = ThreadLocalRandom.current()
}

/** One graph for one call of the operator: from Spark's state, or alive in this JVM ([[LiveGraphs]] tells when).
  * @param read the graph that the state holds; a new one if it holds none
  */
private[operator] final class GraphStore private[state] (
    shape: StateShape,
    slot: LiveGraphs.Slot,
    variables: GraphVariables,
    cache: CacheLimit,
    live: LiveGraphs
)(read: Option[Array[Byte]] => StreamedGraph) {
  private val stored = variables.get(StatePlace.Graph)
  private val alive = stored.flatMap(live.take(slot, _))
  private lazy val graph = alive.getOrElse(read(stored))
  def watermarkMillis: Long = variables.watermarkMillis

  /** The size of the state that the graph had to be read from; None if the graph was alive, or is new. */
  def restoredBytes: Option[Int] = if (alive.isEmpty) stored.map(_.length) else None

  /** The graph as the last micro-batch left it. A [[io.github.sparkbic.index.format.CorruptStateException]] says why the
    * graph cannot be read.
    */
  def open(): StreamedGraph = {
    graph.variables = variables
    graph
  }

  /** Writes the graph, counts it, and has Spark call again when the watermark reaches the end of its next window. After
    * the call the graph may belong to another attempt.
    * @param changed whether the graph differs from the graph that [[open]] gave
    */
  def save(changed: Boolean, counters: Counters): Unit = graph.nextEnd match {
    case None =>
      graph.clear()
      if (stored.nonEmpty) variables.put(StatePlace.Graph, None)
    case Some(end) =>
      graph.callAt(Some(shape.millisOf(end)))
      val stamp = if (changed) graph.save() else stored.get
      if (changed) variables.put(StatePlace.Graph, Some(stamp))
      counters.holds(graph, stamp.length + graph.bytesBeside)
      graph.variables = null
      if (counters.stateBytes >= cache.minBytes && cache.bytes > 0)
        live.put(slot, stamp, graph, LiveGraphs.bytesOf(graph, stamp, counters.stateBytes), cache.bytes)
  }
}

/** The stores of all graphs of one operator of a query, in either layout. */
private[operator] final class GraphStores(val shape: StateShape, cache: CacheLimit) extends Serializable {
  private val operator = UUID.randomUUID().toString

  /** A graph kept as one value of `flatMapGroupsWithState`. */
  def ofValue(
      key: Row,
      saved: GroupState[Array[Byte]],
      live: LiveGraphs = LiveGraphs.ofThisJvm
  ): GraphStore = {
    val variables = new GraphVariables {
      override def watermarkMillis: Long = saved.getCurrentWatermarkMs()
      override def get(place: StatePlace): Option[Array[Byte]] = saved.getOption
      override def put(place: StatePlace, bytes: Option[Array[Byte]]): Unit =
        bytes.fold(saved.remove())(saved.update)
      // Spark forgets the time with each call, and calls again once the watermark is beyond it.
      override def callAt(millis: Option[Long], before: Option[Long]): Unit =
        millis.foreach(at => saved.setTimeoutTimestamp(math.max(1L, at - 1)))
    }
    store(key, variables, cache, live)(ValueGraph(_, _, _))
  }

  /** A graph kept pane by pane. */
  def ofPanes(key: Row, variables: GraphVariables, live: LiveGraphs = LiveGraphs.ofThisJvm): GraphStore =
    // Even a small graph takes many reads of the state here.
    store(key, variables, cache.copy(minBytes = 0), live)(PaneGraph(_, _, _))

  private def store(key: Row, variables: GraphVariables, cache: CacheLimit, live: LiveGraphs)(
      read: (StateShape, Int, Option[Array[Byte]]) => StreamedGraph
  ): GraphStore =
    new GraphStore(shape, LiveGraphs.slot(operator, key), variables, cache, live)(
      read(shape, StatePlace.graph(key), _)
    )
}
