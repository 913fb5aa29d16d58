package io.github.sparkbic.index.forests

import io.github.sparkbic.index.contract._
import io.github.sparkbic.index.format.BinaryWriter

/** The index of a whole table: all edges are of one pane, which is the only window, and none ever leaves.
  *
  * So the forest of the pane is all that is needed. Memory: that of a [[PaneForestBuilder]], then 12 bytes a vertex.
  */
private[index] final class TableIndex extends ConnectivityIndex {
  private val builder = new PaneForestBuilder()
  // Made when the pane is closed.
  private var forest: PaneForest = null

  override def insert(pane: Long, edges: EdgeSet): Unit = {
    require(forest == null, "the only pane of a whole table is closed")
    edges.feed(builder)
  }

  override def closePane(pane: Long): Unit = if (forest == null) forest = builder.result()

  override def connected(windowStart: Long, source: Long, target: Long): Boolean = refuse()

  override def components(windowStart: Long): WindowComponents = {
    val parents = 0 +: forest.parents.map(_ + 1)
    val ids = forest.ids
    WindowComponents(parents, place => ids(place - 1), threads = 1)
  }

  override def connectedTo(marked: Array[Long]): ConnectedVertices = refuse()

  override def vertices(visit: Long => Unit): Unit = if (forest != null) forest.ids.foreach(visit)

  override def save(out: BinaryWriter): IndexSize = refuse()

  private def refuse() =
    throw new UnsupportedOperationException("a whole table has components alone: no pairs, panes or state")
}
