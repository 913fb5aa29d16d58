package io.github.sparkbic.operator.question

import java.nio.ByteBuffer
import java.util.WeakHashMap

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.broadcast.Broadcast

/** The queries on their way to the executors: read once, and sent once, when a query that asks them is first executed.
  *
  * They go as bytes, since `spark.serializer` may be one that is to refuse classes which nobody has registered, and users
  * know nothing of ours. The bytes are read once in a JVM, as long as it has the broadcast.
  */
private[sparkbic] final class SentQueries(
    @transient context: SparkContext,
    @transient readAll: () => QuerySet
) extends Serializable {
  private var bytes: Broadcast[Array[Byte]] = _

  /** Reads the queries, if need be by a job, and sends them. On the driver, before tasks that ask for them are sent. */
  def send(): Unit = synchronized {
    if (bytes == null) {
      val buffer = SparkEnv.get.closureSerializer.newInstance().serialize[QuerySet](readAll())
      val copy = new Array[Byte](buffer.remaining)
      buffer.get(copy)
      bytes = context.broadcast(copy)
    }
  }

  /** The queries, on an executor. */
  def value: QuerySet = SentQueries.read(bytes.value)
}

private object SentQueries {
  // By the array itself, which is the same for all tasks until Spark lets go of it.
  private val sets = new WeakHashMap[Array[Byte], QuerySet]

  private def read(bytes: Array[Byte]): QuerySet = sets.synchronized {
    sets.computeIfAbsent(
      bytes,
      _ => {
        val loader = Thread.currentThread.getContextClassLoader
        SparkEnv.get.closureSerializer.newInstance().deserialize[QuerySet](ByteBuffer.wrap(bytes), loader)
      }
    )
  }
}
