package io.github.sparkbic.operator.question

import java.util.Arrays

import io.github.sparkbic.index.kernels.LongInterner

/** The pairs of components, one of each of two windows, that share a vertex, each pair once.
  *
  * One pass over the later window counts runs: for each component of this window, how many vertices in a row come from
  * the same component of the window before. A run that ends is added up in a hash table of pairs. Most components hold
  * vertices of one component of the window before, and need no hash. Time O(vertices); memory 9 bytes a component of
  * the later window and 12 bytes a pair, beside the hash table of the pairs of mixed components.
  */
private[question] final class RelatedComponents(
    before: ComponentTable,
    after: ComponentTable,
    matched: VertexMatch
) {
  private var ofBefore, ofAfter, shares = new Array[Int](16)
  private var count = 0

  collect()

  /** The number of pairs; pairs are numbered from 0 on. */
  def size: Int = count

  /** The component of the window before in a pair. */
  def before(pair: Int): Int = ofBefore(pair)

  /** The component of the later window in a pair. */
  def after(pair: Int): Int = ofAfter(pair)

  /** The number of vertices that both components of a pair hold; at least 1. */
  def shared(pair: Int): Int = shares(pair)

  private def collect(): Unit = {
    val lastBefore = new Array[Int](after.components)
    val runs = new Array[Int](after.components)
    val isMixed = new Array[Boolean](after.components)
    val pairs = new LongInterner()
    var place = 1
    while (place < after.places) {
      val now = after.componentOf(place)
      val from = if (now >= 0) matched.before(place) else -1
      if (from >= 0) {
        val old = before.componentOf(from)
        if (runs(now) > 0 && lastBefore(now) != old) {
          addMixed(pairs, lastBefore(now), now, runs(now))
          isMixed(now) = true
          runs(now) = 0
        }
        lastBefore(now) = old
        runs(now) += 1
      }
      place += 1
    }
    var now = 0
    while (now < after.components) {
      if (isMixed(now)) addMixed(pairs, lastBefore(now), now, runs(now))
      now += 1
    }
    // Pairs of mixed components have the numbers of the hash table, so all others follow.
    now = 0
    while (now < after.components) {
      if (!isMixed(now) && runs(now) > 0) append(lastBefore(now), now, runs(now))
      now += 1
    }
  }

  private def addMixed(pairs: LongInterner, old: Int, now: Int, run: Int): Unit = {
    val pair = pairs.intern(old.toLong << 32 | now)
    if (pair == count) append(old, now, run) else shares(pair) += run
  }

  private def append(old: Int, now: Int, run: Int): Unit = {
    if (count == shares.length) {
      ofBefore = Arrays.copyOf(ofBefore, 2 * count)
      ofAfter = Arrays.copyOf(ofAfter, 2 * count)
      shares = Arrays.copyOf(shares, 2 * count)
    }
    ofBefore(count) = old
    ofAfter(count) = now
    shares(count) = run
    count += 1
  }
}
