package io.github.sparkbic.bench.baseline.paper

import io.github.sparkbic.bench.WindowSystem

/** BIC, the index of the paper to the letter: Algorithms 1 to 5 of C. Zhang, A. Bonifati, M. T. Özsu, "Incremental
  * Sliding Window Connectivity over Streaming Graphs (Extended Version)", PVLDB 17(10), 2024.
  *
  * Time is cut into chunks of `|c|` slide intervals. The window that starts at `c_i[j]` is answered by snapshot `b_i[j]`
  * of the backward buffer, snapshot `f_{i+1}[j-1]` of the forward buffer and the bipartite graph between both. The
  * window that starts at `c_i[0]` is answered by `f_i` alone.
  *
  * This class was written from the paper alone. It adds what the paper leaves open: slide intervals are panes, so that a
  * window need not be a multiple of the slide; chunks without edges are passed over; self-loops make their vertex occur.
  * Data structures are plain arrays and tables of numbers, like those of the other baselines.
  *
  * @param size `|c|`, the number of slide intervals in a window
  */
final class BicPaper(size: Int) extends WindowSystem {
  private[paper] var chunk = new Chunk(size, 0)
  private[paper] var forward = new Uft(0)
  // The chunk before, with its backward buffer.
  private[paper] var chunkBefore = chunk
  private[paper] var backward = new Auft(0)
  private[paper] var bfbg = new Bfbg(backward, forward)

  // The number of the chunk that takes edges, and the snapshot index `j` of the window completed last.
  private var number = Long.MinValue
  private var j = 0

  /** The forward buffer takes the edge, a union moves edges of the BFBG, then both ends are processed: section 6.4. */
  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    enter(pane)
    val interval = Math.floorMod(pane, size)
    val u = chunk.vertices.intern(src)
    val v = chunk.vertices.intern(dst)
    chunk.add(interval, u, v)
    forward.reserve(chunk.vertices.size)
    val ru = forward.find(u)
    val rv = forward.find(v)
    if (ru != rv) {
      val child = forward.union(ru, rv)
      bfbg.moveEdges(child, if (child == ru) rv else ru)
    }
    // The edge is new in `f[interval]`, which goes with snapshot `interval + 1` of the backward buffer.
    bfbg.processVertex(chunkBefore.vertices.find(src), u, interval + 1)
    bfbg.processVertex(chunkBefore.vertices.find(dst), v, interval + 1)
  }

  override def complete(windowStart: Long): Unit = {
    enter(windowStart + size - 1)
    j = Math.floorMod(windowStart, size)
  }

  /** Algorithm 5. A vertex without a root, which is -1, is in no tree: null is not equal to null on lines 4 and 7. */
  override def connected(source: Long, target: Long): Boolean = {
    val fu = forwardRoot(source) // line 3
    val fv = forwardRoot(target)
    if (fu >= 0 && fu == fv) true // lines 4 and 5
    else if (j == 0) false
    else {
      val bu = backwardRoot(source) // line 6
      val bv = backwardRoot(target)
      if (bu >= 0 && bu == bv) true // lines 7 and 8
      else if (fu < 0 && bu < 0 || fv < 0 && bv < 0) false
      else {
        val ru = if (fu >= 0) Bfbg.forwardNode(fu) else Bfbg.backwardNode(bu) // lines 11 to 14
        val rv = if (fv >= 0) Bfbg.forwardNode(fv) else Bfbg.backwardNode(bv) // lines 15 to 18
        bfbg.connected(ru, rv, j) // lines 19 to 22
      }
    }
  }

  private def forwardRoot(id: Long): Int = {
    val v = chunk.vertices.find(id)
    if (v < 0) -1 else forward.find(v)
  }

  private def backwardRoot(id: Long): Int = {
    val v = chunkBefore.vertices.find(id)
    if (v < 0) -1 else backward.find(v, j)
  }

  /** Goes on to the chunk of the pane. A chunk that is full becomes a backward buffer; if a whole chunk without edges
    * follows, no window has edges of both sides and the backward buffer is empty.
    */
  private def enter(pane: Long): Unit = {
    val next = Math.floorDiv(pane, size)
    if (next > number) {
      chunkBefore = if (next == number + 1) chunk else new Chunk(size, 0)
      backward = Auft.compute(chunkBefore)
      chunkBefore.dropEdges()
      chunk = new Chunk(size, chunkBefore.vertices.size)
      forward = new Uft(chunkBefore.vertices.size)
      bfbg = new Bfbg(backward, forward)
      number = next
    }
  }
}
