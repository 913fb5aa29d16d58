package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.contract.{EdgeSet, EdgeSink, IndexSize}
import io.github.sparkbic.index.format._
import io.github.sparkbic.index.kernels.RadixSort

/** A spanning forest of some edges of one pane: all that questions of connectivity need of these edges.
  *
  * Vertex `ids(i)` is linked to the root of its tree, `ids(parents(i))`, which is its own parent and comes before all
  * others. The links need not be edges of the input, but join exactly the vertices that the input joined. A vertex that only
  * has self-loops is a root without children.
  */
final class PaneForest(val ids: Array[Long], val parents: Array[Int]) extends EdgeSet {
  require(ids.length == parents.length, s"${ids.length} vertices, but ${parents.length} parents")

  override def size: Int = ids.length

  /** The number of vertices that are no roots. */
  override def links: Int = {
    var count = 0
    var i = 0
    while (i < parents.length) {
      if (parents(i) != i) count += 1
      i += 1
    }
    count
  }

  override def feed(sink: EdgeSink): Unit = sink.addForest(ids, parents)

  override def renumbered(numbers: Array[Long]): PaneForest = renumbered(position => numbers(position.toInt))

  /** The same forest of other vertices. */
  def renumbered(number: Long => Long): PaneForest = {
    val others = new Array[Long](size)
    Arrays.setAll(others, (i: Int) => number(ids(i)))
    new PaneForest(others, parents)
  }

  /** Appends the components of the forest: 13 to 23 ns a vertex, and 1.5 bytes if ids are dense and one component has
    * most. The bytes hold no links: reading makes other links that join the same vertices.
    * [[io.github.sparkbic.index.format.StateLayout StateLayout]] draws the layout.
    *
    * In one of many small components, a vertex takes some three bytes more, about as much as a link.
    */
  override def save(out: BinaryWriter): Unit = {
    val sort = RadixSort(ids)
    // The component of each root, counted from one on as components appear.
    val components = new Array[Int](size)
    var last = 0
    // The vertex written last, and its component, which is zero before the first vertex.
    var previous = 0L
    var component = 0
    out.unsigned(StateLayout.Forest.toLong)
    out.unsigned(size.toLong)
    out.unsigned(size.toLong - links)
    var i = 0
    while (i < size) {
      val vertex = sort.sorted(i)
      val root = parents(sort.order(i))
      val known = components(root)
      val isOther = known == 0 || known != component
      out.marked(if (i == 0) BinaryFormat.zigzag(vertex) else vertex - previous, isOther)
      previous = vertex
      if (isOther) {
        out.unsigned(known.toLong)
        if (known == 0) {
          last += 1
          components(root) = last
        }
        component = components(root)
      }
      i += 1
    }
  }
}

private[forests] object PaneForest {

  /** The size of the forest at hand, without reading the forest. */
  def readSize(in: BinaryReader): IndexSize = {
    val vertices = in.count("the number of vertices")
    IndexSize(vertices, vertices - in.below(vertices + 1L, "the number of components"))
  }

  /** A forest, one component after the other, each by rising vertex and linked to its first vertex. An index that is
    * fed two linked vertices in a row finds the first vertex in the cache.
    */
  def read(in: BinaryReader): PaneForest = {
    val size = readSize(in)
    val rising = new Array[Long](size.vertices)
    val components = new Array[Int](size.vertices)
    val vertices = new Array[Int](size.vertices - size.links)
    var found = 0
    var component = -1
    var i = 0
    while (i < rising.length) {
      val isOther = in.hasMark
      val step = in.marked()
      if (i == 0) rising(0) = BinaryFormat.unzigzag(step)
      else {
        rising(i) = rising(i - 1) + step
        if (rising(i) <= rising(i - 1))
          throw new CorruptStateException(
            s"vertex ${rising(i)} comes after vertex ${rising(i - 1)}, not in rising order"
          )
      }
      if (isOther) {
        component = in.below(found + 1L, "a component of a pane forest") - 1
        if (component < 0) {
          if (found == vertices.length) refuseCount(vertices.length)
          component = found
          found += 1
        }
      } else if (component < 0) throw new CorruptStateException("a pane forest begins with no component")
      components(i) = component
      vertices(component) += 1
      i += 1
    }
    if (found < vertices.length) refuseCount(vertices.length)
    byComponent(rising, components, vertices)
  }

  /** @param places how many vertices each component has; overwritten */
  private def byComponent(rising: Array[Long], components: Array[Int], places: Array[Int]): PaneForest = {
    val ids = new Array[Long](rising.length)
    val parents = new Array[Int](rising.length)
    var start = 0
    var component = 0
    while (component < places.length) {
      val vertices = places(component)
      // From here on: where its next vertex belongs.
      places(component) = start
      Arrays.fill(parents, start, start + vertices, start)
      start += vertices
      component += 1
    }
    var i = 0
    while (i < rising.length) {
      val place = places(components(i))
      ids(place) = rising(i)
      places(components(i)) = place + 1
      i += 1
    }
    new PaneForest(ids, parents)
  }

  private def refuseCount(components: Int) =
    throw new CorruptStateException(s"a pane forest has more or less than its $components components")
}
