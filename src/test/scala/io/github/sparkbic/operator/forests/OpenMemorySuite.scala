package io.github.sparkbic.operator.forests

import org.apache.spark.SparkConf
import org.apache.spark.memory.{MemoryConsumer, MemoryMode, TaskMemoryManager, TestMemoryManager}
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.operator.forests.OpenMemory.{Least, Most, Step}

/** The forests of a task are as large as Spark's memory manager lets them be. The simulator has tasks of less memory, whose
  * blocks are others of the same edges.
  */
class OpenMemorySuite extends AnyFunSuite {
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

  test("forests that are sent give back their memory") {
    val limited = new Limited(steps = 3)
    val forests = StageOne.open(memory = limited.memory)
    (0L to Least + Step).foreach(v => forests.onlyGraph(StageOne.key(0)).add(v, v + 1, 0L))
    assert(!forests.isFull && limited.used > 0)
    assert(StageOne.blocks(forests).nonEmpty && limited.used == 0)
  }
}
