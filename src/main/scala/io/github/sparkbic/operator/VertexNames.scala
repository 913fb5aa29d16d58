package io.github.sparkbic.operator

import java.util.{HashMap => JHashMap}

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException}

/** Numbers vertices that are named by strings, exactly: by a dictionary, not by a hash of the string.
  *
  * Numbers rise and are not used again, so a forest that holds numbers stays right when names are forgotten. About 100
  * bytes a name more than its characters. Not thread safe.
  */
private[operator] final class VertexNames {
  private val numbers = new JHashMap[UTF8String, java.lang.Long]
  private val names = new JHashMap[java.lang.Long, UTF8String]
  private var nextNumber = 0L

  def size: Int = numbers.size

  /** The number of `name`, which is copied if it is new. */
  def intern(name: UTF8String): Long = {
    val known = numbers.get(name)
    if (known != null) known
    else {
      val number = nextNumber
      nextNumber += 1
      put(number, name.copy())
      number
    }
  }

  def find(name: UTF8String): Option[Long] = Option(numbers.get(name)).map(_.longValue)

  def name(number: Long): UTF8String = names.get(number)

  /** Forgets all names but those for which `live` runs its argument. */
  def retain(live: (Long => Unit) => Unit): Unit = {
    val kept = ArrayBuffer.empty[(Long, UTF8String)]
    val seen = new java.util.HashSet[java.lang.Long]
    live(number => if (seen.add(number)) kept += number -> names.get(number))
    numbers.clear()
    names.clear()
    kept.foreach { case (number, name) => put(number, name) }
  }

  /** Next number, number of names, and for each, by rising number: difference to the one before, length, UTF-8 bytes. */
  def save(out: BinaryWriter): Unit = {
    out.unsigned(nextNumber)
    out.unsigned(size.toLong)
    val sorted = names.keySet.toArray(new Array[java.lang.Long](size))
    java.util.Arrays.sort(sorted.asInstanceOf[Array[AnyRef]])
    var previous = 0L
    sorted.foreach { number =>
      val bytes = names.get(number).getBytes
      out.unsigned(number - previous)
      out.unsigned(bytes.length.toLong)
      out.raw(bytes)
      previous = number
    }
  }

  private def put(number: Long, name: UTF8String): Unit = {
    numbers.put(name, number)
    names.put(number, name)
  }
}

private[operator] object VertexNames {

  def restore(in: BinaryReader): VertexNames = {
    val restored = new VertexNames
    restored.nextNumber = in.unsigned()
    var number = 0L
    (0 until in.count("the number of vertex names")).foreach { _ =>
      number += in.unsigned()
      if (number < 0 || number >= restored.nextNumber)
        throw new CorruptStateException(s"vertex number $number is not below ${restored.nextNumber}")
      restored.put(number, UTF8String.fromBytes(in.raw(in.count("the length of a vertex name"))))
    }
    restored
  }

  /** The names of a block, in the order of the numbers in its forest. */
  def pack(names: collection.Seq[UTF8String]): Array[Byte] = {
    val out = new BinaryWriter(16 * names.size)
    out.unsigned(names.size.toLong)
    names.foreach { name =>
      out.unsigned(name.numBytes.toLong)
      out.raw(name.getBytes)
    }
    out.toBytes
  }

  def unpack(bytes: Array[Byte]): Array[UTF8String] = {
    val in = new BinaryReader(bytes)
    Array.fill(
      in.count("the number of vertex names")
    )(UTF8String.fromBytes(in.raw(in.count("the length of a name"))))
  }
}
