package io.github.sparkbic.index.recency

import io.github.sparkbic.index.recency.NodeStore.{pack, NoNode}
import io.github.sparkbic.index.vertices.{VertexDirectory, VertexKeys, VertexSweep}

/** The vertices of all windows still held, and a maximum spanning forest of their edges, an edge weighing its pane.
  *
  * Invariants. Every vertex has at most one link (parent, pane). Along a path ranks (keys) rise strictly; panes may
  * rise or fall. For every pane `p` still held, two vertices are joined by edges of panes `p` and later iff climbing
  * from both over links of pane `p` or later ends at the same vertex. `seen` of a vertex is the newest pane in which it
  * had an edge, and no link at the vertex is newer.
  *
  * So one forest answers every window that ends now: nothing is deleted when a window moves on, links just grow too old
  * to be followed. Since ranks are random, paths are logarithmic in expectation whatever the edges are.
  *
  * Expired vertices are found by a sweep, a table of the directory at a time. Each vertex added pays for a dozen places
  * of it, so that about one record in fifteen is dead however fast vertices come and go; and every edge pays a little,
  * so that memory is given back when they stop coming.
  *
  * Panes here are the low 32 bits of pane numbers; `a - b >= 0` says that `a` is not before `b`, which is right while
  * they are less than 2^31^ apart. [[sweepAll]] keeps them so: it rewrites links that have expired.
  */
private[recency] final class RecencyForest(val keys: VertexKeys, expected: Int = 0) {
  import RecencyForest._

  val nodes = new NodeStore
  val directory = new VertexDirectory(expected)

  /** The first pane that a window may still start at; set by the index. */
  var floor: Int = 0

  // In eighths of a place of the directory to sweep.
  private var credit = 0L
  // The sweep of the records.
  private var swept = 0
  private var phase = Idle

  // What [[enterAll]] looked at; kept, or the compiler would drop the looking.
  private[recency] var looked = 0L

  /** Full passes of the sweep over the records so far. */
  var passes: Int = 0

  /** The directory's entry of a vertex, zero if there is none. */
  def find(id: Long): Long = directory.find(keys.keyOf(id))

  /** The number of a vertex that has an edge in `pane`. It stays valid until the next sweep. */
  def enter(key: Long, pane: Int): Int = {
    val n = directory.touch(key, pane)
    if (n != NoNode) n else add(key, pane)
  }

  /** Enters the first `count` of these vertices, and notes their numbers.
    *
    * The first loop does no work, but without branches to mispredict it waits for many cache lines at once, where the
    * search proper would wait for one after the other. Likewise the last one, for the joins to come. With millions of
    * vertices that is most of the time of an insert, and looking farther ahead pays: at the cache line after the one
    * where a search begins, and at the parents. With fewer, both cost more than they save.
    *
    * @param isNewest whether no vertex was seen after `pane`
    */
  def enterAll(
      vertexKeys: Array[Long],
      count: Int,
      pane: Int,
      isNewest: Boolean,
      numbers: Array[Int]
  ): Unit = {
    val directory = this.directory
    val nodes = this.nodes
    val isLarge = directory.size > Large
    var seen = 0L
    var i = 0
    if (isLarge)
      while (i < count) {
        seen ^= directory.peekFar(vertexKeys(i))
        i += 1
      }
    else
      while (i < count) {
        seen ^= directory.peek(vertexKeys(i))
        i += 1
      }
    i = 0
    if (isNewest)
      while (i < count) {
        val n = directory.touchNewest(vertexKeys(i), pane)
        numbers(i) = if (n != NoNode) n else add(vertexKeys(i), pane)
        i += 1
      }
    else
      while (i < count) {
        numbers(i) = enter(vertexKeys(i), pane)
        i += 1
      }
    i = 0
    if (isLarge)
      while (i < count) {
        seen ^= nodes.link(nodes.link(numbers(i)).toInt)
        i += 1
      }
    else
      while (i < count) {
        seen ^= nodes.link(numbers(i))
        i += 1
      }
    looked = seen
  }

  /** Adds the edges between `numbers(0)` and `numbers(1)`, `numbers(2)` and `numbers(3)` and so on, up to `ends`. */
  def joinAll(numbers: Array[Int], ends: Int, pane: Int): Unit = {
    var i = 0
    while (i < ends) {
      if (numbers(i) != numbers(i + 1)) join(numbers(i), numbers(i + 1), pane)
      i += 2
    }
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
      // The lower-ranked one takes the link; which that is cannot be predicted, so there is no branch.
      val lower = (a ^ b) & RecencyForest.maskOfLess(nodes.key(b), nodes.key(a))
      a ^= lower
      b ^= lower
      val displaced = nodes.link(a)
      nodes.setLink(a, pack(p, b))
      p = (displaced >> 32).toInt
      if (p - floor < 0) return
      // What hung on the displaced link still hangs together, now one level up.
      a = displaced.toInt
    }
  }

  /** Sweeps what the vertices and edges since the last call have paid for, if that is a table. */
  def sweepAsPaid(edges: Int): Unit = {
    credit += edges
    while (credit > 0) {
      val places = directory.sweep(floor, sweeper)
      if (phase != Idle) sweepRecords(math.abs(places))
      credit -= math.max(SmallestPrice, math.abs(places) * 8)
      if (places < 0) endDirectoryPass()
    }
  }

  /** Rewrites everything expired now, so that panes may again be compared for 2^30^ panes to come. */
  def sweepAll(): Unit = {
    var ends = 0
    while (ends < 2)
      if (directory.sweep(floor, sweeper) < 0) {
        ends += 1
        endDirectoryPass()
      }
    val enough = passes + 2
    while (passes < enough || phase != Idle) {
      if (directory.sweep(floor, sweeper) < 0) endDirectoryPass()
      sweepRecords(math.max(1, nodes.top))
    }
  }

  private def add(key: Long, pane: Int): Int = {
    val n = nodes.allocate()
    nodes.set(n, key, pack(floor - 1, n))
    directory.add(key, n, pane)
    credit += AddPays
    n
  }

  private val sweeper = new VertexSweep {
    override def isMoving: Boolean = phase == Moving

    override def expired(node: Int): Unit = nodes.release(node)

    override def moved(node: Int): Int =
      if (node < nodes.drain) node
      else {
        val to = nodes.allocateFreed()
        if (to == NoNode) {
          nodes.spilled = true
          node
        } else {
          nodes.move(node, to)
          to
        }
      }
  }

  private def sweepRecords(count: Int): Unit = {
    val nodes = this.nodes
    if (phase == Listing) nodes.list(count)
    var left = count
    while (left > 0) {
      if (swept >= nodes.top) {
        swept = 0
        endRecordPass()
        if (nodes.top == 0) return
      }
      val n = swept
      val link = nodes.link(n)
      swept += 1
      left -= 1
      if ((link >> 32).toInt - floor < 0) {
        if (link != pack(floor - 1, n)) nodes.setLink(n, pack(floor - 1, n))
      } else if (phase == Redirecting) {
        if (link.toInt >= nodes.drain) nodes.setLink(n, pack((link >> 32).toInt, nodes.resolve(link.toInt)))
      } else if (phase == Restoring && nodes.isForwarder(n)) {
        nodes.setLink(n, pack(floor - 1, n))
        nodes.release(n)
      }
    }
  }

  /** Compaction, step by step: what is free below is listed; a pass over the directory moves what lies above; a pass
    * over the records redirects the links that lead there. If something had to stay above, all is freed that need not.
    */
  private def endRecordPass(): Unit = {
    passes += 1
    phase match {
      case Listing => if (nodes.isListed) phase = AwaitingPass
      case Redirecting =>
        if (nodes.spilled) {
          nodes.endDrain()
          phase = Restoring
        } else {
          nodes.drop()
          phase = Idle
        }
      case Restoring =>
        nodes.endForwarding()
        phase = Idle
      case _ =>
    }
  }

  /** Compacts if records are mostly free. */
  private def startCompaction(): Unit = {
    val records = directory.size + (directory.size >> 2)
    val wanted = math.max(1, (records + NodeStore.Mask) >> NodeStore.Shift) << NodeStore.Shift
    if (nodes.top - wanted > wanted / 2) {
      nodes.startDrain(wanted)
      swept = 0
      phase = Listing
    }
  }

  private def endDirectoryPass(): Unit = phase match {
    case Idle => startCompaction()
    case AwaitingPass =>
      phase = Moving
      nodes.startMoving(floor + ForwarderLead)
    case Moving =>
      phase = Redirecting
      swept = 0
    case _ =>
  }
}

