package io.github.sparkbic.operator.block

import io.github.sparkbic.index.contract.EdgeSet
import io.github.sparkbic.index.forests.{EdgeSets, PaneForest}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}

/** How the vertices of one graph become the 64-bit ids that an index knows. As it is, vertices of an integral type are their
  * own ids; [[VertexNames]] numbers strings.
  */
private[sparkbic] class VertexIds {

  /** The edges of a block, on ids of this graph. Blocks with a [[NameDelta]] are read in its order, each of them once. */
  def edgeSet(block: PackedBlock): EdgeSet = named(EdgeSets.fromBytes(block.edgeSet), block.names)

  /** Edges of vertex ids, or, where vertices are strings, of positions in packed names, on ids of this graph. */
  def named(edges: EdgeSet, names: Array[Byte]): EdgeSet = edges

  /** The names of a forest on ids of this graph, packed in the order of its vertices; None where ids need none. */
  def packed(forest: PaneForest): Option[Array[Byte]] = None

  /** The id of a vertex as the queries hold it (a `Long`, or a `UTF8String`); None if it cannot occur. */
  def find(vertex: Any): Option[Long] = Some(vertex.asInstanceOf[Long])

  /** A vertex as the user knows it: a `Long` or a `String`. */
  def show(id: Long): Any = id

  /** The order of two vertices as the user sees them. */
  def compare(a: Long, b: Long): Int = java.lang.Long.compare(a, b)

  /** How many names are held; zero where ids need none. */
  def size: Int = 0

  /** Keeps only the names of the ids that `live` runs its argument for. */
  def retain(live: (Long => Unit) => Unit): Unit = ()

  /** [[retain]], if the names have doubled since the last time: an amortised sweep.
    *
    * @param few  so many names are kept whether they are used or not
    * @param most names that `live` is expected to visit: twice as many are enough as well
    */
  def retainIfGrown(few: Int, most: Long = Long.MaxValue)(live: (Long => Unit) => Unit): Unit = ()
  def save(out: BinaryWriter): Unit = ()

  /** Whether `id` may be a vertex of this graph. */
  def isKnown(id: Long): Boolean = true
}

private[operator] object VertexIds {
  private val integral = new VertexIds

  def create(strings: Boolean): VertexIds = if (strings) new VertexNames else integral

  def restore(strings: Boolean, in: BinaryReader): VertexIds =
    if (strings) VertexNames.restore(in) else integral
}
