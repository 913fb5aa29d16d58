package io.github.sparkbic.operator.paths

import java.util.{HashMap => JHashMap}

import scala.collection.mutable

import org.apache.spark.unsafe.types.UTF8String

/** Numbers names 0, 1, 2 … in the order of their first appearance. */
private[paths] final class NameNumbers {
  private val numbers = new JHashMap[UTF8String, Integer]
  private val names = mutable.ArrayBuffer.empty[UTF8String]

  def size: Int = names.size

  def name(number: Int): UTF8String = names(number)

  /** The number of `name`, which is a new number if the name is new. */
  def number(name: UTF8String): Int = {
    val known = numbers.get(name)
    if (known != null) known
    else {
      // The string may be a view of Spark's row, which the next row overwrites.
      val own = name.clone()
      numbers.put(own, names.size)
      names += own
      names.size - 1
    }
  }

  /** The number of `name`, or -1 if it has none. */
  def find(name: Any): Int = numbers.getOrDefault(name, -1)

  def toArray: Array[Any] = names.toArray[Any]
}
