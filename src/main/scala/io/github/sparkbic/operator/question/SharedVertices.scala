package io.github.sparkbic.operator.question

import java.util.{Arrays, BitSet}

import io.github.sparkbic.index.contract.WindowComponents
import io.github.sparkbic.index.kernels.LongInterner

/** What two windows of one graph share: vertices, and pairs of components, one of each window, that share a vertex.
  *
  * Most vertices have the same place in both windows, so two sequential passes find them. Only the others are looked up
  * by hash: vertices that came or left, and vertices that the index has given another place.
  *
  * The pass over the later window also counts runs: for each component of this window, how many vertices in a row come
  * from the same component of the window before. A run that ends is added up in a hash table of pairs. Most components hold
  * vertices of one component of the window before, and need no hash. Time O(vertices). Memory 4 bytes a place, 9 bytes a
  * component of the later window and 12 bytes a pair, beside the hash tables.
  */
private[question] final class SharedVertices(before: WindowComponents, after: WindowComponents) {

  /** For the vertex at each place of the later window its place in the window before; -1 if it has none. */
  val from: Array[Int] = new Array[Int](after.places)

  /** The places in the window before of vertices that are not in the later window. */
  val left: BitSet = new BitSet(before.places)

  // By pair the two components, that of the window before above; and how many vertices they share.
  private var components = new Array[Long](16)
  private var shares = new Array[Int](16)
  private var count = 0
  private val lastBefore, runs = new Array[Int](after.components)
  private val isMixed = new Array[Boolean](after.components)
  private val mixed = new LongInterner()

  matchVertices()
  (0 until after.components).foreach(now => if (isMixed(now)) endRun(now))
  // Pairs of mixed components have the numbers of the hash table, so all others follow.
  (0 until after.components).foreach(now => if (!isMixed(now) && runs(now) > 0) append(now))

  /** The number of pairs of components; pairs are numbered from 0 on. */
  def pairs: Int = count

  /** The component of the window before in a pair. */
  def before(pair: Int): Int = (components(pair) >>> 32).toInt

  /** The component of the later window in a pair. */
  def after(pair: Int): Int = components(pair).toInt

  /** The number of vertices that both components of a pair hold; at least 1. */
  def shared(pair: Int): Int = shares(pair)

  private def matchVertices(): Unit = {
    val moved = new LongInterner()
    val movedFrom = Array.newBuilder[Int]
    Question.foreachPlace(before) { (place, _) =>
      if (!isSame(place)) {
        moved.intern(before.vertex(place))
        movedFrom += place
        left.set(place)
      }
    }
    val places = movedFrom.result()
    Question.foreachPlace(after) { (place, now) =>
      val isUnmoved = isSame(place)
      val number = if (isUnmoved) -1 else moved.find(after.vertex(place))
      from(place) = if (isUnmoved) place else if (number >= 0) places(number) else -1
      if (number >= 0) left.clear(places(number))
      if (from(place) >= 0) addToRun(now, before.componentOf(from(place)))
    }
  }

  /** Whether both windows have the same vertex at this place. */
  private def isSame(place: Int): Boolean =
    place < before.places && place < after.places && before.componentOf(place) >= 0 &&
      after.componentOf(place) >= 0 && before.vertex(place) == after.vertex(place)

  private def addToRun(now: Int, old: Int): Unit = {
    if (runs(now) > 0 && lastBefore(now) != old) endRun(now)
    lastBefore(now) = old
    runs(now) += 1
  }

  private def endRun(now: Int): Unit = {
    val pair = mixed.intern(pairOf(now))
    if (pair == count) append(now) else shares(pair) += runs(now)
    isMixed(now) = true
    runs(now) = 0
  }

  private def append(now: Int): Unit = {
    if (count == shares.length) {
      components = Arrays.copyOf(components, 2 * count)
      shares = Arrays.copyOf(shares, 2 * count)
    }
    components(count) = pairOf(now)
    shares(count) = runs(now)
    count += 1
  }

  /** A component, and the component of the window before that its run is from. */
  private def pairOf(now: Int): Long = lastBefore(now).toLong << 32 | now
}
