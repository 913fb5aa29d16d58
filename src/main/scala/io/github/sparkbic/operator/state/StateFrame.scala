package io.github.sparkbic.operator.state

import java.nio.{ByteBuffer, ByteOrder}
import java.util.zip.CRC32C

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.{FrameSize, Version}

/** The frame around every value in a state store: other bytes are refused, and so is a value from another place. */
private[operator] object StateFrame {
  def seal(magic: Int, place: Int, payload: BinaryWriter): Array[Byte] = {
    val bytes = payload.toBytesBehind(FrameSize)
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
      .putInt(magic).putInt(Version).putInt(payload.size).putInt(place).putInt(checksum(bytes, place))
    bytes
  }

  /** A reader of the payload; a [[CorruptStateException]] says why the frame is refused.
    * @param place where the value is, by [[StatePlace]]
    */
  def open(magic: Int, place: Int, bytes: Array[Byte]): BinaryReader = {
    def fail(violation: String) = throw new CorruptStateException(violation)
    val in = new BinaryReader(bytes)
    if (in.remaining < FrameSize) fail(s"it has only ${in.remaining} bytes")
    if (in.fixedInt() != magic) fail("it does not begin with the magic number of this format")
    val version = in.fixedInt()
    if (version != Version)
      throw new CorruptStateException(
        s"its format version is $version, but this release reads version $Version",
        CorruptStateException.OtherRelease
      )
    val length = in.fixedInt()
    val (written, crc) = (in.fixedInt(), in.fixedInt())
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
