package io.github.sparkbic.operator.block

import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Arrays, UUID}

import scala.collection.compat._

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.{TestEdges, TimedEdge}
import io.github.sparkbic.index.forests.EdgeSets

/** Strings for the vertices of test streams: different ones for different ids, and many that nearly are others. */
object Names {

  def nameOf(id: Long): String = {
    val number = Math.floorDiv(id, 8L)
    // The second half has letters, so that its case matters.
    val uuid = new UUID(number, 0xabcdef0123456789L).toString
    Math.floorMod(id, 8L) match {
      case 0 => uuid
      case 1 => uuid.toUpperCase
      case 2 => uuid.replaceFirst("-", "_")
      case 3 => uuid.dropRight(1)
      case 4 => uuid + "0"
      case 5 => uuid.replace("-", "")
      case 6 => "ä語" + number + "\u0000"
      case _ => if (number == 0) "" else number.toString
    }
  }

  /** A string of sixteen digits, in the order of the ids. */
  def inOrder(id: Long): String = {
    val hex = java.lang.Long.toHexString(id ^ Long.MinValue)
    "0" * (16 - hex.length) + hex
  }

  /** A vertex of a graph: a number, or the string. */
  private[operator] def shown(ids: VertexIds, id: Long): Any = ids.value(id) match {
    case bytes: Array[Byte] => new String(bytes, UTF_8)
    case number             => number
  }

  /** The number of a string in a graph; −1 if it has none. */
  private[operator] def find(ids: VertexIds, name: String): Long = ids.find(Array(name.getBytes(UTF_8))).head

  /** How many names a graph holds. */
  private[operator] def held(ids: VertexIds): Int = ids.asInstanceOf[VertexNames].size

  /** The order of strings by their UTF-8 bytes. */
  val byBytes: Ordering[String] =
    Ordering.fromLessThan((a, b) => Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)) < 0)

  /** A block of a stream whose vertices are numbers, in one form of a set of edges or another. */
  private[operator] def numbered(pane: Long, edges: Seq[TimedEdge]): PackedBlock =
    PackedBlock(pane, edges.size.toLong, EdgeSets.toBytes(TestEdges.any(pane, edges)), null)

  /** A block of a stream whose vertices are named by strings, in one form of a set of edges or another. */
  private[operator] def block(pane: Long, edges: Seq[TimedEdge], of: Long => String = nameOf): PackedBlock = {
    val ids = edges.flatMap(e => Seq(e.src, e.dst)).distinct
    def at(id: Long) = ids.indexOf(id).toLong
    val positions = TestEdges.any(pane, edges.map(e => e.copy(src = at(e.src), dst = at(e.dst))))
    PackedBlock(pane, edges.size.toLong, EdgeSets.toBytes(positions), packed(ids.map(of)))
  }

  /** The number of a name in a table, looked up by itself. */
  private[operator] def intern(table: NameTable, name: String): Int = {
    val batch = new NameBatch
    batch.add(UTF8String.fromString(name))
    table.internAll(batch)
    batch.numbers(0)
  }

  /** Different names as a block of a stream has them. */
  private[operator] def packed(names: Seq[String]): Array[Byte] = {
    val table = new NameTable
    names.foreach(intern(table, _))
    PackedNames.toBytes(table, Array.range(0, table.size))
  }
}
