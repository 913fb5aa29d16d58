package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.contract.IndexSize
import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.kernels.{LongInterner, PathHalving}
import io.github.sparkbic.index.vertices.IdRange

/** An [[IdForest]] of ids that mostly lie in a range. Nothing is looked up, and nothing sorted: edges wait, as two offsets
  * in the range each, until it is asked for, or until there are many; then a bit is set for each vertex, vertices are
  * numbered by counting bits, which is by rising id, and the edges are joined.
  *
  * {{{
  * for each edge:                append src − first, dst − first
  * when they are many, or asked: for each end: set its bit; for each edge: join(rank(src), rank(dst)), where rank(v) is
  *                               how many bits are set before that of v
  * when they are many:           in their place, for each vertex: it, and the root of its tree
  * }}}
  *
  * What is read and written at random are the bits, with a count for each word of them (two bits an id of the range), and
  * four bytes a vertex: where a pane has 100,000 vertices out of a million ids, 650 KB, which the caches of a core hold,
  * while tables of ids, or an array over the range, take several times as much. About half of the time of a
  * [[HashedForest]].
  *
  * The few ids outside have numbers after those of the range, as an interner gives them. Memory: eight bytes for each edge
  * that waits, or up to 32 a vertex. It is used for one pane after the other: [[result]] and [[drainTo]] leave it empty.
  */
final class RangedForest private[forests] (private[forests] val range: IdRange) extends IdForest {
  import RangedForest._

  // Offsets in the range; then those of others.
  private val room = math.max(FewOthers, range.length >> 3)
  private var others = null: LongInterner
  // Two words for every 64 offsets: a bit for each that is a vertex, and how many there are before these. Zeros, unless
  // the edges that wait have been counted.
  private val ranks = new Array[Long](2 * ((range.length + room >> 6) + 1))

  // How many vertices there are; negative if they have not been counted.
  private var counted = -1

  // Offsets of the ends of the edges that wait.
  private var waiting = new Array[Int](FirstEnds)
  private var end = 0

  // Of vertices by rank, once edges are joined.
  private var parents = Array.empty[Int]
  private val numbers = new Array[Int](Batch)

  override def size: Int = {
    if (counted < 0) counted = rank()
    counted
  }

  override def weight: Int =
    ((waiting.length + parents.length + numbers.length + 2 * ranks.length) >> 4) + othersCount

  /** Whether there is room for the ends of some more edges, as far as they are outside of the range. */
  def hasRoomFor(ends: Array[Long], count: Int): Boolean =
    othersCount + count <= room || othersCount + countOutside(ends, count) <= room

  private def countOutside(ends: Array[Long], count: Int): Int = {
    var outside = 0
    var i = 0
    while (i < count) {
      if (range.offsetOf(ends(i)) < 0) outside += 1
      i += 1
    }
    outside
  }

  private def othersCount: Int = if (others == null) 0 else others.size

  /** At most as many ends as there is room for. */
  override def joinAll(ends: Array[Long], count: Int): Unit = {
    forgetRanks()
    if (this.waiting.length - end < count) makeRoomFor(count)
    val waiting = this.waiting
    val first = range.first
    val length = range.length
    val to = end
    var i = 0
    while (i < count) {
      val offset = ends(i) - first
      waiting(to + i) = if (offset >= 0 && offset < length) offset.toInt else offsetOfOther(ends(i))
      i += 1
    }
    end = to + count
  }

  /** Adds the links, and a self-loop of each root without a child: no more than half of the ends that made the forest. */
  override def add(ids: Array[Long], parents: Array[Int]): Unit = {
    val isParent = new Array[Boolean](ids.length)
    var i = 0
    while (i < ids.length) {
      if (parents(i) != i) isParent(parents(i)) = true
      i += 1
    }
    val links = new Array[Long](2 * ids.length)
    var ends = 0
    i = 0
    while (i < ids.length) {
      if (parents(i) != i || !isParent(i)) {
        links(ends) = ids(i)
        links(ends + 1) = ids(parents(i))
        ends += 2
      }
      i += 1
    }
    joinAll(links, ends)
  }

  override def result(): PaneForest = {
    val components = drain()
    val vertices = components.vertices
    val first = Array.fill(1 + components.count)(-1)
    val parents = new Array[Int](vertices.length)
    var i = 0
    while (i < parents.length) {
      val component = components.ofVertex(i)
      if (first(component) < 0) first(component) = i
      parents(i) = first(component)
      i += 1
    }
    new PaneForest(vertices, parents)
  }

  override def drainTo(out: BinaryWriter): Unit = {
    val components = drain()
    val vertices = components.vertices
    EdgeSets.writeForestKind(out)
    val size = IndexSize(vertices.length, vertices.length - components.count)
    val writer = new ForestWriter(out, size, 1 + components.count)
    var i = 0
    while (i < vertices.length) {
      writer.add(vertices(i), components.ofVertex(i))
      i += 1
    }
  }

  private def forgetRanks(): Unit =
    if (counted >= 0) {
      Arrays.fill(ranks, 0L)
      counted = -1
    }

  private def offsetOfOther(id: Long): Int = {
    if (others == null) others = new LongInterner()
    range.length + others.intern(id)
  }

