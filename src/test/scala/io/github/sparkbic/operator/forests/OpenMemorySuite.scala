package io.github.sparkbic.operator.forests

import org.apache.spark.SparkConf
import org.apache.spark.memory.{MemoryConsumer, MemoryMode, TaskMemoryManager, TestMemoryManager}
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.TimedEdge
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.forests.OpenMemory.{Least, Most, Step}

/** The forests of a task are as large as Spark's memory manager lets them be. */
class OpenMemorySuite extends AnyFunSuite {
  import StageOne._

  private val stepBytes = 64L * Step

  private class Limited(steps: Int) {
    private val manager = new TestMemoryManager(new SparkConf)
    manager.limit(steps * stepBytes)
    val task = new TaskMemoryManager(manager, 0)
    val memory = new OpenMemory(Some(task))
    def used: Long = task.getMemoryConsumptionForThisTask
  }

  private def isFullWith(memory: OpenMemory, vertices: Long): Boolean = {
    memory.held = vertices
    memory.isFull
  }

  /** Another part of the same task, such as a sort. */
  private final class Other(task: TaskMemoryManager) extends MemoryConsumer(task, MemoryMode.ON_HEAP) {
    override def spill(size: Long, trigger: MemoryConsumer): Long = 0
  }

  test("outside of a task the bound is a number of vertices") {
    val memory = new OpenMemory(None)
    assert(!isFullWith(memory, Most) && isFullWith(memory, Most + Least + 1))
    memory.release()
    assert(memory.held == 0 && !isFullWith(memory, 1))
    // A task without any memory goes on.
    val none = new Limited(steps = 0).memory
    assert(!isFullWith(none, Least) && isFullWith(none, Least + 1))
  }

  test("forests are full when no more memory is granted, and all memory is given back") {
    val limited = new Limited(steps = 3)
    for (_ <- 1 to 3) {
      assert(!isFullWith(limited.memory, Least + 3 * Step) && limited.used == 3 * stepBytes)
      assert(isFullWith(limited.memory, Least + 3 * Step + 1))
      assert(limited.used == 3 * stepBytes, "a part of a step that was granted is given back")
      limited.memory.release()
      assert(limited.used == 0)
    }
  }

  test("forests are full from the next edge on when another part of the task asks for memory") {
    val limited = new Limited(steps = 3)
    assert(!isFullWith(limited.memory, 2 * Step))
    val other = new Other(limited.task)
    assert(other.acquireMemory(2 * stepBytes) < 2 * stepBytes)
    assert(isFullWith(limited.memory, 1))
    limited.memory.release()
    other.freeMemory(other.getUsed)
    assert(other.acquireMemory(3 * stepBytes) == 3 * stepBytes)
    assert(!isFullWith(limited.memory, Least))
  }

  /** The blocks that leave a task with this memory, as the memory makes it send them. */
  private def sent(memory: OpenMemory, edges: Seq[TimedEdge], strings: Boolean)(
      check: => Unit = ()
  ): Seq[PackedBlock] = {
    val forests = open(strings = strings, memory = memory)
    val early = edges.flatMap { edge =>
      check
      val graph = forests.onlyGraph(key(0))
      if (strings) graph.add(utf8(edge.src.toString), utf8(edge.dst.toString), edge.time)
      else graph.add(edge.src, edge.dst, edge.time)
      if (forests.isFull) blocks(forests) else Nil
    }
    early ++ blocks(forests)
  }

  for (strings <- Seq(false, true))
    test(s"less memory: other blocks of the same edges; of strings: $strings") {
      val random = new java.util.SplittableRandom(1)
      val edges = Seq.fill(3 * Step.toInt)(
        TimedEdge(10 * random.nextLong(3), random.nextLong(1L << 20), random.nextLong(1L << 20))
      )
      def bytes(blocks: Seq[PackedBlock]) = blocks.map(block => (block.pane, block.edgeSet.toSeq)).toSet
      val limited = new Limited(steps = 1)
      val first, again = sent(new OpenMemory(None), edges, strings)()
      val less = sent(limited.memory, edges, strings)(assert(limited.used <= stepBytes))
      assert(limited.used == 0)
      assert(bytes(again) == bytes(first) && first.size == 3)
      assert(less.size > 3 && bytes(less) != bytes(first))
      assert(read(less, strings) == read(first, strings))
    }
}
