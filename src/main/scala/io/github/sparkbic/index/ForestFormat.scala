package io.github.sparkbic.index

import java.util.Arrays

/** Writes forests by their components, which is all that a question of connectivity asks for:
  *
  * {{{
  * number of vertices, number of components, and for each vertex, by rising number:
  *   difference to the one before, the first one signed; marked if its component is not that of the one before
  *   if marked: its component, which are counted from one on as they appear, or 0 for the next one
  * }}}
  *
  * In a component that holds most vertices, a dense number takes little more than a byte, and nothing tells where it is
  * linked. Vertices of many small components take about as much as with their links, some three bytes more.
  *
  * @param roots room for the roots of the forests, `0 until roots`; four bytes each
  */
private[index] final class ForestWriter(out: BinaryWriter, roots: Int) {
  // The component of each root, counted from forest to forest: those up to `before` are of earlier ones.
  private val components = new Array[Int](roots)
  private var last = 0
  private var before = 0

  // What [[fetch]] looked at; kept, or the compiler would drop the looking.
  private[index] var looked = 0

  // Of the vertex before; a negative component if there is none.
  private var previous = 0L
  private var component = -1

  /** Begins a forest of so many vertices and links. */
  def begin(size: IndexSize): Unit = {
    out.unsigned(size.vertices.toLong)
    out.unsigned(size.vertices.toLong - size.links)
    before = last
    component = -1
  }

  /** Looks at what [[add]] will look at for these, so that they do not wait for memory one after the other. */
  def fetch(roots: Array[Int], count: Int): Unit =
    looked = Fetching.look(components, roots, count)

  /** @param vertex above all vertices of the forest so far
    * @param root   the root of its tree
    */
  def add(vertex: Long, root: Int): Unit = {
    val found = components(root)
    val isOther = found != component
    out.marked(if (component < 0) BinaryFormat.zigzag(vertex) else vertex - previous, isOther)
    previous = vertex
    if (isOther) {
      if (found > before) {
        out.unsigned(found.toLong - before)
        component = found
      } else {
        out.unsigned(0)
        last += 1
        components(root) = last
        component = last
      }
    }
  }
}

/** Reads a forest of any format version. */
private[index] object ForestReader {

  def read(in: BinaryReader): PaneForest =
    if (in.version < FormatVersion.WithComponents) readLinks(in) else readComponents(in)

  /** How large the forest is that [[ForestWriter]] wrote, without reading it. */
  def readSize(in: BinaryReader): IndexSize = {
    val vertices = in.count("the number of vertices")
    IndexSize(vertices, vertices - in.below(vertices + 1L, "the number of components"))
  }

  /** What [[ForestWriter]] wrote: one component after the other, each by rising vertex and linked to its first one. An index
    * that is fed two linked vertices one after the other finds the first one in the cache.
    */
  private def readComponents(in: BinaryReader): PaneForest = {
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
        VertexTable.requireRising(rising(i - 1), rising(i))
      }
      if (isOther) {
        component = in.below(found + 1L, "a component of a pane forest") - 1
        if (component < 0) {
          if (found == vertices.length) wrongCount(vertices.length)
          component = found
          found += 1
        }
      } else if (component < 0) throw new CorruptStateException("a pane forest begins with no component")
      components(i) = component
      vertices(component) += 1
      i += 1
    }
    if (found < vertices.length) wrongCount(vertices.length)
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

  private def wrongCount(components: Int) =
    throw new CorruptStateException(s"a pane forest has more or less than its $components components")

  /** Vertices ([[VertexTable]]), and for each the place of its parent among them, as a signed difference to its own. */
  private def readLinks(in: BinaryReader): PaneForest = {
    val ids = VertexTable.restore(in)
    val parents = new Array[Int](ids.length)
    var i = 0
    while (i < ids.length) {
      val parent = i + in.signed()
      if (parent < 0 || parent >= ids.length)
        throw new CorruptStateException(
          s"a pane forest of ${ids.length} vertices has a link to vertex $parent"
        )
      parents(i) = parent.toInt
      i += 1
    }
    val forest = new PaneForest(ids, parents)
    if (!forest.isAcyclic)
      throw new CorruptStateException(s"a pane forest of ${ids.length} vertices has a cycle")
    forest
  }
}