  /** Thins the edges that wait, if they are many, and makes more room where that leaves more than half of them. */
  private def makeRoomFor(ends: Int): Unit = {
    if (end >= FewEnds) thin()
    val wanted = 2L * end + ends
    if (wanted > waiting.length) {
      if (wanted > MostEnds) throw new IllegalStateException(s"more than $MostEnds ends of edges in a pane")
      waiting = Arrays.copyOf(waiting, math.min(MostEnds.toLong, math.max(wanted, 2L * waiting.length)).toInt)
    }
  }

  /** Puts the links of the forest in the place of its edges. */
  private def thin(): Unit = {
    val forest = result()
    add(forest.ids, forest.parents)
  }

  /** Joins the edges that wait, in [[parents]], by [[ranks]]; gives the number of vertices. */
  private def joinWaiting(): Int = {
    val count = size
    if (this.parents.length < count) this.parents = new Array[Int](count + (count >> 3))
    val parents = this.parents
    var i = 0
    while (i < count) {
      parents(i) = i
      i += 1
    }
    val waiting = this.waiting
    val ranks = this.ranks
    val numbers = this.numbers
    var from = 0
    while (from < end) {
      val length = math.min(Batch, end - from)
      i = 0
      while (i < length) {
        val offset = waiting(from + i)
        val word = offset >> 6 << 1
        numbers(i) =
          ranks(word + 1).toInt + java.lang.Long.bitCount(ranks(word) & ((1L << offset) - 1))
        i += 1
      }
      PathHalving.joinAll(parents, numbers, length)
      from += length
    }
    count
  }

  /** Fills [[ranks]] by the edges that wait; gives the number of vertices. */
  private def rank(): Int = {
    val waiting = this.waiting
    val ranks = this.ranks
    val end = this.end
    var i = 0
    while (i < end) {
      ranks(waiting(i) >> 6 << 1) |= 1L << waiting(i)
      i += 1
    }
    var count = 0
    var word = 0
    while (word < ranks.length) {
      ranks(word + 1) = count.toLong
      count += java.lang.Long.bitCount(ranks(word))
      word += 2
    }
    count
  }

  /** Empties it. */
  private def drain(): Components = {
    val size = joinWaiting()
    val components = new Components(numberComponents(size), size)
    val outside = Array.tabulate(othersCount)(others.id)
    Arrays.sort(outside)
    val below = outside.count(_ < range.first)
    // Of those, the ranks are behind all of the range.
    def takeOthers(from: Int, until: Int): Unit = (from until until).foreach { i =>
      components.add(outside(i), -parents(size - outside.length + others.find(outside(i))))
    }
    takeOthers(0, below)
    takeRange(size - outside.length, components)
    takeOthers(below, outside.length)
    forgetRanks()
    others = null
    end = 0
    components
  }

  /** Takes so many vertices of the range, which are all. */
  private def takeRange(count: Int, components: Components): Unit = {
    val parents = this.parents
    val first = range.first
    val vertices = components.vertices
    val ofVertex = components.ofVertex
    val start = components.end
    val ranks = this.ranks
    var i = 0
    var word = 0
    while (i < count) {
      var bits = ranks(word)
      val from = first + (word << 5)
      while (bits != 0 && i < count) {
        vertices(start + i) = from + java.lang.Long.numberOfTrailingZeros(bits)
        ofVertex(start + i) = -parents(i)
        bits &= bits - 1
        i += 1
      }
      word += 2
    }
    components.end = start + count
  }

  /** Puts minus the number of its component in the place of the parent of each of `size` vertices: those are known by then,
    * being smaller. Returns how many there are, which count from one on.
    */
  private def numberComponents(size: Int): Int = {
    val parents = this.parents
    var count = 0
    var i = 0
    while (i < size) {
      val parent = parents(i)
      parents(i) =
        if (parent == i) {
          count += 1
          -count
        } else parents(parent)
      i += 1
    }
    count
  }
}

private[forests] object RangedForest {

  /** Ids outside a range for which there is always room. */
  private final val FewOthers = 1024

  /** Ids that tell enough of all others. */
  private final val Sample = 1024

  /** Ends that are numbered together. */
  private final val Batch = 1024

  /** Room for the ends of edges at first. */
  private final val FirstEnds = 1 << 12

  /** Ends of edges that are not worth thinning: they take 4 MiB. */
  private final val FewEnds = 1 << 20

  /** The longest array that every JVM allocates. */
  private final val MostEnds = Int.MaxValue - 63

  /** The forest `hashed` with the range that nearly all of its ids are in; null if there is none that is dense enough.
    *
    * @param vertices  that there will be
    * @param leastPart the part of the ids of the range that these are to be
    */
  def of(hashed: HashedForest, vertices: Int, leastPart: Double): RangedForest = {
    val range = IdRange.ofNearlyAll(hashed.sample(Sample), vertices, leastPart)
    if (range.isEmpty) null
    else {
      val links = hashed.result()
      val ranged = new RangedForest(range)
      if (ranged.hasRoomFor(links.ids, links.size)) {
        ranged.add(links.ids, links.parents)
        ranged
      } else null
    }
  }

  /** Vertices by rising id, and the component of each, `1 to count`.
    *
    * @param size how many vertices there will be
    */
  private final class Components(val count: Int, size: Int) {
    val vertices = new Array[Long](size)
    val ofVertex = new Array[Int](size)
    var end = 0

    def add(vertex: Long, component: Int): Unit = {
      vertices(end) = vertex
      ofVertex(end) = component
      end += 1
    }
  }
}
