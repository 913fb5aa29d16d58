package io.github.sparkbic.operator.block

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.contract.{EdgeSet, WindowComponents}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}

/** Maps the vertices of one graph to the 64-bit ids of the index. A vertex of an integral type is its own id, without state;
  * [[VertexNames]] numbers strings.
  */
private[sparkbic] trait VertexIds {

  /** The edges of a block, on ids of this graph. Blocks with a dictionary are read by rising pane, each block once. */
  def edgeSet(block: PackedBlock): EdgeSet

  /** The edges on ids of this graph: `edges` of ids, or, where vertices are strings, of positions in the packed names that are
    * left to read.
    */
  def named(edges: EdgeSet, names: BinaryReader): EdgeSet

  /** The names of ids of this graph, packed in their order; None where ids have no names, and then `ids` is not read. */
  def packed(ids: => Array[Long]): Option[Array[Byte]]

  /** The ids of this graph for positions in the packed names at the end of a state; where ids have no names, the state
    * holds the ids themselves.
    */
  def unpacked(state: BinaryReader, positions: Array[Long]): Array[Long]

  /** The ids of vertices of queries: an `Array[Long]` or, for strings, an array of their bytes; −1 for a string that no
    * edge has.
    */
  def find(vertices: Array[_]): Array[Long]

  /** The id of a vertex that is a string; −1 if no edge has it. */
  def idOf(name: UTF8String): Long

  /** A vertex in a row: a `Long` or, for strings, the bytes. */
  def value(id: Long): Any

  /** Compares two vertices as the user sees them. */
  def compare(a: Long, b: Long): Int

  /** The smallest vertex of each component, as the user sees vertices. */
  def smallest(found: WindowComponents): Array[Long]

  /** Vertices as a column of packed answers: an `Array[Long]` or, for strings, a [[NameColumn]], where −1 is an empty name. */
  def column(vertices: Array[Long]): AnyRef

  /** Makes [[column]]s of vertices that are given by their positions in `vertices`.
    * @param areMost whether nearly all of `vertices` will occur, and many of them several times
    */
  def columns(vertices: Array[Long], areMost: Boolean): Array[Long] => AnyRef = positions => {
    val taken = new Array[Long](positions.length)
    Arrays.setAll(taken, (i: Int) => vertices(positions(i).toInt))
    column(taken)
  }

  /** Keeps only the names of the ids that `live` calls its argument with. */
  def retain(live: (Long => Unit) => Unit): Unit

  /** [[retain]], if the names have doubled since the last time: an amortised sweep.
    * @param most an upper bound on the names that `live` visits: a sweep may wait until there are twice as many
    */
  def retainIfGrown(most: Long)(live: (Long => Unit) => Unit): Unit

  def save(out: BinaryWriter): Unit

  /** Whether `id` may be a vertex of this graph. */
  def isKnown(id: Long): Boolean
}

private[operator] object VertexIds {

  /** @param perWindow panes in a window, by which dictionaries of blocks end */
  def create(strings: Boolean, perWindow: Int = Int.MaxValue): VertexIds =
    if (strings) new VertexNames(Dictionary.panes(perWindow)) else Integral

  def restore(strings: Boolean, in: BinaryReader): VertexIds =
    if (strings) VertexNames.restore(in) else Integral

  private object Integral extends VertexIds {
    override def edgeSet(block: PackedBlock): EdgeSet = EdgeSets.fromBytes(block.edgeSet)
    override def named(edges: EdgeSet, names: BinaryReader): EdgeSet = edges
    override def packed(ids: => Array[Long]): Option[Array[Byte]] = None
    override def unpacked(state: BinaryReader, positions: Array[Long]): Array[Long] = positions
    override def find(vertices: Array[_]): Array[Long] = vertices match {
      case ids: Array[Long] => ids
      case _                => Array.emptyLongArray
    }
    override def idOf(name: UTF8String): Long = -1L
    override def value(id: Long): Any = id
    override def compare(a: Long, b: Long): Int = java.lang.Long.compare(a, b)
    override def smallest(found: WindowComponents): Array[Long] = found.smallest
    override def column(vertices: Array[Long]): AnyRef = vertices
    override def retain(live: (Long => Unit) => Unit): Unit = ()
    override def retainIfGrown(most: Long)(live: (Long => Unit) => Unit): Unit = ()
    override def save(out: BinaryWriter): Unit = ()
    override def isKnown(id: Long): Boolean = true
  }
}
