package io.github.sparkbic.index.recency

import java.util.concurrent.ArrayBlockingQueue

/** Adds edges of one pane to a [[LinkForest]] by several threads: the caller looks up the vertices of further edges while
  * helpers join the edges before. Where helpers lag behind, the caller joins a batch itself.
  *
  * Threads share the links alone. A thread replaces a link by compare-and-set; where another thread was first, the edge
  * waits for the thread's next round. A link that a thread follows may have been replaced meanwhile, even long ago. Its
  * ends are joined all the same, since nothing comes apart:
  *
  *  - The link of a vertex `v` to `c` makes way for a link to `b` and a waiting edge `c – b`. Ranks of `b` and `c` are
  *    above the rank of `v`.
  *  - An edge is left out once links join its ends. On both paths, only the end of lower rank is not above this rank.
  *
  * So whatever joins two vertices is replaced by the link of the lower one and by edges among vertices above it. By
  * induction from the highest rank down, links and waiting edges join for ever what they have once joined. At the end no
  * edge waits.
  *
  * Which links there are depends on the threads, and what they join does not. Memory: 8 KiB a batch, of which there are at
  * most ten for each thread. Threads end with [[finish]], so that no index between two micro-batches holds one.
  *
  * @param own     the caller's way to add edges
  * @param threads at least 2, among them the caller
  */
private[recency] final class ConcurrentJoin(links: LinkForest, own: EdgeJoin, threads: Int) {
  import ConcurrentJoin._

  private val filled = new ArrayBlockingQueue[Batch](Ahead * threads)
  private val emptied = new ArrayBlockingQueue[Batch]((Ahead + 2) * threads)
  private val helpers = Seq.fill(threads - 1)(new Helper)
  private var batch = new Batch

  links.isShared = true
  helpers.foreach(_.start())

  /** Takes the edges of [[EdgeJoin.joinTrees]] or [[EdgeJoin.joinAll]]. */
  def add(numbers: Array[Int], ends: Int, pane: Int, areTrees: Boolean): Unit = {
    if (!batch.hasRoom(ends, pane, areTrees)) hand()
    batch.add(numbers, ends, pane, areTrees)
  }

  private def hand(): Unit =
    if (filled.offer(batch)) {
      val next = emptied.poll()
      batch = if (next == null) new Batch else next
    } else batch.joinBy(own)

  /** Waits until all edges are added, and ends the helpers. */
  def finish(): Unit = {
    try {
      hand()
      Iterator.continually(filled.poll()).takeWhile(_ != null).foreach(_.joinBy(own))
    } finally {
      filled.clear()
      // There is room. To put them would fail where the caller's task has been interrupted, and helpers would wait for ever.
      helpers.foreach(_ => filled.add(End))
      helpers.foreach(_.join())
      links.isShared = false
    }
    helpers.foreach(helper => if (helper.failure != null) throw helper.failure)
  }

  private final class Helper extends Thread("bic-join") {
    private val edges = new EdgeJoin(links)
    var failure: Throwable = _
    setDaemon(true)

    override def run(): Unit =
      Iterator.continually(filled.take()).takeWhile(_ ne End).foreach { taken =>
        // The caller goes on handing batches over, so the helper takes them even if it cannot join them.
        try taken.joinBy(edges)
        catch { case e: Throwable => failure = e }
        emptied.add(taken)
      }
  }
}

private object ConcurrentJoin {

  /** Edges that are handed over together. */
  private final val Edges = 1024

  /** Batches that wait for helpers, for each thread. */
  private final val Ahead = 8

  private val End = new Batch

  /** Edges of one pane. */
  private final class Batch {
    private val numbers = new Array[Int](2 * Edges)
    private var end = 0
    private var pane = 0
    private var areTrees = false

    def hasRoom(ends: Int, pane: Int, areTrees: Boolean): Boolean =
      end == 0 || end + ends <= numbers.length && pane == this.pane && areTrees == this.areTrees

    def add(added: Array[Int], ends: Int, pane: Int, areTrees: Boolean): Unit = {
      System.arraycopy(added, 0, numbers, end, ends)
      end += ends
      this.pane = pane
      this.areTrees = areTrees
    }

    /** Empties the batch. */
    def joinBy(join: EdgeJoin): Unit = {
      val ends = end
      end = 0
      if (areTrees) join.joinTrees(numbers, ends, pane) else join.joinAll(numbers, ends, pane)
    }
  }
}
