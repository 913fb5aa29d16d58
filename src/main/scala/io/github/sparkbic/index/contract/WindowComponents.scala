package io.github.sparkbic.index.contract

import java.util.Arrays
import java.util.function.IntToLongFunction

import io.github.sparkbic.index.kernels.{PathHalving, Threads}

/** The components of one window, in arrays of primitives.
  *
  * Vertices have places, and components have numbers from 0 on. A place without a vertex of the window has component
  * -1, and so has place 0. Vertices may be read until the index takes the next edge; [[keep]] makes a copy.
  *
  * Memory: 4 bytes a place and 4 a component. While several threads work, each of them takes 4 to 8 bytes a component.
  *
  * @param entries the complement of the component of each place, or 0
  * @param components the number of components
  * @param ids the vertices by place
  * @param threads threads that may work at once
  */
private[sparkbic] final class WindowComponents private (
    entries: Array[Int],
    val components: Int,
    ids: IntToLongFunction,
    threads: Int
) {
  import WindowComponents._

  // Not all questions read the sizes. A lazy value would cost a look at a volatile field for each vertex.
  private var sizes: Array[Int] = null

  /** The number of vertices of each component. */
  private def counts: Array[Int] = {
    if (sizes == null)
      sizes = sum(Threads.map(1, entries.length, threads)(count(entries, _, _, components)), components)
    sizes
  }

  /** Places are below. */
  def places: Int = entries.length

  /** The component of the vertex at `place`; -1 where there is no vertex. */
  def componentOf(place: Int): Int = ~entries(place)

  /** The vertex at `place`, which must have a component. */
  def vertex(place: Int): Long = ids.applyAsLong(place)

  /** The number of vertices of a component. */
  def size(component: Int): Int = counts(component)

  /** The number of vertices; O(components). */
  def vertices: Long = Arrays.stream(counts).asLongStream.sum

  /** The number of vertices of the largest component; 0 if there is no component. */
  def largest: Int = Arrays.stream(counts).max.orElse(0)

  /** The smallest vertex of each component, as numbers compare; O(places). */
  def smallest: Array[Long] = {
    val parts = Threads.map(1, entries.length, threads)(smallestOf)
    val names = parts.head
    parts.tail.foreach { part =>
      var c = 0
      while (c < names.length) {
        names(c) = math.min(names(c), part(c))
        c += 1
      }
    }
    names
  }

  /** The smallest vertex of each component among some places. */
  private def smallestOf(from: Int, until: Int): Array[Long] = {
    val names = new Array[Long](components)
    Arrays.fill(names, Long.MaxValue)
    var place = from
    while (place < until) {
      val c = ~entries(place)
      if (c >= 0) names(c) = math.min(names(c), ids.applyAsLong(place))
      place += 1
    }
    names
  }

  /** A copy that stays valid whatever the index does: 8 bytes a place more. */
  def keep: WindowComponents = {
    val kept = new Array[Long](entries.length)
    var place = 1
    while (place < kept.length) {
      kept(place) = ids.applyAsLong(place)
      place += 1
    }
    new WindowComponents(entries, components, kept(_), threads)
  }
}

private[sparkbic] object WindowComponents {

  /** Places whose roots are found together. */
  private final val Block = 1024

  /** Steps that a block takes together; a longer path is walked alone, and compressed, so the work is linear. */
  private final val Rounds = 16

  val Empty: WindowComponents =
    new WindowComponents(new Array[Int](1), 0, _ => 0L, threads = 1)

  /** The components of a forest.
    *
    * The naive version climbs from each vertex to its root, and waits for the memory at every step. Here a loop over a
    * block of places replaces each parent by the parent's own entry. The loop has no branch on the data, so the
    * processor waits for many cache lines at once. The loop is repeated for the places that are not at a root yet,
    * mostly few.
    * Some 10 ns a vertex.
    *
    * Several threads work on places of their own. Any entry that a thread reads of another thread's places is an
    * ancestor, or the component.
    *
    * @param parents the parent of each place: the place itself for a root, and 0 for no vertex; overwritten
    * @param ids     the vertices by place
    * @param threads threads that may work at once
    * @param asked   places, where 0 is no vertex: all components but theirs count as absent. So sizes and vertices are read
    *   of few places, where few components are asked for. Costs a path for each place asked for. Null for all components
    */
  def apply(
      parents: Array[Int],
      ids: IntToLongFunction,
      threads: Int,
      asked: Array[Int] = null
  ): WindowComponents = {
    val components = if (asked == null) numberRoots(parents) else numberRoots(asked, parents)
    Threads.map(1, parents.length, threads)(findRoots(parents, _, _))
    new WindowComponents(parents, components, ids, threads)
  }

  /** [[numberRoots]] for the roots above some places; all other roots count as absent. */
  private def numberRoots(asked: Array[Int], entries: Array[Int]): Int = {
    val roots = new Array[Int](asked.length)
    var i = 0
    while (i < roots.length) {
      roots(i) = PathHalving.root(entries, asked(i))
      i += 1
    }
    var components = 0
    i = 0
    while (i < roots.length) {
      if (entries(roots(i)) > 0) {
        entries(roots(i)) = ~components
        components += 1
      }
      i += 1
    }
    var place = 1
    while (place < entries.length) {
      // All ones if the place is no root.
      val d = entries(place) - place
      entries(place) &= (d | -d) >> 31
      place += 1
    }
    components
  }

  /** Replaces the entry of each root by the complement of a component; returns the number of components. */
  private def numberRoots(entries: Array[Int]): Int = {
    var components = 0
    var place = 1
    while (place < entries.length) {
      // All ones if the place is no root.
      val d = entries(place) - place
      val other = (d | -d) >> 31
      entries(place) = (entries(place) & other) | (~components & ~other)
      components += 1 + other
      place += 1
    }
    components
  }

  /** Replaces the parents at some places by the complements of their components. */
  private def findRoots(entries: Array[Int], from: Int, until: Int): Unit = {
    val waiting = new Array[Int](Block)
    var block = from
    while (block < until) {
      findRoots(entries, block, math.min(until, block + Block), waiting)
      block += Block
    }
  }

  /** [[findRoots]] for a block. */
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

  /** Walks up a path and gives all its places the entry of the root. */
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

  /** How many vertices each component has at some places. */
  private def count(entries: Array[Int], from: Int, until: Int, components: Int): Array[Int] = {
    // The last one counts the places without a vertex.
    val sizes = new Array[Int](components + 1)
    var place = from
    while (place < until) {
      val entry = entries(place)
      sizes(if (entry < 0) ~entry else components) += 1
      place += 1
    }
    sizes
  }

  /** The sums of the sizes that threads have counted. */
  private def sum(parts: Seq[Array[Int]], components: Int): Array[Int] = {
    val sizes = Arrays.copyOf(parts.head, components)
    parts.tail.foreach { part =>
      var c = 0
      while (c < components) {
        sizes(c) += part(c)
        c += 1
      }
    }
    sizes
  }
}
