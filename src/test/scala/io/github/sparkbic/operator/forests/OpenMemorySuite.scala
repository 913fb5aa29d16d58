package io.github.sparkbic.operator.forests

import org.apache.spark.SparkConf
import org.apache.spark.memory.{MemoryConsumer, MemoryMode, TaskMemoryManager, TestMemoryManager}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.types.{DataType, LongType, StructField, StructType, TimestampType}
import org.apache.spark.unsafe.types.UTF8String
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.{Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}
import io.github.sparkbic.operator.forests.OpenMemory.{Least, Most, Step}

/** The forests of a task are as large as Spark's memory manager lets them be. */
class OpenMemorySuite extends AnyFunSuite {
  private val stepBytes = 64L * Step

  private class Limited(steps: Int) {
    private val manager = new TestMemoryManager(new SparkConf)
    manager.limit(steps * stepBytes)
    val task = new TaskMemoryManager(manager, 0)
    val memory = new OpenMemory(Some(task))
    def used: Long = task.getMemoryConsumptionForThisTask
  }

  /** Another part of the same task, such as a sort. */
  private final class Other(task: TaskMemoryManager) extends MemoryConsumer(task, MemoryMode.ON_HEAP) {
    override def spill(size: Long, trigger: MemoryConsumer): Long = 0
  }

  test("outside of a task the bound is a number of vertices") {
    val memory = new OpenMemory(None)
    assert(!memory.isFullWith(Most) && memory.room >= Most)
    assert(memory.isFullWith(memory.room + 1))
    memory.release()
    assert(!memory.isFullWith(1))
  }

  test("forests are full when no more memory is granted, and all memory is given back") {
    val limited = new Limited(steps = 3)
    for (_ <- 1 to 3) {
      assert(!limited.memory.isFullWith(Least + 3 * Step))
      assert(limited.used == 3 * stepBytes)
      assert(limited.memory.isFullWith(Least + 3 * Step + 1))
      assert(limited.used == 3 * stepBytes, "a part of a step that was granted is given back")
      limited.memory.release()
      assert(limited.used == 0)
    }
  }

  test("a task without any memory goes on") {
    val limited = new Limited(steps = 0)
    assert(!limited.memory.isFullWith(Least) && limited.memory.isFullWith(Least + 1))
    limited.memory.release()
    assert(!limited.memory.isFullWith(Least))
  }

  test("forests are full from the next edge on when another part of the task asks for memory") {
    val limited = new Limited(steps = 3)
    assert(!limited.memory.isFullWith(2 * Step))
    val other = new Other(limited.task)
    assert(other.acquireMemory(2 * stepBytes) < 2 * stepBytes)
    assert(limited.memory.room == 0 && limited.memory.isFullWith(1))
    limited.memory.release()
    other.freeMemory(other.getUsed)
    assert(other.acquireMemory(3 * stepBytes) == 3 * stepBytes)
    assert(!limited.memory.isFullWith(Least))
  }

  test("under pressure, a path is sent in parts that still join all of it") {
    val limited = new Limited(steps = 1)
    val schema =
      StructType(StructField("key", LongType) +: PackedBlock.fields :+ StructField(
        "eventTime",
        TimestampType
      ))
    val forests = new OpenGraphs(Panes(10, 10), false, true, None, schema, limited.memory)
    val graph = UnsafeProjection.create(Array[DataType](LongType)).apply(InternalRow(0L))
    val blocks = Seq.newBuilder[Array[Byte]]
    val edges = PackedBlock.fields.indexWhere(_.name == "edgeSet") + 1
    def send(): Unit = {
      forests.close()
      Iterator.continually(forests.next()).takeWhile(_ != null).foreach(row => blocks += row.getBinary(edges))
    }
    val vertices = 5 * Step
    (1L until vertices).foreach { v =>
      forests.onlyGraph(graph).add(v - 1, v, 0L)
      if (forests.isFull) send()
      assert(limited.used <= stepBytes)
    }
    send()
    assert(limited.used == 0)
    val sets = blocks.result().map(EdgeSets.fromBytes)
    assert(sets.size > 4 && sets.forall(_.size <= Least + Step + 256))
    val all = EdgeSets.merged(sets)
    assert(all.size == vertices && all.links == vertices - 1)
  }

  for (strings <- Seq(false, true)) test(
    s"an attempt with less memory sends other blocks of the same edges, ${if (strings) "with" else "without"} names"
  ) {
    val schema = StructType(
      StructField("key", LongType) +: PackedBlock.fields :+ StructField("eventTime", TimestampType)
    )
    val random = new java.util.SplittableRandom(1)
    val edges = Seq.fill(Step.toInt)(
      TimedEdge(random.nextLong(3), random.nextLong(1L << 20), random.nextLong(1L << 20))
    )
    val graph = UnsafeProjection.create(Array[DataType](LongType)).apply(InternalRow(0L))
    def name(vertex: Long) = UTF8String.fromString(vertex.toString)

    def attempt(memory: OpenMemory): Seq[PackedBlock] = {
      val forests = new OpenGraphs(Panes(10, 10), strings, false, None, schema, memory)
      def sent(): Seq[PackedBlock] = {
        forests.close()
        Iterator.continually(forests.next()).takeWhile(_ != null).map { row =>
          PackedBlock(row.getLong(1), row.getLong(2), row.getBinary(3), row.getBinary(4), row.getLong(5))
        }.toVector
      }
      val early = edges.flatMap { edge =>
        val open = forests.onlyGraph(graph)
        if (strings) open.add(name(edge.src), name(edge.dst), edge.time * 10)
        else open.add(edge.src, edge.dst, edge.time * 10)
        if (forests.isFull) sent() else Nil
      }
      early ++ sent()
    }

    def bytes(blocks: Seq[PackedBlock]) = blocks.map(block => (block.pane, block.edgeSet.toSeq)).toSet

    /** Of each pane the number of edges, and the component of each vertex, as one reader of the blocks sees them. */
    def read(blocks: Seq[PackedBlock]): Map[Long, (Long, Map[Long, Long])] = {
      val ids = VertexIds.create(strings)
      def vertex(id: Long): Long = ids.value(id) match {
        case bytes: Array[Byte] => UTF8String.fromBytes(bytes).toString.toLong
        case number             => number.asInstanceOf[Long]
      }
      val links = blocks.map { block =>
        block -> TestEdges.links(ids.edgeSet(block)).map { link =>
          TimedEdge(0, vertex(link.src), vertex(link.dst))
        }
      }
      links.groupBy(_._1.pane).map { case (pane, parts) =>
        pane -> ((parts.map(_._1.edges).sum, Oracle.components(parts.flatMap(_._2))))
      }
    }

    val (first, again, less) =
      (attempt(new OpenMemory(None)), attempt(new OpenMemory(None)), attempt(new Limited(steps = 1).memory))
    assert(bytes(again) == bytes(first) && first.size == 3)
    assert(less.size > 3 && bytes(less) != bytes(first))
    assert(read(less) == read(first))
  }
}
