package io.github.sparkbic.index.contract

/** An index that answers for every suffix of the panes held: for all edges from any pane on.
  *
  * The law asks for less. Such an index takes edges of any pane held, in any order, and serves windows of several
  * lengths.
  */
trait SuffixIndex extends ConnectivityIndex {

  /** The latest pane from which on the edges inserted so far connect `source` and `target`; [[SuffixIndex.Never]] if no
    * edges of the panes held connect them. A vertex is connected to itself from the last pane on in which it occurs.
    */
  def connectedSince(source: Long, target: Long): Long

  /** [[connectedSince]] for the vertices at two places, which [[placeOf]] gives, and which are not 0. */
  def placesConnectedSince(source: Int, target: Int): Long

  /** The components of some places alone, in the window that starts at pane `windowStart` and ends with the pane closed
    * last; O(vertices). See [[WindowComponents.of]].
    */
  def componentsOf(asked: Array[Int], windowStart: Long): WindowComponents

  /** The place of a vertex in the components of every window that ends with the pane closed last; 0 if none of these windows
    * holds the vertex. Valid until the index takes the next edge.
    */
  def placeOf(vertex: Long): Int

  /** A copy that shares nothing with this index; costs a copy of all arrays. */
  def copy: SuffixIndex
}

object SuffixIndex {

  /** Before every pane. */
  val Never: Long = Long.MinValue
}
