package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.contract.{EdgeSet, EdgeSink, IndexSize}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, StateLayout}
import io.github.sparkbic.index.format.BinaryFormat.{unzigzag, zigzag}
import io.github.sparkbic.index.format.StateLayout.SliceEdges
import io.github.sparkbic.index.kernels.RadixSort

/** All edges of a pane, sorted: for a pane of which a [[PaneForest]] would keep nearly all edges.
  *
  * Trade-off: loose edges cost a sort by the source; a forest costs two look-ups and a union an edge, and drops edges.
  * [[io.github.sparkbic.index.format.StateLayout StateLayout]] draws the layout of the bytes.
  *
  * Sources rise within a run of 2^18^ edges, and targets of a source rise too, so the bytes of a run do not depend on the
  * order of its edges: Spark compares the output of a repeated task, whose rows may come in another order.
  *
  * @param sources  distinct sources, counted anew in each run
  * @param pairs    the edges, in bytes
  * @param numbers  the vertices, if the edges hold positions in this array; else null
  */
final class LooseEdges private (
    val count: Int,
    val sources: Int,
    private var pairs: Array[Byte],
    private var numbers: Array[Long]
) extends EdgeSet {

  /** Sources, and a target for each edge: an upper bound. */
  override def size: Int = LooseEdges.size(count, sources)

  override def links: Int = count

  /** A lower bound on the number of vertices: a source of several runs counts in each of them. */
  def leastVertices: Int = sources / math.max(1, (count + LooseEdges.Run - 1) / LooseEdges.Run)

  override def renumbered(numbers: Array[Long]): LooseEdges = {
    require(this.numbers == null, "the edges have been renumbered")
    new LooseEdges(count, sources, pairs, numbers)
  }

  /** Renumbered edges are sorted anew, once: the state saves a pane with each micro-batch until the pane closes. */
  override def save(out: BinaryWriter): Unit = {
    if (numbers != null) {
      pairs = sortedPairs
      numbers = null
    }
    out.unsigned(StateLayout.Loose.toLong)
    out.unsigned(count.toLong)
    out.unsigned(sources.toLong)
    out.unsigned(pairs.length.toLong)
    out.raw(pairs)
  }

  private def sortedPairs: Array[Byte] = {
    val ends = new Array[Long](2 * count)
    var length = 0
    EdgeSets.foreachVertex(this) { vertex =>
      ends(length) = vertex
      length += 1
    }
    LooseEdges.of(ends, length).pairs
  }

  /** Gives all edges to `sink`; refuses bytes that cannot be read to their end. */
  override def feed(sink: EdgeSink): Unit = {
    val in = new BinaryReader(pairs)
    val most = math.min(SliceEdges, count)
    val ends = new Array[Long](2 * most)
    val sources, targets = new Array[Long](most)
    var source = if (count > 0) in.signed() else 0L
    var left = count
    while (left > 0) {
      val length = math.min(SliceEdges, left)
      in.column(sources, length)
      in.column(targets, length)
      var i = 0
      while (i < length) {
        source += sources(i)
        val target = source + unzigzag(targets(i))
        ends(2 * i) = if (numbers == null) source else numbers(source.toInt)
        ends(2 * i + 1) = if (numbers == null) target else numbers(target.toInt)
        i += 1
      }
      sink.addEdges(ends, 2 * length)
      left -= length
    }
    in.expectEnd()
  }
}

object LooseEdges {

  /** Bytes of an edge, for a first guess. */
  private final val UsualBytes = 6

  /** Edges that are sorted together: a bound on the memory of a sort, some 10 MB. */
  private[forests] final val Run = 1 << 18

  /** @param ends source and target of each edge, one after the other, of which the first `length` are taken */
  def of(ends: Array[Long], length: Int): LooseEdges = {
    val count = length / 2
    val out = new BinaryWriter(math.min(UsualBytes * count.toLong, BinaryWriter.MaxSize.toLong).toInt)
    var sources = 0
    var last = 0L
    var from = 0
    while (from < count) {
      val run = new Array[Long](math.min(Run, count - from))
      var i = 0
      while (i < run.length) {
        run(i) = ends(2 * (from + i))
        i += 1
      }
      val sort = RadixSort(run)
      val sorted = sort.sorted
      if (from == 0) {
        last = sorted(0)
        out.signed(last)
      }
      val targets = new Array[Long](run.length)
      i = 0
      while (i < run.length) {
        targets(i) = ends(2 * (from + sort.order(i)) + 1)
        i += 1
      }
      i = 0
      while (i < run.length) {
        val source = sorted(i)
        var until = i + 1
        while (until < run.length && sorted(until) == source) until += 1
        if (until > i + 1) Arrays.sort(targets, i, until)
        sources += 1
        while (i < until) {
          targets(i) = zigzag(targets(i) - source)
          sorted(i) = source - last
          last = source
          i += 1
        }
      }
      i = 0
      while (i < run.length) {
        val until = math.min(i + SliceEdges, run.length)
        out.column(sorted, i, until)
        // At least a byte an edge, so that no damaged count is beyond the bytes.
        out.column(targets, i, until, least = 1)
        i = until
      }
      from += run.length
    }
    new LooseEdges(count, sources, out.toBytes, null)
  }

  /** The same with positions for ids. */
  def of(ends: Array[Long], length: Int, position: Long => Int): LooseEdges = {
    val positions = new Array[Long](length)
    Arrays.setAll(positions, (i: Int) => position(ends(i)).toLong)
    of(positions, length)
  }

  /** Reads the bytes of [[LooseEdges.save]] behind the kind. */
  private[forests] def read(in: BinaryReader): LooseEdges = {
    val (count, sources) = readHead(in)
    new LooseEdges(count, sources, in.raw(in.count("the length of loose edges")), null)
  }

  /** Without reading the rest. */
  private[forests] def readSize(in: BinaryReader): IndexSize = {
    val (count, sources) = readHead(in)
    IndexSize(size(count, sources), count)
  }

  private def readHead(in: BinaryReader): (Int, Int) = {
    val count = in.count("the number of loose edges")
    (count, in.below(count + 1L, "the number of sources"))
  }

  private def size(count: Int, sources: Int): Int =
    math.min(sources.toLong + count, Int.MaxValue.toLong).toInt
}
