package io.github.sparkbic.index.contract

import io.github.sparkbic.index.format.BinaryWriter

/** Connectivity of one graph over a sliding window of panes.
  *
  * The law. Let `E(p)` be the edges inserted for pane `p`. Once pane `w + perWindow - 1` is closed, and before an
  * edge of a later pane is inserted,
  *
  *   - `connected(w, s, t)` is true iff `s` and `t` occur in `E(w) ∪ … ∪ E(w + perWindow - 1)` and a path of these
  *     edges joins them. A self-loop makes its vertex occur; repeated edges change nothing;
  *   - `components(w)` holds every vertex that occurs, once, with its component;
  *   - `connectedTo(m)` holds every vertex that is connected to a vertex of `m` in the window from `w` on, once, with the
  *     latest pane `p` such that the edges of `E(p) ∪ … ∪ E(w + perWindow - 1)` connect both, and the first such vertex;
  *   - an index restored from the bytes of `save` gives the same answers, now and after any further panes, whichever
  *     implementation wrote the bytes.
  *
  * The naive version runs a union–find over all edges of each window. An implementation works once for each edge.
  *
  * Panes are inserted in rising order; panes without edges need no call. Not thread safe: an index belongs to one
  * task at a time, and uses further threads by itself.
  */
trait ConnectivityIndex {

  /** Adds all edges of `edges` to `pane`, which must not be closed. */
  def insert(pane: Long, edges: EdgeSet): Unit

  /** Declares that no edge of `pane`, nor of an earlier pane, will follow. */
  def closePane(pane: Long): Unit

  /** Whether both are connected in the window that starts at pane `windowStart` and ends with the pane closed last. */
  def connected(windowStart: Long, source: Long, target: Long): Boolean

  /** The components of that window; O(vertices). */
  def components(windowStart: Long): WindowComponents

  /** The vertices that edges of the panes held connect with a marked vertex, of several with the first, for all windows that
    * end with the pane closed last; O(vertices), where a marked vertex occurs.
    */
  def connectedTo(marked: Array[Long]): ConnectedVertices

  /** Visits every vertex that windows to come may hold, and maybe others, and a vertex twice. */
  def vertices(visit: Long => Unit): Unit

  /** Appends the saved form, which any implementation can restore. Every pane with an edge must be closed. */
  def save(out: BinaryWriter): IndexSize
}

/** How much an index holds for windows to come: vertices, and the links between them. */
final case class IndexSize(vertices: Int, links: Int)
