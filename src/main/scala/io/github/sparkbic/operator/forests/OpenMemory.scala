package io.github.sparkbic.operator.forests

import org.apache.spark.TaskContext
import org.apache.spark.memory.{MemoryConsumer, MemoryMode, TaskMemoryManager}
import org.apache.spark.sql.bic.SparkInternals

/** The memory of a task's open forests, counted in vertices: what they hold, and what Spark's memory manager grants.
  *
  * Graphs, panes and pending names count as the vertices that would take their memory. Where memory is refused, all
  * forests are sent, which frees theirs. Rows leave an operator only between two rows of its input. So when another
  * consumer of the task asks for memory, the forests are full from the next edge on.
  *
  * A repeated task to which another amount of memory is granted sends other blocks of the same edges. Each reader takes all
  * blocks of a task from one attempt, so the answers are the same. The price is time: Spark 4.2 compares the blocks of both
  * attempts, and repeats the tasks that have read the first ones.
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

  /** The vertices that are held. */
  var held: Long = 0L

  /** Whether all forests must be sent. */
  def isFull: Boolean = held > granted && !isGranted

  /** Gives all memory back, when all forests have been sent. */
  def release(): Unit = {
    consumer.foreach(own => own.freeMemory(own.getUsed))
    held = 0
    granted = least
    mustSend = false
  }

  private def isGranted: Boolean = {
    while (granted < held && granted < most && !mustSend) grow()
    !mustSend && held <= granted
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

  /** The vertices that would take `bytes` of memory. */
  def weightOf(bytes: Long): Long = bytes / BytesOfVertex

  /** The blocks of a task that sends this many vertices are large enough. */
  final val Most: Long = 1L << 21

  /** A task without memory goes on with these. */
  final val Least: Long = 1L << 12

  /** 4 MiB. */
  final val Step: Long = 1L << 16

  private final val BytesOfVertex = 64L
}
