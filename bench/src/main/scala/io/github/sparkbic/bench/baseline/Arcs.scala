package io.github.sparkbic.bench.baseline

import java.util.Arrays

/** The nodes of tree edges: of each edge two on every level from its own down to 0, as lists over primitive arrays.
  *
  * Most edges are on level 0 alone. So an array by the number of the edge would be nearly empty on every other level,
  * and these arrays would be a third of all memory.
  */
private[baseline] final class Arcs {
  // Of each edge its entry on its highest level, plus one.
  private var firsts = new Array[Int](16)
  private var forths = new Array[Int](16)
  private var backs = new Array[Int](16)
  // The entry one level below, or the next free one, plus one.
  private var nexts = new Array[Int](16)
  private var free = 0
  private var top = 0

  /** The nodes on the level above all that the edge is on. */
  def push(e: Int, forth: Int, back: Int): Unit = {
    if (e >= firsts.length) firsts = Arrays.copyOf(firsts, math.max(e + 1, firsts.length * 2))
    val at = if (free > 0) free - 1 else top
    if (free > 0) free = nexts(at) else top += 1
    if (top > forths.length) {
      forths = Arrays.copyOf(forths, top * 2)
      backs = Arrays.copyOf(backs, top * 2)
      nexts = Arrays.copyOf(nexts, top * 2)
    }
    forths(at) = forth
    backs(at) = back
    nexts(at) = firsts(e)
    firsts(e) = at + 1
  }

  /** The nodes on the highest level of the edge. */
  def forth(e: Int): Int = forths(firsts(e) - 1)
  def back(e: Int): Int = backs(firsts(e) - 1)

  /** The edge leaves its highest level. */
  def pop(e: Int): Unit = {
    val at = firsts(e) - 1
    firsts(e) = nexts(at)
    nexts(at) = free
    free = at + 1
  }
}
