package io.github.sparkbic.operator.block

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, EdgeSet, PaneForest}

/** How the vertices of one graph become the 64-bit ids that an index knows. */
private[sparkbic] trait VertexIds {

  /** The edges of a block, on ids of this graph. Blocks with a [[NameDelta]] are read in its order, each of them once. */
  def edgeSet(block: PackedBlock): EdgeSet = named(EdgeSet.fromBytes(block.edgeSet), block.names)

  /** Edges of vertex ids, or, where vertices are strings, of positions in packed names, on ids of this graph. */
  def named(edges: EdgeSet, names: Array[Byte]): EdgeSet

  /** The names of a forest on ids of this graph, packed in the order of its vertices; None where ids need none. */
  def packed(forest: PaneForest): Option[Array[Byte]]

  /** The id of a vertex as the queries hold it (a `Long`, or a `UTF8String`); None if it cannot occur. */
  def find(vertex: Any): Option[Long]

  /** A vertex as the user knows it: a `Long` or a `String`. */
  def show(id: Long): Any

  /** The order of two vertices as the user sees them. */
  def compare(a: Long, b: Long): Int

  /** How many names are held; zero where ids need none. */
  def size: Int

  /** Keeps only the ids that `live` runs its argument for. */
  def retain(live: (Long => Unit) => Unit): Unit

  /** [[retain]], if the names have doubled since the last time: an amortised sweep.
    *
    * @param few  so many names are kept whether they are used or not
    * @param most names that `live` is expected to visit: twice as many are enough as well
    */
  def retainIfGrown(few: Int, most: Long = Long.MaxValue)(live: (Long => Unit) => Unit): Unit

  def save(out: BinaryWriter): Unit

  /** Whether `id` may be a vertex of this graph. */
  def isKnown(id: Long): Boolean
}

/** Vertices of an integral type are their own ids. */
private[operator] object IntegralIds extends VertexIds {
  override def named(edges: EdgeSet, names: Array[Byte]): EdgeSet = edges
  override def packed(forest: PaneForest): Option[Array[Byte]] = None
  override def find(vertex: Any): Option[Long] = Some(vertex.asInstanceOf[Long])
  override def show(id: Long): Any = id
  override def compare(a: Long, b: Long): Int = java.lang.Long.compare(a, b)
  override def size: Int = 0
  override def retain(live: (Long => Unit) => Unit): Unit = ()
  override def retainIfGrown(few: Int, most: Long)(live: (Long => Unit) => Unit): Unit = ()
  override def save(out: BinaryWriter): Unit = ()
  override def isKnown(id: Long): Boolean = true
}

private[operator] object VertexIds {

  def create(strings: Boolean): VertexIds = if (strings) new VertexNames else IntegralIds

  def restore(strings: Boolean, in: BinaryReader): VertexIds =
    if (strings) VertexNames.restore(in) else IntegralIds
}