private[recency] object RecencyForest {

  /** A forest with these vertices, numbered from zero on, and their links; they owe nothing to the sweep.
    *
    * @param seen  the newest pane in which each vertex had an edge
    * @param links as [[NodeStore]] has them
    */
  def of(
      vertexKeys: VertexKeys,
      floor: Int,
      keys: Array[Long],
      seen: Array[Int],
      links: Array[Long]
  ): RecencyForest = {
    val forest = new RecencyForest(vertexKeys, keys.length)
    forest.floor = floor
    var n = 0
    while (n < keys.length) {
      forest.nodes.set(forest.nodes.allocate(), keys(n), links(n))
      n += 1
    }
    forest.directory.addAll(keys, seen)
    forest
  }

  /** Vertices whose records and table are well beyond the caches of a core. */
  private final val Large = 1 << 20

  /** What an added vertex pays for the sweep, in eighths of a place. Where nearly every edge adds one, 72 and 50 save up
    * to a twentieth of the time, and take a sixth more memory.
    */
  private final val AddPays = 100

  /** The least that a table costs, lest tiny graphs sweep all the time. */
  private final val SmallestPrice = 64 * 8

  /** A forwarder's pane is this much after the floor: later than every pane inserted, within 2^31^ of all. */
  private final val ForwarderLead = 0x7fffffff

  /** All ones if `x < y`, else zero. */
  private def maskOfLess(x: Long, y: Long): Int = (((x & ~y) | (~(x ^ y) & (x - y))) >> 63).toInt

  // Phases of the compaction.
  private final val Idle = 0
  private final val Listing = 1
  private final val AwaitingPass = 2
  private final val Moving = 3
  private final val Redirecting = 4
  private final val Restoring = 5
}
