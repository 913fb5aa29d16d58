package io.github.sparkbic.operator.state

import org.apache.spark.sql.Row

/** A graph kept pane by pane, and alive in this JVM: see [[PaneGraph]] and [[LiveGraphs]], whose stamp is the header. */
private[operator] final class PanesStore(
    shape: StateShape,
    slot: LiveGraphs.Slot,
    variables: PaneVariables,
    cache: CacheLimit
) extends GraphStore {
  private val bytes = variables.header
  private val live = new LiveGraph[PaneGraph](slot, bytes, cache)
  private var graph: PaneGraph = _

  override def restoredBytes: Option[Int] = live.restoredBytes

  override def watermarkMillis: Long = variables.watermarkMillis

  override def open(): StreamedGraph = {
    graph = live.getOrElse {
      new PaneGraph(shape, bytes.fold(PaneHeader.create())(PaneHeader.restore(shape, _)))
    }
    graph.attach(variables)
    graph
  }

  override def save(changed: Boolean, counters: Counters): Unit = {
    val before = graph.header.callAt
    graph.nextEnd match {
      case None =>
        graph.clear()
        variables.callAt(None, before)
        if (bytes.nonEmpty) variables.removeHeader()
      case Some(end) =>
        val stamp =
          if (!changed) {
            graph.release()
            bytes.get
          } else {
            graph.save()
            graph.header.callAt = Some(GraphStore.millis(shape.panes.timeOf(end)))
            variables.callAt(graph.header.callAt, before)
            val written = graph.header.save(shape)
            variables.putHeader(written)
            written
          }
        live.keep(graph, stamp, stamp.length + graph.header.bytesOfParts, counters)
    }
  }
}

/** The stores of all graphs of one operator of a query. */
private[operator] final class PanesStores(shape: StateShape, cache: CacheLimit) extends Serializable {
  private val operator = new LiveGraphs.Operator
  // A small graph, too, is many reads of the state here.
  private val limit = cache.copy(minBytes = 0)

  def of(key: Row, variables: PaneVariables): GraphStore =
    new PanesStore(shape, operator.slot(key), variables, limit)
}
