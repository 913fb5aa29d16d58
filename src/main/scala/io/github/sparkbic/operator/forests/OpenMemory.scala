package io.github.sparkbic.operator.forests

import org.apache.spark.TaskContext
import org.apache.spark.memory.{MemoryConsumer, MemoryMode, TaskMemoryManager}
import org.apache.spark.sql.bic.SparkInternals

/** How many vertices the open forests of a task may have: as many as Spark's memory manager grants memory for.
  *
  * Memory is asked for in steps, as vertices come. Where it is refused, the forests are full and are sent, which frees
  * the memory of all of them. The task cannot send blocks while another consumer of the task asks for memory: rows leave an
  * operator only between two rows of its input. So such a wish is noted, and the forests are full from the next edge on.
  *
  * So a repeated task to which another amount of memory is granted sends other blocks. They hold the same edges, and each
  * task that reads blocks takes all blocks of a task from one attempt, so the answers are the same. The price is time: Spark
  * 4.2 compares the blocks of both attempts, and repeats the tasks that have read the first ones.
  *
  * @param task  the memory of the task; None outside of a task, where nothing is asked
  * @param least vertices that no memory is asked for
  * @param most  vertices at most, however much memory there is
  * @param step  vertices that memory is asked for at a time
  */
private[operator] final class OpenMemory(
    task: Option[TaskMemoryManager],
    least: Long = OpenMemory.Least,
    most: Long = OpenMemory.Most,
    step: Long = OpenMemory.Step
) {
  private val consumer = task.map(new Consumer(_))
  private var granted = least
  private var mustSend = false

  /** Whether forests of so many vertices must be sent. Memory for more is asked for if that is not there. */
  def isFullWith(vertices: Long): Boolean = {
    while (granted < vertices && granted < most && !mustSend) grow()
    mustSend || vertices > granted
  }

  /** How many vertices need no call of [[isFullWith]]. */
  def room: Long = granted

  /** Gives all memory back, when all forests have been sent. */
  def release(): Unit = {
    consumer.foreach(own => own.freeMemory(own.getUsed))
    granted = least
    mustSend = false
  }

  private def grow(): Unit = {
    val bytes = step * OpenMemory.BytesOfVertex
    val got = consumer.fold(bytes)(_.acquireMemory(bytes))
    if (got == bytes) granted += step
    else {
      consumer.foreach(_.freeMemory(got))
      mustSend = true
    }
  }

  private final class Consumer(task: TaskMemoryManager) extends MemoryConsumer(task, MemoryMode.ON_HEAP) {
    override def spill(size: Long, trigger: MemoryConsumer): Long = {
      if ((trigger ne this) && getUsed > 0) {
        mustSend = true
        granted = 0
      }
      0
    }
  }
}

private[operator] object OpenMemory {

  /** The memory of the task of this thread, given back at the end of the task at the latest. */
  def ofTask: OpenMemory = {
    val memory = new OpenMemory(SparkInternals.taskMemory)
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => memory.release()))
    memory
  }

  /** At most so many vertices, however much memory there is: the blocks of a task that sends them are large enough. */
  final val Most: Long = 1L << 21

  /** So many vertices are not asked for, so that a task without memory goes on. */
  final val Least: Long = 1L << 12

  /** Vertices for which memory is asked at a time: 4 MiB. */
  final val Step: Long = 1L << 16

  private final val BytesOfVertex = 64L
}
