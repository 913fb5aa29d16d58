package io.github.sparkbic.index

import io.github.sparkbic.index.bic.BicIndex
import io.github.sparkbic.index.recency.RecencyIndex

/** Connectivity of one graph over a sliding window of panes.
  *
  * The law. Let `E(p)` be the edges inserted for pane `p`. Once pane `w + perWindow - 1` is closed, and before an
  * edge of a later pane is inserted,
  *
  *   - `connected(w, s, t)` is true iff `s` and `t` both occur in `E(w) ∪ … ∪ E(w + perWindow - 1)` and a path of
  *     those edges joins them (a self-loop makes its vertex occur; repeated edges change nothing);
  *   - `components(w)` visits every vertex that occurs, once, with the smallest vertex of its component;
  *   - an index restored from what `save` wrote gives the same answers, now and after any further panes.
  *
  * The naive version of it: keep all edges, and for each window run a union–find over those of its panes. That costs
  * O(edges in a window) a window; an implementation has to spend that once per edge, not once per edge and window.
  *
  * Panes are inserted in rising order; panes without edges need no call. Not thread safe: an index belongs to one
  * task at a time.
  */
trait ConnectivityIndex {

  /** Adds the undirected edge `src – dst` to `pane`, which must not be closed. */
  def insert(pane: Long, src: Long, dst: Long): Unit

  /** Adds all links of `forest` to `pane`; the same as inserting each, but a vertex is looked up only once. */
  def insert(pane: Long, forest: PaneForest): Unit

  /** Declares that no edge of `pane`, nor of one before it, will follow. */
  def closePane(pane: Long): Unit

  /** Whether `source` and `target` are connected in the window that starts at pane `windowStart` and ends with the
    * pane closed last.
    */
  def connected(windowStart: Long, source: Long, target: Long): Boolean

  /** Visits every vertex of the window as `visit(vertex, component)`, in no particular order, where `component` is
    * the smallest vertex of the component. Costs O(vertices).
    */
  def components(windowStart: Long)(visit: (Long, Long) => Unit): Unit

  /** Visits every vertex of the window that ends with the pane closed last, and so all that a window to come may still
    * hold; some that neither holds, and some twice, may be among them.
    */
  def vertices(visit: Long => Unit): Unit

  /** Writes what a restart needs to go on from here, and tells how much that is. Every pane inserted must be closed. */
  def save(out: BinaryWriter): IndexSize
}

/** How much an index holds for windows to come: vertices, and the links between them. */
final case class IndexSize(vertices: Int, links: Int)

object IndexSize {
  val Zero: IndexSize = IndexSize(0, 0)
}

/** The indexes by the name that the public API gives them. */
object ConnectivityIndex {

  val Default: String = BicIndex.Name

  val names: Seq[String] = Seq(BicIndex.Name, RecencyIndex.Name)

  /** An empty index for windows of `panes.perWindow` panes. */
  def create(name: String, panes: Panes): ConnectivityIndex = name match {
    case BicIndex.Name     => new BicIndex(panes.perWindow)
    case RecencyIndex.Name => new RecencyIndex(panes.perWindow)
    case other             => unknown(other)
  }

  /** The index that `save` wrote to `in`, made for the same `panes`. */
  def restore(name: String, panes: Panes, in: BinaryReader): ConnectivityIndex = name match {
    case BicIndex.Name     => BicIndex.restore(panes.perWindow, in)
    case RecencyIndex.Name => RecencyIndex.restore(panes.perWindow, in)
    case other             => unknown(other)
  }

  private def unknown(name: String) =
    throw new IllegalArgumentException(s"unknown index '$name'; there is: ${names.mkString(", ")}")
}
