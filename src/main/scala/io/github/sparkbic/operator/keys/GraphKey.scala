package io.github.sparkbic.operator.keys

import java.nio.ByteBuffer
import java.nio.charset.{CharacterCodingException, StandardCharsets}

import org.apache.spark.sql.Row

/** Keys of graphs outside of Spark's own groups. */
private[sparkbic] object GraphKey {

  /** A value that is equal, and has an equal hash, for all keys of one graph. A `Row` compares arrays of bytes by
    * reference, and integral columns of other widths as different.
    */
  def comparable(value: Any): Any = value match {
    case row: Row                 => row.toSeq.map(comparable)
    case bytes: Array[Byte]       => new String(bytes, StandardCharsets.ISO_8859_1)
    case items: collection.Seq[_] => items.map(comparable)
    case n: Byte                  => n.toLong
    case n: Short                 => n.toLong
    case n: Int                   => n.toLong
    case x: Float                 => java.lang.Float.floatToIntBits(if (x == 0) 0f else x)
    case x: Double                => java.lang.Double.doubleToLongBits(if (x == 0) 0d else x)
    case other                    => other
  }

  /** A value of a key, or a vertex, for a message: bytes as text if they are UTF-8, else as a literal of SQL. */
  def show(value: Any): String = value match {
    case row: Row                 => row.toSeq.map(show).mkString("[", ", ", "]")
    case items: collection.Seq[_] => items.map(show).mkString("[", ", ", "]")
    case bytes: Array[Byte] =>
      try StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString
      catch {
        case _: CharacterCodingException => bytes.map("%02X".format(_)).mkString("X'", "", "'")
      }
    case other => String.valueOf(other)
  }
}
