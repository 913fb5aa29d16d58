package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.contract.IndexSize
import io.github.sparkbic.index.format.{BinaryFormat, BinaryReader, BinaryWriter, CorruptStateException}

/** Writes a forest by its components, which are all that a question of connectivity needs; the layout is drawn in
  * [[io.github.sparkbic.index.format.StateLayout StateLayout]].
  *
  * In a component that holds most vertices, a dense id takes little more than a byte, since no link is written. In one
  * of many small components, a vertex takes some three bytes more, about as much as a link.
  *
  * @param roots room for the roots of the forest, `0 until roots`; four bytes each
  */
private[forests] final class ForestWriter(out: BinaryWriter, size: IndexSize, roots: Int) {
  // The component of each root, counted from one on as components appear.
  private val components = new Array[Int](roots)
  private var last = 0

  // The vertex written last, and its component, which is zero before the first vertex.
  private var previous = 0L
  private var component = 0

  out.unsigned(size.vertices.toLong)
  out.unsigned(size.vertices.toLong - size.links)

  /** Appends a vertex.
    *
    * @param vertex above all vertices of the forest so far
    * @param root   the root of its tree
    */
  def add(vertex: Long, root: Int): Unit = {
    val known = components(root)
    val isOther = known == 0 || known != component
    out.marked(if (component == 0) BinaryFormat.zigzag(vertex) else vertex - previous, isOther)
    previous = vertex
    if (isOther) {
      out.unsigned(known.toLong)
      if (known == 0) {
        last += 1
        components(root) = last
      }
      component = components(root)
    }
  }
}

/** Reads the forests of [[ForestWriter]]. */
private[forests] object ForestReader {

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
        requireRising(rising(i - 1), rising(i))
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

  private def requireRising(id: Long, next: Long): Unit =
    if (next <= id)
      throw new CorruptStateException(s"vertex $next comes after vertex $id, not in rising order")

  private def refuseCount(components: Int) =
    throw new CorruptStateException(s"a pane forest has more or less than its $components components")
}
