package io.github.sparkbic.index

import java.util.Arrays

/** A spanning forest of some edges of one pane: what is left of them for the question of connectivity.
  *
  * Vertex `ids(i)` is linked to vertex `ids(parents(i))`; a root is its own parent. The links need not be edges of the
  * input, but join exactly the vertices that those joined, so any union of panes keeps its components. A vertex that
  * only has self-loops is a root without children. At most (vertices − 1) links, however many edges came in.
  */
final class PaneForest(val ids: Array[Long], val parents: Array[Int]) extends EdgeSet {
  require(ids.length == parents.length, s"${ids.length} vertices, but ${parents.length} parents")

  override def size: Int = ids.length

  /** The vertices that are no roots. */
  override def links: Int = {
    var count = 0
    var i = 0
    while (i < parents.length) {
      if (parents(i) != i) count += 1
      i += 1
    }
    count
  }

  override def insertInto(index: ConnectivityIndex, pane: Long): Unit = index.insert(pane, this)

  override def addTo(forest: PaneForestBuilder): Unit = forest.add(this)

  override def vertices(visit: Long => Unit): Unit = ids.foreach(visit)

  override def renumbered(numbers: Array[Long]): PaneForest = renumbered(position => numbers(position.toInt))

  /** The same forest of other vertices. */
  def renumbered(number: Long => Long): PaneForest = {
    val others = new Array[Long](size)
    var i = 0
    while (i < others.length) {
      others(i) = number(ids(i))
      i += 1
    }
    new PaneForest(others, parents)
  }

  /** Whether every vertex leads to a root; O(vertices). */
  def isAcyclic: Boolean = {
    // A vertex is marked with the walk that first came by.
    val walks = new Array[Int](size)
    (0 until size).forall { v =>
      var x = v
      while (walks(x) == 0 && parents(x) != x) {
        walks(x) = v + 1
        x = parents(x)
      }
      walks(x) != v + 1
    }
  }

  override protected def expectedBytes: Int = 16 + 2 * size

  override private[index] def check(): Unit = ()

  /** Appends the components of the forest ([[ForestWriter]]), for a shuffle and for the state: about 13 to 23 ns a vertex,
    * and a byte and a half if most are in one component and numbers are dense. The links are others when they are read.
    */
  override def save(out: BinaryWriter): Unit = {
    val sort = RadixSort(ids)
    val above = parents.clone()
    val writer = new ForestWriter(out, size)
    out.unsigned(EdgeSet.Forest.toLong)
    writer.begin(IndexSize(size, links))
    var i = 0
    while (i < size) {
      writer.add(sort.sorted(i), PathHalving.root(above, sort.order(i)))
      i += 1
    }
  }
}

/** Builds a [[PaneForest]] from edges in any order: a [[NumberedForest]] over interned ids.
  *
  * Edges wait for one another, to be looked up together. A forest of a few edges is nothing but these until it is asked
  * for, which is what makes a hundred thousand graphs cheap.
  *
  * About 30 ns an edge; 16 bytes an edge that waits, 12 to 60 bytes a vertex; no allocation but when it grows. Not thread
  * safe.
  *
  * @param expected vertices, if known
  * @param waiting  edges that may wait; as long as no more came, they can be had as they are, at hardly a cost
  */
final class PaneForestBuilder(expected: Int = 0, waiting: Int = PaneForestBuilder.Batch / 2) {
  import PaneForestBuilder.{Batch, FirstBatch, MaxWaiting}

  // Made when the first edges are looked up.
  private var interner = null: LongInterner
  private var tree = null: NumberedForest

  // The ends of the edges that wait, and their numbers.
  private var batch = new Array[Long](if (expected > Batch) Batch else FirstBatch)
  private var numbers = null: Array[Int]
  private var ends = 0
  private val maxEnds = 2 * math.min(math.max(waiting, Batch / 2), MaxWaiting)

  /** Distinct vertices so far, but for those of the edges that wait. */
  def size: Int = if (interner == null) 0 else interner.size

  /** The memory that this takes, in vertices of some 60 bytes. */
  def weight: Int = size + (batch.length >> 3)

  /** Whether all edges so far wait, so that [[waitingEdges]] has them. */
  def isWaiting: Boolean = interner == null

  /** The edges that wait. */
  def waitingEdges: LooseEdges = LooseEdges.of(batch, ends)

  /** The same with positions for their ids. */
  def waitingEdges(position: Long => Int): LooseEdges = LooseEdges.of(batch, ends, position)

  def add(src: Long, dst: Long): Unit = {
    val at = ends
    batch(at) = src
    batch(at + 1) = dst
    ends = at + 2
    if (at + 2 == batch.length) {
      if (batch.length < maxEnds) batch = Arrays.copyOf(batch, math.min(maxEnds, 2 * batch.length))
      else flush()
    }
  }

  def add(forest: PaneForest): Unit = {
    flush()
    val numbers = new Array[Int](forest.size)
    numberAll(forest.ids, numbers, numbers.length)
    var i = 0
    while (i < numbers.length) {
      tree.join(numbers(i), numbers(forest.parents(i)))
      i += 1
    }
  }

  /** The forest so far, every vertex linked to the root of its tree. */
  def result(): PaneForest = {
    flush()
    new PaneForest(interner.toArray, tree.roots)
  }

  /** Takes the edges that wait into the forest. */
  private def flush(): Unit = {
    val count = ends
    ends = 0
    if (interner == null) {
      val vertices = math.max(expected, count)
      interner = new LongInterner(vertices)
      tree = new NumberedForest(vertices)
    }
    if (numbers == null || numbers.length < count) numbers = new Array[Int](batch.length)
    val found = numbers
    numberAll(batch, found, count)
    var i = 0
    while (i < count) {
      tree.join(found(i), found(i + 1))
      i += 2
    }
  }

  private def numberAll(ids: Array[Long], numbers: Array[Int], count: Int): Unit = {
    val interner = this.interner
    var from = 0
    while (from < count) {
      val until = math.min(count, from + Batch)
      interner.internAll(ids, from, until, numbers)
      from = until
    }
    tree.enlargeTo(interner.size)
  }
}

private object PaneForestBuilder {

  /** Ends that are looked up together, and room for them at first. */
  private final val Batch = 256
  private final val FirstBatch = 8

  /** Edges that may wait at most: 128 MiB. */
  private final val MaxWaiting = 1 << 23
}
