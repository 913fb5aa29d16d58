package io.github.sparkbic.operator.block

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException, EdgeSet, PaneForest}

/** How the vertices of one graph become the 64-bit ids that an index knows. */
private[sparkbic] sealed trait VertexIds {

  /** The edges of a block, on ids of this graph. Blocks with a [[NameDelta]] are read in its order, each of them once. */
  def edgeSet(block: PackedBlock): EdgeSet = named(EdgeSet.fromBytes(block.edgeSet), block.names)

  /** Edges of vertex ids, or, where they are strings, of positions in packed names, on ids of this graph. */
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

  /** [[retain]], if the names have doubled since the last time: a cost that those that came share.
    *
    * @param few  so many names are kept whether they are used or not
    * @param most names that `live` is thought to visit: twice as many are enough as well
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

/** Vertices named by strings get numbers from a dictionary of their graph. */
private[operator] final class StringIds(names: VertexNames) extends VertexIds {
  private val shared = new SharedNumbers(names)
  private var retained = 0

  override def edgeSet(block: PackedBlock): EdgeSet =
    if (block.delta == null) super.edgeSet(block)
    else EdgeSet.fromBytes(block.edgeSet).renumbered(shared.read(block))

  override def named(edges: EdgeSet, packed: Array[Byte]): EdgeSet =
    edges.renumbered(names.internAll(packed))

  override def packed(forest: PaneForest): Option[Array[Byte]] =
    Some(names.packed(forest.ids))

  override def find(vertex: Any): Option[Long] = names.find(vertex.asInstanceOf[UTF8String])
  override def show(id: Long): Any = names.name(id).toString
  override def compare(a: Long, b: Long): Int = names.compare(a, b)
  override def size: Int = names.size

  override def retain(live: (Long => Unit) => Unit): Unit = names.retain { visit =>
    live(visit)
    shared.foreach(visit)
  }

  override def retainIfGrown(few: Int, most: Long)(live: (Long => Unit) => Unit): Unit =
    if (size > few && size / 2 > math.min(retained.toLong, most)) {
      retain(live)
      retained = size
    }

  override def save(out: BinaryWriter): Unit = names.save(out)
  override def isKnown(id: Long): Boolean = names.holds(id)
}

private[operator] object VertexIds {

  def create(strings: Boolean): VertexIds = if (strings) new StringIds(new VertexNames) else IntegralIds

  def save(ids: VertexIds, out: BinaryWriter): Unit = {
    out.unsigned(if (ids eq IntegralIds) 0 else 1)
    ids.save(out)
  }

  def restore(strings: Boolean, in: BinaryReader): VertexIds = {
    val savedStrings = in.below(2, "the kind of vertex ids") == 1
    if (savedStrings != strings)
      throw new CorruptStateException(
        s"its vertex ids are ${if (savedStrings) "strings" else "integral"}, those of the query are not",
        CorruptStateException.OtherQuery
      )
    if (strings) new StringIds(VertexNames.restore(in)) else IntegralIds
  }
}
