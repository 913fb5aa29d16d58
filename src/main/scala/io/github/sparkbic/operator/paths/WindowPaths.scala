package io.github.sparkbic.operator.paths

import scala.collection.mutable

import org.apache.spark.sql.bic.Shims
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.JoinedRow
import org.apache.spark.sql.catalyst.util.{ArrayData, GenericArrayData}

import io.github.sparkbic.index.kernels.LongInterner

/** The edges of one window of one graph, and the answers that ask for paths in it. */
private[paths] abstract class WindowPaths {
  protected val edges = new TimedEdges
  private val answers = mutable.ArrayBuffer.empty[(InternalRow, Any, Any)]

  /** Adds the edges of a block, as [[EdgeBlock.toRow]] gives them. */
  def addBlock(bytes: Array[Byte], dictionary: ArrayData): Unit

  def addAnswer(row: InternalRow, source: Any, target: Any): Unit = answers += ((row, source, target))

  /** The number of a vertex; -1 if no edge has it, or if it is null. */
  protected def find(vertex: Any): Int

  /** The vertex with this number, as Spark keeps it. */
  protected def vertex(number: Int): Any

  protected def vertices: Int

  protected def compare(a: Int, b: Int): Int

  /** The answers, each with its path. */
  def rows: Iterator[InternalRow] = {
    val asked = answers.map { case (_, source, target) => (find(source), find(target)) }
    val known = asked.filter { case (source, target) => source >= 0 && target >= 0 }.distinct
    val found = if (known.isEmpty) Nil else edges.paths(vertices, known, compare)
    val paths = known.zip(found).toMap
    answers.iterator.zip(asked.iterator).map { case ((row, _, _), pair) =>
      val path = paths.getOrElse(pair, null)
      new JoinedRow(
        row,
        InternalRow(if (path == null) null else new GenericArrayData(path.map(edge(_): Any)))
      )
    }
  }

  private def edge(number: Int): InternalRow =
    InternalRow(vertex(edges.source(number)), vertex(edges.target(number)), edges.time(number))
}

private[paths] object WindowPaths {
  def create(strings: Boolean): WindowPaths = if (strings) new OfStrings else new OfNumbers

  private final class OfNumbers extends WindowPaths {
    private val ids = new LongInterner

    override def addBlock(bytes: Array[Byte], dictionary: ArrayData): Unit = {
      val numbers = EdgeBlock.numbers(bytes)
      val count = numbers.length / 3
      val ends = new Array[Long](2 * count)
      (0 until count).foreach { e =>
        ends(2 * e) = numbers(3 * e)
        ends(2 * e + 1) = numbers(3 * e + 1)
      }
      val interned = new Array[Int](2 * count)
      ids.internAll(ends, 0, ends.length, interned, 0)
      (0 until count).foreach(e => edges.add(interned(2 * e), interned(2 * e + 1), numbers(3 * e + 2)))
    }

    override protected def find(vertex: Any): Int = vertex match {
      case id: Long => ids.find(id)
      case _        => -1
    }

    override protected def vertex(number: Int): Any = ids.id(number)
    override protected def vertices: Int = ids.size
    override protected def compare(a: Int, b: Int): Int = java.lang.Long.compare(ids.id(a), ids.id(b))
  }

  private final class OfStrings extends WindowPaths {
    private val names = new NameNumbers

    override def addBlock(bytes: Array[Byte], dictionary: ArrayData): Unit = {
      val numbers = EdgeBlock.numbers(bytes)
      val own = Array.tabulate(dictionary.numElements())(i => names.number(dictionary.getUTF8String(i)))
      (0 until numbers.length / 3).foreach { e =>
        edges.add(own(numbers(3 * e).toInt), own(numbers(3 * e + 1).toInt), numbers(3 * e + 2))
      }
    }

    override protected def find(vertex: Any): Int = names.find(vertex)
    override protected def vertex(number: Int): Any = names.name(number)
    override protected def vertices: Int = names.size
    override protected def compare(a: Int, b: Int): Int = Shims.compare(names.name(a), names.name(b))
  }
}
