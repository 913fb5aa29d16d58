package io.github.sparkbic.index.contract

import java.util.Arrays
import java.util.function.IntToLongFunction

import io.github.sparkbic.index.kernels.{PathHalving, Threads}

/** The components of one window, in arrays of primitives.
  *
  * Vertices have places, and components have numbers from 0 on. A place without a vertex of the window has component
  * -1, and so has place 0. Vertices may be read until the index takes the next edge; [[keep]] makes a copy.
  *
  * Memory: 4 bytes a place and 4 a component.
  *
  * @param entries the complement of the component of each place, or 0
  * @param ids the vertices by place
  */
private[sparkbic] final class WindowComponents private (
    entries: Array[Int],
    val components: Int,
    ids: IntToLongFunction
) {

  // Not all questions read the sizes. A lazy value would cost a look at a volatile field for each vertex.
  private var sizes: Array[Int] = null

  private def counts: Array[Int] = {
    if (sizes == null) {
      // The last one counts the places without a vertex.
      val all = new Array[Int](components + 1)
      var place = 1
      while (place < entries.length) {
        val entry = entries(place)
        all(if (entry < 0) ~entry else components) += 1
        place += 1
      }
      sizes = Arrays.copyOf(all, components)
    }
    sizes
  }

  /** Places are below. */
  def places: Int = entries.length

  /** The component of the vertex at `place`; -1 where there is no vertex. */
  def componentOf(place: Int): Int = ~entries(place)

  /** The vertex at `place`, which must have a component. */
  def vertex(place: Int): Long = ids.applyAsLong(place)

  /** The number of vertices of a component; O(places) at first. */
  def size(component: Int): Int = counts(component)

  /** The number of vertices. */
  def vertices: Long = Arrays.stream(counts).asLongStream.sum

  /** The number of vertices of the largest component; 0 if there is no component. */
  def largest: Int = Arrays.stream(counts).max.orElse(0)

  /** The smallest vertex of each component, as numbers compare; O(places). */
  def smallest: Array[Long] = {
    val names = new Array[Long](components)
    Arrays.fill(names, Long.MaxValue)
    var place = 1
    while (place < entries.length) {
      val c = ~entries(place)
      if (c >= 0) names(c) = math.min(names(c), ids.applyAsLong(place))
      place += 1
    }
    names
  }

  /** A copy that stays valid whatever the index does: 8 bytes a place more. */
  def keep: WindowComponents = {
    val kept = new Array[Long](entries.length)
    Arrays.setAll(kept, (place: Int) => if (entries(place) < 0) ids.applyAsLong(place) else 0L)
    new WindowComponents(entries, components, kept(_))
  }
}

private[sparkbic] object WindowComponents {

  /** Places whose roots are found together. */
  private final val Block = 1024

  /** Steps that a block takes together; a longer path is walked alone, and compressed, so the work is linear. */
  private final val Rounds = 16

  val Empty: WindowComponents = new WindowComponents(new Array[Int](1), 0, _ => 0L)

  /** The components of a forest.
    *
    * The naive version follows the path of each vertex to its root, and waits for the memory at every step. Here a loop
    * over a block of places replaces each parent by the parent's own entry. The loop has no branch on the data, so the core
    * waits for many cache lines at once. It is repeated for the places that are not at a root yet, mostly few. Some 10 ns a
    * vertex. Several threads work on places of their own: any entry of another thread's places is an ancestor, or the
    * component.
    *
    * @param parents the parent of each place: the place itself for a root, and 0 for no vertex; overwritten
    * @param ids     the vertices by place
    * @param asked   places, where 0 is no vertex: all components but theirs count as absent, so that sizes and vertices are
    *   read of few places. Null for all components
    */
  def apply(
      parents: Array[Int],
      ids: IntToLongFunction,
      threads: Int,
      asked: Array[Int] = null
  ): WindowComponents = {
    val components = numberRoots(parents, asked)
    Threads.map(1, parents.length, threads) { (from, until) =>
      val waiting = new Array[Int](Block)
      var block = from
      while (block < until) {
        findRoots(parents, block, math.min(until, block + Block), waiting)
        block += Block
      }
    }
    new WindowComponents(parents, components, ids)
  }

  /** Replaces the entry of each root by the complement of a component, or by 0 if not asked for; returns their number. */
  private def numberRoots(entries: Array[Int], asked: Array[Int]): Int = {
    val roots = if (asked == null) Array.emptyIntArray else asked.map(PathHalving.root(entries, _))
    // All ones if each root gets a number at once, else zero.
    val areAll = if (asked == null) -1 else 0
    var components = 0
    var place = 1
    while (place < entries.length) {
      // All ones if the place is no root.
      val d = entries(place) - place
      val other = (d | -d) >> 31
      entries(place) = (entries(place) & other) | (~components & ~other & areAll)
      components += (1 + other) & areAll
      place += 1
    }
    roots.foreach { root =>
      if (root > 0 && entries(root) == 0) {
        entries(root) = ~components
        components += 1
      }
    }
    components
  }

  /** Replaces the parents in a block of places by the complements of their components. */
  private def findRoots(entries: Array[Int], from: Int, until: Int, waiting: Array[Int]): Unit = {
    // The first step has a loop of its own: one loop for all steps took a fifth more time.
    var count = 0
    var place = from
    while (place < until) {
      val entry = stepped(entries, entries(place))
      entries(place) = entry
      waiting(count) = place
      // One more if the entry is a parent.
      count += -entry >>> 31
      place += 1
    }
    var round = 1
    while (count > 0 && round < Rounds) {
      val last = count
      round += 1
      count = 0
      var i = 0
      while (i < last) {
        val at = waiting(i)
        val entry = stepped(entries, entries(at))
        entries(at) = entry
        waiting(count) = at
        count += -entry >>> 31
        i += 1
      }
    }
    // Paths are that long in few places, if any.
    while (count > 0) {
      count -= 1
      compress(entries, waiting(count))
    }
  }

  /** Gives all places of a path the entry of its root. */
  private def compress(entries: Array[Int], place: Int): Unit = {
    var found = entries(place)
    while (found > 0) found = entries(found)
    // An entry is read once: another thread may replace it by the component.
    var at = place
    var parent = entries(at)
    while (parent > 0) {
      entries(at) = found
      at = parent
      parent = entries(at)
    }
  }

  /** The entry of the parent where `entry` is a parent, else `entry`. The entry of place 0 is 0. */
  private def stepped(entries: Array[Int], entry: Int): Int = {
    val isDone = entry >> 31
    entries(entry & ~isDone) | (entry & isDone)
  }
}
