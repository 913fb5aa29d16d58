package io.github.sparkbic.bench.baseline

import java.util.Arrays

/** The distinct edges of the window, numbered, with the number of their arrivals that have not expired.
  *
  * A hash table with linear probing from the pair of ends to the number of the edge; freed numbers are given out again.
  */
private[baseline] final class EdgeTable {
  private var slots = new Array[Int](32)
  private var keys = new Array[Long](16)
  private var counts = new Array[Int](16)
  private var top = 0
  private var free = -1
  private var live = 0

  def source(e: Int): Int = (keys(e) >>> 32).toInt
  def target(e: Int): Int = keys(e).toInt

  /** The edge, or -1 if it is not there. */
  def find(u: Int, v: Int): Int = slots(search(EdgeTable.key(u, v))) - 1

  /** One more arrival; returns the edge, or its complement if it was there before. */
  def add(u: Int, v: Int): Int = {
    val key = EdgeTable.key(u, v)
    val at = search(key)
    if (slots(at) != 0) {
      val e = slots(at) - 1
      counts(e) += 1
      ~e
    } else {
      val e = if (free >= 0) free else top
      if (free >= 0) free = counts(e) else top += 1
      if (top > keys.length) {
        keys = Arrays.copyOf(keys, keys.length * 2)
        counts = Arrays.copyOf(counts, keys.length)
      }
      keys(e) = key
      counts(e) = 1
      slots(at) = e + 1
      live += 1
      if (live * 2 > slots.length) grow()
      e
    }
  }

  /** One arrival less; returns the edge if that was the last, else its complement. A gone edge must be [[release]]d. */
  def remove(u: Int, v: Int): Int = {
    val key = EdgeTable.key(u, v)
    val at = search(key)
    val e = slots(at) - 1
    counts(e) -= 1
    if (counts(e) > 0) ~e
    else {
      close(at)
      live -= 1
      e
    }
  }

  def release(e: Int): Unit = {
    counts(e) = free
    free = e
  }

  /** The slot of the key, or the empty one where it belongs. */
  private def search(key: Long): Int = {
    var at = placeOf(key)
    while (slots(at) != 0 && keys(slots(at) - 1) != key) at = (at + 1) & (slots.length - 1)
    at
  }

  private def close(start: Int): Unit = {
    val mask = slots.length - 1
    var hole = start
    var at = (hole + 1) & mask
    while (slots(at) != 0) {
      val home = placeOf(keys(slots(at) - 1))
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        slots(hole) = slots(at)
        hole = at
      }
      at = (at + 1) & mask
    }
    slots(hole) = 0
  }

  private def grow(): Unit = {
    val old = slots
    slots = new Array[Int](old.length * 2)
    old.foreach { entry =>
      if (entry != 0) {
        var at = placeOf(keys(entry - 1))
        while (slots(at) != 0) at = (at + 1) & (slots.length - 1)
        slots(at) = entry
      }
    }
  }

  private def placeOf(key: Long): Int = {
    val h = key * 0x9e3779b97f4a7c15L
    ((h ^ (h >>> 32)) * 0xd6e8feb86659fd93L >>> 33).toInt & (slots.length - 1)
  }
}

private object EdgeTable {
  def key(u: Int, v: Int): Long = if (u < v) u.toLong << 32 | v else v.toLong << 32 | u
}
