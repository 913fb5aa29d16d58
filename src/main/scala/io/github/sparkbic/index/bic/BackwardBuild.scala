package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.LongInterner

/** Algorithm 2 over the pane forests of a chunk, in steps, so that no single insert has to wait for all of it.
  *
  * Pane 0 is left out: `b[0]` would be the whole chunk, which the forward buffer held. A second union–find with path
  * halving finds the roots, since the labelled trees must keep their paths.
  *
  * Vertices get new numbers from `interner`, which others may use between two steps: numbers of vertices that are in no
  * snapshot are labelled zero.
  *
  * @param panes  the chunk, with numbers of the interner `before`
  */
private[bic] final class BackwardBuild(panes: Seq[ChunkPane], before: LongInterner, interner: LongInterner) {
  private val backwards = panes.reverseIterator.filter(_.offset > 0).toArray
  private var pane = 0
  private var link = 0

  private val roots = new ForwardBuffer(0)
  private var parents = new Array[Int](16)
  private var linkLabels = new Array[Int](16)
  private var vertexLabels = new Array[Int](16)
  // Of each number in `before` the new one plus one; made by the first step, since it takes a while to zero.
  private var numbers = Array.empty[Int]

  /** The share of the work that an edge has to do for all to be done well before the pane after this chunk ends, if that
    * is like the last one of the chunk: a pane has at least half as many edges as vertices.
    */
  val linksPerEdge: Int = {
    val links = backwards.iterator.map(_.vertices.length.toLong).sum
    math.max(8L, math.min(1L << 20, 4 * links / math.max(1, backwards(0).vertices.length))).toInt
  }

  def isDone: Boolean = pane == backwards.length

  /** Takes in up to so many links of the pane forests, and returns whether that was all. */
  def step(links: Long): Boolean = {
    if (numbers.length == 0) numbers = new Array[Int](before.size)
    var left = links
    while (left > 0 && !isDone) {
      val current = backwards(pane)
      val until = link + math.min((current.vertices.length - link).toLong, left).toInt
      left -= until - link
      while (link < until) {
        add(number(current.vertices(link)), number(current.parents(link)), current.offset)
        link += 1
      }
      if (link == current.vertices.length) {
        pane += 1
        link = 0
      }
    }
    isDone
  }

  def result(): BackwardBuffer = new BackwardBuffer(parents, linkLabels, vertexLabels)

  private def add(u: Int, v: Int, j: Int): Unit = {
    if (vertexLabels(u) == 0) {
      vertexLabels(u) = j
      roots.add(u)
    }
    if (vertexLabels(v) == 0) {
      vertexLabels(v) = j
      roots.add(v)
    }
    val ru = roots.find(u)
    val rv = roots.find(v)
    if (ru != rv) {
      // The pane forest stores a link as (child, parent); the parent came first, and wins a tie.
      val root = roots.link(rv, ru)
      val child = ru + rv - root
      parents(child) = root
      linkLabels(child) = j
    }
  }

  private def number(old: Int): Int = {
    if (numbers(old) == 0) {
      val n = interner.intern(before.id(old))
      numbers(old) = n + 1
      if (n >= parents.length) {
        val room = n + (n >> 1) + 8
        parents = Arrays.copyOf(parents, room)
        linkLabels = Arrays.copyOf(linkLabels, room)
        vertexLabels = Arrays.copyOf(vertexLabels, room)
      }
    }
    numbers(old) - 1
  }
}
