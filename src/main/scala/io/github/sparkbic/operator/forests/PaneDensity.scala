package io.github.sparkbic.operator.forests

/** How many edges of a pane stay loose. Panes of one graph mostly have about the same number of edges, and density.
  *
  * A pane that is a forest shows the density of all. Its edges may come in parts, as from the partitions of a topic. So a
  * pane whose loose edges have become many looks at that forest again, which then has about as many parts.
  */
private[forests] final class PaneDensity {
  // The pane that was measured last, unless its graph was packed.
  private var measured = null: OpenPane
  // Whether thinning hardly removed edges there, how many edges there were, and the loose panes since.
  private var isSparse = false
  private var measuredEdges = 0L
  private var leftLoose = 0

  /** Takes note of a pane, before it is packed. */
  def note(before: OpenPane): Unit =
    if (!before.isLoose) {
      measured = before
      measure()
      leftLoose = 0
    } else if (isSparse) {
      leftLoose += 1
      // Streams change, so the density is measured now and then.
      if (leftLoose == PaneDensity.LooseInARow) isSparse = false
    }

  /** How many edges of the next pane may stay loose. A pane of many more edges among as many vertices is denser. */
  def mostLoose: Int = if (isSparse) math.min(4 * measuredEdges, Int.MaxValue.toLong).toInt else 0

  /** How many edges of a loose pane may stay loose, once it has as many as [[mostLoose]] allowed. If no more may, the pane
    * becomes a forest, and other loose panes look at this larger one.
    */
  def mostLooseInstead(loose: OpenPane): Int = {
    if (isSparse && measured != null) measure()
    val most = mostLoose
    if (most > 0 && most <= loose.edgeCount) measured = loose
    most
  }

  /** Holds no forest any more, since a forest that was measured is packed. */
  def forget(): Unit = measured = null

  private def measure(): Unit = {
    isSparse = !measured.isThin
    measuredEdges = measured.edgeCount
  }
}

private object PaneDensity {
  final val LooseInARow = 16
}
