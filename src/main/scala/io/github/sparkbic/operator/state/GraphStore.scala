package io.github.sparkbic.operator.state

import java.util.{Random, UUID}
import java.util.concurrent.ThreadLocalRandom

import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.GroupState

import io.github.sparkbic.index.format.StateLayout

/** The state of one graph in Spark, during one call of the operator. */
private[operator] trait GraphVariables {
  def watermarkMillis: Long
  def get(place: StatePlace): Option[Array[Byte]]

  /** Writes a value, or removes it. */
  def put(place: StatePlace, bytes: Option[Array[Byte]]): Unit

  /** Has Spark call again when the watermark reaches `millis`, instead of at `before`. */
  def callAt(millis: Option[Long], before: Option[Long]): Unit

  /** Draws the tokens of values. */
  def random: Random = ThreadLocalRandom.current()
}

/** How much memory an executor may spend on the graphs of one operator that stay alive between micro-batches.
  * @param maxBytes estimated bytes of these graphs in the executor; None for a quarter of its heap
  * @param minBytes bytes in the state below which a graph is not kept, in the layout `value`
  */
private[operator] final case class CacheLimit(
    maxBytes: Option[Long],
    minBytes: Long = CacheLimit.SmallValue
) {
  def bytes: Long = maxBytes.getOrElse(Runtime.getRuntime.maxMemory / 4)
}

private[operator] object CacheLimit {

  /** A live graph takes ten to forty times the bytes of a small value, in very many objects. The garbage collector spends
    * more on 100,000 such graphs than reading them costs. Measured with values of half a KB: 48 s of CPU time with 100,000
    * graphs alive, and 27 s with none.
    */
  val SmallValue: Long = StateLayout.LeastWithToken.toLong
}

/** One graph for one call of the operator: from Spark's state, or alive in this JVM ([[LiveGraphs]] tells when).
  * @param inPanes whether the graph is kept pane by pane
  */
private[operator] final class GraphStore private[state] (
    stores: GraphStores,
    key: Row,
    variables: GraphVariables,
    live: LiveGraphs,
    inPanes: Boolean
) {
  import stores.{cache, shape}

  private val slot = LiveGraphs.slot(stores.operator, key)
  private var stored = variables.get(StatePlace.Graph)
  private val alive = stored.flatMap(value => live.take(slot, stampOf(value)))

  def watermarkMillis: Long = variables.watermarkMillis

  /** The size of the state that the graph had to be read from; None if the graph was alive, or is new. */
  def restoredBytes: Option[Int] = if (alive.isEmpty) stored.map(_.length) else None

  /** The graph as the last micro-batch left it. A [[io.github.sparkbic.index.format.CorruptStateException]] says why the
    * graph cannot be read.
    */
  lazy val graph: StreamedGraph = {
    def place = StatePlace.graph(key)
    val graph = alive.getOrElse {
      if (inPanes) new PaneGraph(shape, place, stored) else new ValueGraph(shape, place, stored)
    }
    graph.begin(variables)
    graph
  }

  /** The stamp of a graph with this value ([[LiveGraphs]]). */
  private def stampOf(value: Array[Byte]) = if (inPanes) value else ValueGraph.stampOf(value)

  /** Writes the graph, counts it, and has Spark call again when the watermark reaches the end of its next window. After
    * the call the graph may belong to another attempt.
    * @param changed whether the graph differs from the graph as it was read
    */
  def save(changed: Boolean, counters: Counters): Unit = graph.nextEnd match {
    case None =>
      graph.clear()
      if (stored.nonEmpty) variables.put(StatePlace.Graph, None)
    case Some(end) =>
      graph.callAt(Some(shape.millisOf(end)))
      if (changed) {
        stored = Some(graph.save())
        variables.put(StatePlace.Graph, stored)
      }
      counters.holds(graph, stored.get.length + graph.bytesBeside)
      graph.end()
      // Even a small graph takes many reads of the state where it is kept pane by pane.
      if ((inPanes || counters.stateBytes >= cache.minBytes) && cache.bytes > 0) {
        val stamp = stampOf(stored.get)
        live.put(slot, stamp, graph, LiveGraphs.bytesOf(graph, stamp, counters.stateBytes), cache.bytes)
      }
  }
}

/** The stores of all graphs of one operator of a query, in either layout. */
private[operator] final class GraphStores(val shape: StateShape, val cache: CacheLimit)
    extends Serializable {
  private[state] val operator = UUID.randomUUID().toString

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
    new GraphStore(this, key, variables, live, inPanes = false)
  }

  /** A graph kept pane by pane. */
  def ofPanes(key: Row, variables: GraphVariables, live: LiveGraphs = LiveGraphs.ofThisJvm): GraphStore =
    new GraphStore(this, key, variables, live, inPanes = true)
}
