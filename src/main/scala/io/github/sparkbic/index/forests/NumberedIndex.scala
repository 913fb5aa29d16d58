package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.contract._
import io.github.sparkbic.index.format.{BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.vertices.VertexNumbers

/** The part that all indexes share: the vertex numbers, which panes are held, and the [[SavedForest]].
  *
  * Vertices of a set are looked up in batches, so that look-ups overlap. A batch is joined right after its look-ups, while
  * its links are in the cache; to look up all vertices of a forest first takes half as much time again.
  *
  * Indexes keep the low 32 bits of pane numbers and compare panes by their difference, which is right while panes are less
  * than 2^31^ apart. So an index is rebuilt from its saved form after each `config.reach` panes, and once a window if three
  * quarters of the vertex numbers have expired. A rebuild takes as long as a restart.
  */
private[index] abstract class NumberedIndex(perWindow: Int, config: IndexConfig)
    extends ConnectivityIndex
    with EdgeSink {

  /** The pane closed last; `Long.MinValue` before the first. */
  protected var lastClosed: Long = Long.MinValue

  /** The newest pane that was closed or had an edge. */
  protected var newest: Long = Long.MinValue

  /** The newest pane with an edge. */
  protected var newestEdge: Long = Long.MinValue

  /** The first of the last `perWindow` panes up to the newest: edges and windows may start there. */
  protected var firstHeld: Long = Long.MinValue

  // The first pane held when the index was last rebuilt for its panes, and when the last review began.
  private var rebuilt, reviewed = Long.MinValue
  private[index] var vertices = new VertexNumbers(config)

  // The pane that takes edges.
  private var openPane = Long.MinValue

  /** Refuses an edge of a pane that does not take edges. */
  protected def requireOpen(pane: Long): Unit

  /** Makes room for vertex numbers below `length`. */
  protected def reserve(length: Int): Unit

  /** Adds the edges `numbers(0) – numbers(1)`, `numbers(2) – numbers(3)` … of `pane`; `numbers` may be overwritten. */
  protected def joinEdges(numbers: Array[Int], count: Int, pane: Long): Unit

  /** Forgets all edges. */
  protected def clear(): Unit

  /** Notes that newer panes are held, and that `vertices` knows. */
  protected def advanced(): Unit

  /** Tidies up after a set of edges, if there is need. */
  protected def compact(): Unit = ()

  /** A forest of the components of the window that starts at pane `windowStart`: for each vertex number up to
    * `vertices.top` its parent, which is the number itself for a root, and 0 where the vertex is not in the window. Refuses
    * a window that cannot be answered.
    */
  protected def parentsFrom(windowStart: Long): Array[Int]

  /** The saved form, if `closed` is the pane closed last. */
  protected def saved(closed: Long): SavedForest

  /** Takes all links from `forest`, whose vertices have the numbers that `vertices` gives; the index has no edge. */
  protected def build(forest: SavedForest): Unit

  final override def insert(pane: Long, edges: EdgeSet): Unit = {
    requireOpen(pane)
    advance(pane)
    newestEdge = math.max(newestEdge, pane)
    openPane = pane
    edges.feed(this)
    compact()
    if (firstHeld - reviewed >= perWindow) {
      reviewed = firstHeld
      if (vertices.review()) rebuild(saved(newest).compact)
    }
  }

  final override def addEdges(edges: Array[Long], count: Int): Unit = {
    val ends = new Array[Int](math.min(count, 2 * config.batchEdges))
    var from = 0
    while (from < count) {
      val length = math.min(ends.length, count - from)
      enterAll(edges, from, length, ends)
      joinEdges(ends, length, openPane)
      from += length
    }
  }

  final override def addForest(ids: Array[Long], parents: Array[Int]): Unit = {
    val count = ids.length
    val numbers = new Array[Int](count)
    val entered = new Array[Int](math.min(config.batchEdges, count))
    val ends = new Array[Int](2 * entered.length)
    var from = 0
    while (from < count) {
      val until = math.min(count, from + entered.length)
      enterAll(ids, from, until - from, entered)
      System.arraycopy(entered, 0, numbers, from, until - from)
      var end = 0
      var i = from
      while (i < until) {
        if (parents(i) > i) throw new IllegalArgumentException(
          s"vertex $i of a pane forest comes before its parent, which is ${parents(i)}; a parent has to come first"
        )
        ends(end) = numbers(parents(i))
        ends(end + 1) = entered(i - from)
        end += 2
        i += 1
      }
      joinEdges(ends, end, openPane)
      from = until
    }
  }

  /** Looks up some vertices that have edges in the open pane, and makes room for links of new ones. */
  private def enterAll(ids: Array[Long], from: Int, count: Int, numbers: Array[Int]): Unit = {
    vertices.enterAll(ids, from, count, openPane.toInt, numbers)
    reserve(vertices.capacity)
  }

  override def closePane(pane: Long): Unit = {
    require(pane >= lastClosed, s"pane $pane is before pane $lastClosed, which is closed")
    advance(pane)
    lastClosed = pane
  }

  private def advance(pane: Long): Unit = if (pane > newest) {
    newest = pane
    firstHeld = Panes.firstOf(perWindow, pane)
    if (isEmpty) {
      rebuilt = firstHeld
      reviewed = firstHeld
      if (vertices.top > 0) {
        vertices = new VertexNumbers(config)
        clear()
      }
    }
    vertices.firstPane = firstHeld.toInt
    advanced()
    val moved = firstHeld - rebuilt
    // A negative difference is an overflow.
    if (moved < 0 || moved >= config.reach) {
      rebuilt = firstHeld
      rebuild(saved(pane).compact)
    }
  }

  /** Whether no edge held is left. */
  private def isEmpty: Boolean = firstHeld > newestEdge

  final override def components(windowStart: Long): WindowComponents = components(windowStart, asked = null)

  /** The components of the places that are asked for; see [[WindowComponents.apply]]. */
  private[sparkbic] final def components(windowStart: Long, asked: Array[Int]): WindowComponents =
    WindowComponents(parentsFrom(windowStart), vertices.ids, config.threadsFor(vertices.top), asked)

  final override def connectedTo(marked: Array[Long]): ConnectedVertices = {
    val numbers = Arrays.stream(marked).mapToInt(vertices.find(_, firstHeld.toInt)).toArray
    // Most graphs of very many hold no marked vertex, and cost no pass.
    if (numbers.forall(_ == 0)) ConnectedVertices.Empty
    else new MarkedSuffixes(saved(newest)).connectedTo(numbers, components(firstHeld, numbers))
  }

  final override def vertices(visit: Long => Unit): Unit =
    if (!isEmpty) vertices.foreach(firstHeld.toInt)(visit)

  final override def save(out: BinaryWriter): IndexSize = {
    require(
      newestEdge <= lastClosed,
      s"pane $newestEdge must be closed before the index is saved; the pane closed last is $lastClosed"
    )
    val forest = saved(lastClosed)
    // Numbers without a vertex take room in the saved form, too: a quarter of them at most.
    val isSparse = vertices.countSeen(firstHeld.toInt) < vertices.top * 0.75
    (if (isSparse) forest.compact else forest).save(out)
  }

  /** Takes the place of all that was there from `forest`, the saved form of an index of the same panes. */
  private def rebuild(saved: SavedForest, check: Long => Unit = _ => ()): Unit = {
    val forest = if (config.idsAreNumbers) saved.byId(check) else saved
    vertices = VertexNumbers.of(config, firstHeld.toInt, forest.top, forest.ids, forest.seen)
    clear()
    reserve(vertices.capacity)
    build(forest)
  }

  /** Makes this empty index the index with the saved form `forest`.
    * @param check refuses an id that no vertex has, where ids are numbers
    */
  private[index] def restore(forest: SavedForest, check: Long => Unit): this.type = {
    lastClosed = forest.lastClosed
    newest = lastClosed
    newestEdge = forest.newestEdge
    firstHeld = Panes.firstOf(perWindow, newest)
    rebuilt = firstHeld
    reviewed = firstHeld
    rebuild(forest, check)
    vertices.repeated.foreach(id => throw new CorruptStateException(s"vertex $id occurs twice"))
    this
  }
}
