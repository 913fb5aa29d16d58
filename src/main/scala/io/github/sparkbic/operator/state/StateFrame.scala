package io.github.sparkbic.operator.state

import java.nio.{ByteBuffer, ByteOrder}
import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.CRC32C

import org.apache.spark.TaskContext
import org.apache.spark.sql.Row

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.{FrameSize, Version}
import io.github.sparkbic.operator.keys.GraphKey

/** The frame around every value in a state store: other bytes are refused, and so is a value from another place. */
private[operator] object StateFrame {

  /** @param place the hash of the place of the value ([[StatePlace]]) */
  def seal(magic: Int, place: Int, payload: BinaryWriter): Array[Byte] = {
    val bytes = payload.toBytesBehind(FrameSize)
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
      .putInt(magic).putInt(Version).putInt(payload.size).putInt(place).putInt(checksum(bytes, place))
    bytes
  }

  /** A reader of the payload; a [[CorruptStateException]] says why the frame is refused. */
  def open(magic: Int, place: Int, bytes: Array[Byte]): BinaryReader = {
    def fail(violation: String, remedy: String = CorruptStateException.Damaged) =
      throw new CorruptStateException(violation, remedy)
    val in = new BinaryReader(bytes)
    if (in.remaining < FrameSize) fail(s"it has only ${in.remaining} bytes")
    if (in.fixedInt() != magic) fail("it does not begin with the magic number of this format")
    val version = in.fixedInt()
    if (version != Version) fail(
      s"its format version is $version, but this release reads version $Version",
      CorruptStateException.OtherRelease
    )
    val (length, written, crc) = (in.fixedInt(), in.fixedInt(), in.fixedInt())
    if (length != in.remaining) fail(s"it has ${in.remaining} bytes instead of $length")
    if (crc != checksum(bytes, written)) fail("its checksum is wrong")
    if (written != place) fail("it was written for another graph, another pane or another query")
    in
  }

  /** Includes the version: a damaged version number must not select another reader in a later release. */
  private def checksum(bytes: Array[Byte], place: Int): Int = {
    val crc = new CRC32C
    crc.update(Version)
    (0 until 32 by 8).foreach(shift => crc.update(place >>> shift))
    crc.update(bytes, FrameSize, bytes.length - FrameSize)
    crc.getValue.toInt
  }
}

/** Which of the values of one graph in Spark's state a value is.
  *
  * A wrong copy can exchange files of a state store, and a value of another graph, pane or query must not be answered from.
  * So the frame of each value holds a hash of its place: of [[StatePlace.graph]] and the kind of value. Spark finds each value
  * by its exact key, and the hash, like the checksum beside it, only tells of damage: no row depends on it, though keys can be
  * chosen whose places share a hash.
  */
private[operator] sealed abstract class StatePlace(val hash: Int => Int)

private[operator] object StatePlace {

  /** The value of a graph in the layout `value`, the header of a graph in the layout `panes`. */
  case object Graph extends StatePlace(identity)

  /** A part of the edges of a pane, in the layout `panes`. */
  final case class Part(pane: Long, number: Int)
      extends StatePlace(graph =>
        crc(ByteBuffer.allocate(16).putInt(graph).putLong(pane).putInt(number).array)
      )

  /** What is kept beside the windows ([[KeptPart]]), in the layout `panes`. */
  case object Beside extends StatePlace(graph => crc(ByteBuffer.allocate(8).putInt(graph).putInt(1).array))

  /** The hash of a graph of the streaming query whose task this thread runs. */
  def graph(key: Row): Int = {
    val query = Option(TaskContext.get()).flatMap(t => Option(t.getLocalProperty("sql.streaming.queryId")))
    graph(query.getOrElse(""), key)
  }

  /** @param query the id of the streaming query, which its checkpoint keeps over restarts */
  def graph(query: String, key: Row): Int = crc(s"$query ${text(GraphKey.comparable(key))}".getBytes(UTF_8))

  private def crc(bytes: Array[Byte]): Int = {
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
