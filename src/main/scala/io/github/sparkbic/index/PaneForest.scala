package io.github.sparkbic.index

import io.github.sparkbic.index.forests.{PaneForestBuilder, PathHalving}

/** A spanning forest of some edges of one pane: what is left of them for the question of connectivity.
  *
  * Vertex `ids(i)` is linked to vertex `ids(parents(i))`; a root is its own parent. The links need not be edges of the
  * input, but join exactly the vertices that those joined, so any union of panes keeps its components. A vertex that
  * only has self-loops is a root without children. At most (vertices − 1) links, however many edges came in.
  */
final class PaneForest(val ids: Array[Long], val parents: Array[Int]) extends EdgeSet {
  require(ids.length == parents.length, s"${ids.length} vertices, but ${parents.length} parents")

  override def size: Int = ids.length

  /** The vertices that are no roots. */
  override def links: Int = {
    var count = 0
    var i = 0
    while (i < parents.length) {
      if (parents(i) != i) count += 1
      i += 1
    }
    count
  }

  override def insertInto(index: ConnectivityIndex, pane: Long): Unit = index.insert(pane, this)

  override def addTo(forest: PaneForestBuilder): Unit = forest.add(this)

  override def vertices(visit: Long => Unit): Unit = ids.foreach(visit)

  override def renumbered(numbers: Array[Long]): PaneForest = renumbered(position => numbers(position.toInt))

  /** The same forest of other vertices. */
  def renumbered(number: Long => Long): PaneForest = {
    val others = new Array[Long](size)
    var i = 0
    while (i < others.length) {
      others(i) = number(ids(i))
      i += 1
    }
    new PaneForest(others, parents)
  }

  /** Whether every vertex leads to a root; O(vertices). */
  def isAcyclic: Boolean = {
    // A vertex is marked with the walk that first came by.
    val walks = new Array[Int](size)
    (0 until size).forall { v =>
      var x = v
      while (walks(x) == 0 && parents(x) != x) {
        walks(x) = v + 1
        x = parents(x)
      }
      walks(x) != v + 1
    }
  }

  override protected def expectedBytes: Int = 16 + 2 * size

  override private[index] def check(): Unit = ()

  /** Appends the components of the forest ([[ForestWriter]]), for a shuffle and for the state: about 13 to 23 ns a vertex,
    * and a byte and a half if most are in one component and numbers are dense. The links are others when they are read.
    */
  override def save(out: BinaryWriter): Unit = {
    val sort = RadixSort(ids)
    val above = parents.clone()
    val writer = new ForestWriter(out, size)
    out.unsigned(EdgeSet.Forest.toLong)
    writer.begin(IndexSize(size, links))
    var i = 0
    while (i < size) {
      writer.add(sort.sorted(i), PathHalving.root(above, sort.order(i)))
      i += 1
    }
  }
}
