package io.github.sparkbic.operator.paths

import java.nio.{ByteBuffer, ByteOrder}
import java.util.{Arrays, HashMap => JHashMap, LinkedHashMap => JLinkedHashMap}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types.{StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String

/** In every input task, the edges of each window become blocks: arrays of sources, targets and times.
  *
  * To Spark's optimizer this is a generator, which holds state between the rows of one task. A task holds at most
  * [[PackEdges.MostEdges]] edges, 24 bytes each, and the names of their vertices.
  *
  * @param children      the key of the window, then source, target (both BIGINT, or both STRING) and time, none of them null
  * @param elementSchema the key of the window, and the fields of a block: [[EdgeBlock]]
  */
private[paths] final case class PackEdges(children: Seq[Expression], elementSchema: StructType)
    extends Generator
    with CodegenFallback {
  @transient private lazy val key = UnsafeProjection.create(children.dropRight(3))
  @transient private lazy val edge = UnsafeProjection.create(children.takeRight(3))
  @transient private lazy val blocks = new JLinkedHashMap[UnsafeRow, EdgeBlock]
  private lazy val strings = children(children.size - 3).dataType.isInstanceOf[StringType]
  // The window of the last edge: edges of one window mostly come in a row.
  @transient private var lastKey: UnsafeRow = _
  @transient private var last: EdgeBlock = _
  @transient private var edges = 0

  override def eval(row: InternalRow): IterableOnce[InternalRow] = {
    val window = key(row)
    if (lastKey == null || window != lastKey) {
      lastKey = window.copy()
      last = blocks.computeIfAbsent(lastKey, _ => new EdgeBlock(strings))
    }
    val ends = edge(row)
    if (strings) last.add(ends.getUTF8String(0), ends.getUTF8String(1), ends.getLong(2))
    else last.add(ends.getLong(0), ends.getLong(1), ends.getLong(2))
    edges += 1
    if (edges < PackEdges.MostEdges) Nil else terminate()
  }

  override def terminate(): IterableOnce[InternalRow] = {
    val full = blocks.asScala.toArray
    blocks.clear()
    lastKey = null
    last = null
    edges = 0
    full.iterator.map { case (window, block) => new JoinedRow(window, block.toRow) }
  }

  override def prettyName: String = "bic_pack_edges"

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): PackEdges =
    copy(children = newChildren)
}

private object PackEdges {

  /** Edges that a task holds before it sends their blocks. */
  val MostEdges: Int = 1 << 18
}

/** Edges of one window in one task: sources, targets and times one after the other. String ids are places in `names`. */
private final class EdgeBlock(strings: Boolean) {
  private var numbers = new Array[Long](3 * 16)
  private var used = 0
  private lazy val places = new JHashMap[UTF8String, Integer]
  private lazy val names = mutable.ArrayBuffer.empty[Any]

  def add(source: Long, target: Long, time: Long): Unit = {
    if (used == numbers.length) numbers = Arrays.copyOf(numbers, 2 * used)
    numbers(used) = source
    numbers(used + 1) = target
    numbers(used + 2) = time
    used += 3
  }

  def add(source: UTF8String, target: UTF8String, time: Long): Unit =
    add(placeOf(source).toLong, placeOf(target).toLong, time)

  private def placeOf(name: UTF8String): Int = {
    val known = places.get(name)
    if (known != null) known
    else {
      // The string is a view of Spark's row, which the next row overwrites.
      val own = name.clone()
      places.put(own, names.size)
      names += own
      names.size - 1
    }
  }

  def toRow: InternalRow = {
    val bytes = ByteBuffer.allocate(8 * used).order(ByteOrder.nativeOrder())
    bytes.asLongBuffer().put(numbers, 0, used)
    InternalRow(bytes.array, if (strings) new GenericArrayData(names.toArray[Any]) else null)
  }
}
