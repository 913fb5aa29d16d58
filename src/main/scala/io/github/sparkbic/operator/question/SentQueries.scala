package io.github.sparkbic.operator.question

import java.nio.ByteBuffer
import java.util.WeakHashMap

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.broadcast.Broadcast

/** The queries on their way to the executors: as bytes, since `spark.serializer` may be one that is to refuse classes which
  * nobody has registered, and users know nothing of ours. They are read once in a JVM, as long as it has the broadcast.
  */
private[sparkbic] final class SentQueries private (bytes: Broadcast[Array[Byte]]) extends Serializable {
  def value: QuerySet = SentQueries.read(bytes.value)
}

private[sparkbic] object SentQueries {
  // By the array itself, which is the same for all tasks until Spark lets go of it.
  private val sets = new WeakHashMap[Array[Byte], QuerySet]

  def apply(context: SparkContext, queries: QuerySet): SentQueries = {
    val buffer = SparkEnv.get.closureSerializer.newInstance().serialize[QuerySet](queries)
    val bytes = new Array[Byte](buffer.remaining)
    buffer.get(bytes)
    new SentQueries(context.broadcast(bytes))
  }

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
