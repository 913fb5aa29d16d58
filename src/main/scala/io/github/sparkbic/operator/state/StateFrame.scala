package io.github.sparkbic.operator.state

import java.nio.{ByteBuffer, ByteOrder}
import java.util.zip.CRC32C

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException, FormatVersion}

/** What every value in a state store of ours begins with, so that nothing else is taken for it:
  *
  * {{{
  * mark of the kind of value, format version, length of the payload, CRC-32C   (4 bytes each, little-endian)
  * payload
  * }}}
  *
  * The checksum is that of the version, as one byte, and the payload; in version 1, of the payload alone.
  */
private[operator] object StateFrame {

  val HeaderSize: Int = 16

  def seal(mark: Int, payload: BinaryWriter): Array[Byte] = {
    val bytes = payload.toBytesBehind(HeaderSize)
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
      .putInt(mark)
      .putInt(FormatVersion.Current)
      .putInt(payload.size)
      .putInt(checksum(FormatVersion.Current, bytes, HeaderSize))
    bytes
  }

  /** A reader of the payload; a [[CorruptStateException]] says why there is none. */
  def open(mark: Int, bytes: Array[Byte]): BinaryReader = {
    val in = new BinaryReader(bytes)
    if (in.remaining < HeaderSize) throw new CorruptStateException(s"it has only ${in.remaining} bytes")
    if (in.fixedInt() != mark)
      throw new CorruptStateException("it does not begin with the mark of this format")
    val version = in.fixedInt()
    if (version < FormatVersion.First || version > FormatVersion.Current)
      throw new CorruptStateException(
        s"its format version is $version, but this release reads versions " +
          s"${FormatVersion.First} to ${FormatVersion.Current}",
        CorruptStateException.OtherRelease
      )
    val length = in.fixedInt()
    val crc = in.fixedInt()
    if (length != in.remaining)
      throw new CorruptStateException(s"it has ${in.remaining} bytes instead of $length")
    if (crc != checksum(version, bytes, HeaderSize)) throw new CorruptStateException("its checksum is wrong")
    new BinaryReader(bytes, HeaderSize, bytes.length, version)
  }

  /** Versions differ in how the payload is read, so a wrong version must not pass for another one. */
  private def checksum(version: Int, bytes: Array[Byte], from: Int): Int = {
    val crc = new CRC32C
    if (version > FormatVersion.First) crc.update(version)
    crc.update(bytes, from, bytes.length - from)
    crc.getValue.toInt
  }
}
