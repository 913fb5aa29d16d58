package io.github.sparkbic.index.recency

import io.github.sparkbic.index.recency.NodeStore.NoNode

/** The vertices of all windows still held, and a maximum spanning forest of their edges, an edge weighing its pane.
  *
  * Invariants. Every vertex has at most one link (parent, pane). Along a path ranks (keys) rise strictly; panes
  * may rise or fall. For every pane `p` still held, two vertices are joined by edges of panes `p` and later iff climbing
  * from both over links of pane `p` or later ends at the same vertex. `seen` of a vertex is the newest pane in which it
  * had an edge, and no link at the vertex is newer.
  *
  * So one forest answers every window that ends now: nothing is deleted when a window moves on, links just grow too old
  * to be followed. Since ranks are random, paths are logarithmic in expectation whatever the edges are.
  *
  * Expired vertices are found by a sweep over all records, a few at each insert. Each vertex added pays for the sweep
  * of three records, so that not more than a fifth of the records are dead, give or take, however fast vertices come
  * and go; and every edge pays a little, so that memory is given back when they stop coming.
  *
  * Panes here are the low 32 bits of pane numbers; `a - b >= 0` says that `a` is not before `b`, which is right while
  * they are less than 2^31^ apart. The sweep keeps them so: it rewrites links that have expired.
  */
private[recency] final class RecencyForest(val keys: VertexKeys) {
  import RecencyForest._

  val nodes = new NodeStore
  val directory = new KeyDirectory(nodes)

  /** The first pane that a window may still start at; set by the index. */
  var floor: Int = 0

  // In eighths of a record to sweep.
  private var credit = 0
  private var swept = 0
  private var moving = false

  /** Full passes of the sweep so far. */
  var passes: Int = 0

  /** Whether records are being moved to give segments back. */
  def isDraining: Boolean = nodes.drain != Int.MaxValue

  def find(id: Long): Int = directory.find(keys.keyOf(id))

  /** The number of a vertex that has an edge in `pane`. It stays valid until the next [[sweepAsPaid]]. */
  def enter(id: Long, pane: Int): Int = {
    val key = keys.keyOf(id)
    val n = directory.find(key)
    if (n != NoNode) {
      nodes.touch(n, pane)
      n
    } else add(key, pane)
  }

  /** Adds an edge between two vertices. */
  def join(u: Int, v: Int, pane: Int): Unit = {
    val nodes = this.nodes
    var a = u
    var b = v
    var p = pane
    while (true) {
      a = nodes.climb(a, p)
      b = nodes.climb(b, p)
      if (a == b) return
      if (nodes.key(a) > nodes.key(b)) {
        val higher = a
        a = b
        b = higher
      }
      val displaced = nodes.link(a)
      nodes.setLink(a, p, b)
      p = (displaced >> 32).toInt
      if (p - floor < 0) return
      // What hung on the displaced link still hangs together, now one level up.
      a = displaced.toInt
    }
  }

  /** Sweeps what the vertices and edges since the last call have paid for. */
  def sweepAsPaid(): Unit = {
    credit += 1
    if (credit >= Quantum * 8) {
      sweep(Quantum)
      credit -= Quantum * 8
    }
  }

  def sweepAllPaid(edges: Int): Unit = {
    credit += edges
    sweep(credit >> 3)
    credit &= 7
  }

  /** Rewrites everything expired now, so that panes may again be compared for 2^30^ panes to come. */
  def sweepAll(): Unit = {
    val enough = passes + 2
    while (passes < enough || isDraining) sweep(math.max(1, nodes.top - swept))
  }

  private def add(key: Long, pane: Int): Int = {
    val n = nodes.allocate()
    nodes.set(n, key, NodeStore.pack(floor - 1, n), pane)
    directory.add(key, n)
    credit += 24
    n
  }

  private def sweep(records: Int): Unit = {
    val nodes = this.nodes
    val floor = this.floor
    var left = records
    while (left > 0) {
      if (swept >= nodes.top) {
        swept = 0
        endPass()
        if (nodes.top == 0) return
      }
      val n = swept
      swept += 1
      left -= 1
      nodes.state(n) match {
        case NodeStore.Live =>
          if (nodes.seen(n) - floor < 0) {
            directory.remove(nodes.key(n), n)
            nodes.release(n)
          } else {
            val link = nodes.link(n)
            if ((link >> 32).toInt - floor < 0) nodes.setLink(n, floor - 1, n)
            else if (link.toInt >= nodes.drain && nodes.state(link.toInt) == NodeStore.Moved)
              nodes.setLink(n, (link >> 32).toInt, nodes.link(link.toInt).toInt)
            if (moving && n >= nodes.drain) move(n)
          }
        case NodeStore.Moved => if (!isDraining) nodes.release(n)
        case _               => if (n < nodes.drain && nodes.isUnlisted(n)) nodes.release(n)
      }
    }
  }

  private def move(n: Int): Unit = {
    val to = nodes.allocateFreed()
    if (to == NoNode) nodes.spilled = true
    else {
      directory.replace(nodes.key(n), n, to)
      nodes.move(n, to, floor + ForwarderLead)
    }
  }

  /** Compaction takes two passes: one that empties the upper records, one that redirects the links that lead there. */
  private def endPass(): Unit = {
    passes += 1
    if (moving) moving = false
    else if (isDraining) nodes.endDrain()
    else {
      val records = directory.size + (directory.size >> 2)
      val wanted = math.max(1, (records + NodeStore.Mask) >> NodeStore.Shift) << NodeStore.Shift
      if (nodes.top - wanted > wanted / 2) {
        moving = true
        nodes.startDrain(wanted)
      }
    }
  }
}

private object RecencyForest {

  /** Records swept at a time. */
  private final val Quantum = 256

  /** A forwarder's pane is this much after the floor: later than every pane inserted, within 2^31^ of all. */
  private final val ForwarderLead = 0x7fffffff
}
