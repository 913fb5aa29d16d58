package io.github.sparkbic.operator.state

import java.util.zip.CRC32C

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException}

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

  /** Since version 2, vertex names are saved as `NameCode` has them, and before as their UTF-8 bytes. */
  val Version: Int = 2
  private val FirstVersion = 1
  private val FirstWithCodes = 2
  val HeaderSize: Int = 16

  def seal(mark: Int, payload: BinaryWriter): Array[Byte] = {
    val bytes = payload.toBytes
    val out = new BinaryWriter(HeaderSize + bytes.length)
    out.fixedInt(mark)
    out.fixedInt(Version)
    out.fixedInt(bytes.length)
    out.fixedInt(checksum(Version, bytes, 0))
    out.raw(bytes)
    out.toBytes
  }

  /** A reader of the payload; a [[CorruptStateException]] says why there is none. */
  def open(mark: Int, bytes: Array[Byte]): BinaryReader = {
    val in = new BinaryReader(bytes)
    if (in.remaining < HeaderSize) throw new CorruptStateException(s"it has only ${in.remaining} bytes")
    if (in.fixedInt() != mark)
      throw new CorruptStateException("it does not begin with the mark of this format")
    val version = in.fixedInt()
    if (version < FirstVersion || version > Version)
      throw new CorruptStateException(
        s"its format version is $version, but this release reads versions $FirstVersion to $Version",
        CorruptStateException.OtherRelease
      )
    val length = in.fixedInt()
    val crc = in.fixedInt()
    if (length != in.remaining)
      throw new CorruptStateException(s"it has ${in.remaining} bytes instead of $length")
    if (crc != checksum(version, bytes, HeaderSize)) throw new CorruptStateException("its checksum is wrong")
    in
  }

  /** Whether the names in a frame, which can be opened, are codes. */
  def hasCodes(bytes: Array[Byte]): Boolean = {
    val in = new BinaryReader(bytes)
    in.fixedInt()
    in.fixedInt() >= FirstWithCodes
  }

  /** Versions differ in how names are read, so a wrong version must not pass for another one. */
  private def checksum(version: Int, bytes: Array[Byte], from: Int): Int = {
    val crc = new CRC32C
    if (version > FirstVersion) crc.update(version)
    crc.update(bytes, from, bytes.length - from)
    crc.getValue.toInt
  }
}
