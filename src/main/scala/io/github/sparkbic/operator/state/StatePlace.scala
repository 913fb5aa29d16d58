package io.github.sparkbic.operator.state

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.CRC32C

import org.apache.spark.TaskContext
import org.apache.spark.sql.Row

import io.github.sparkbic.operator.keys.GraphKey

/** Where the values of one graph belong: a hash that the frame of each value holds. A wrong copy can exchange files of
  * a state store. So a value of another graph, pane or query must not be answered from. Two places share a hash with a
  * chance of 2^-32^, and whoever chooses keys can choose keys that share one. That is no loss: Spark finds each value by its
  * exact key, and the hash, like the checksum beside it, only tells of damage. No row depends on it.
  *
  * @param query the id of the streaming query, which its checkpoint keeps over restarts
  */
private[operator] final class StatePlace(query: String, key: Row) {

  /** The place of a value, or of a header. */
  lazy val graph: Int =
    StatePlace.hash(s"$query ${StatePlace.text(GraphKey.comparable(key))}".getBytes(UTF_8))

  def part(pane: Long, number: Int): Int =
    StatePlace.hash(ByteBuffer.allocate(16).putInt(graph).putLong(pane).putInt(number).array)

  /** The place of what is kept beside the panes. */
  def kept: Int = StatePlace.hash(ByteBuffer.allocate(8).putInt(graph).putInt(StatePlace.Kept).array)
}

private[operator] object StatePlace {
  private val Kept = 1

  /** The place of a graph of the streaming query whose task this thread runs. */
  def of(key: Row): StatePlace =
    new StatePlace(
      Option(TaskContext.get()).flatMap(task =>
        Option(task.getLocalProperty("sql.streaming.queryId"))
      ).getOrElse(""),
      key
    )

  private def hash(bytes: Array[Byte]): Int = {
    val crc = new CRC32C
    crc.update(bytes, 0, bytes.length)
    crc.getValue.toInt
  }

  /** The same text for equal keys under every version of Scala, which name their collections differently. */
  private def text(key: Any): String = key match {
    case items: collection.Seq[_] => items.map(text).mkString("[", ",", "]")
    case other                    => String.valueOf(other)
  }
}
