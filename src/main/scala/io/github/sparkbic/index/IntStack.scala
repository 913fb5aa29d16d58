package io.github.sparkbic.index

import java.util.Arrays

/** Numbers, the last one in first out. A few of them only need a small array. */
private[index] final class IntStack {
  private var items = new Array[Int](IntStack.Smallest)
  private var count = 0

  def isEmpty: Boolean = count == 0

  def push(item: Int): Unit = {
    if (count == items.length) items = Arrays.copyOf(items, count + (count >> 1))
    items(count) = item
    count += 1
  }

  def pop(): Int = {
    count -= 1
    items(count)
  }

  def clear(): Unit = count = 0
}

private object IntStack {
  private final val Smallest = 8
}
