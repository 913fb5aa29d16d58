package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.{
  BinaryReader,
  BinaryWriter,
  CorruptStateException,
  IndexSize,
  LongInterner,
  VertexTable
}

/** What a restart of a [[BicIndex]] needs: the labelled links of the backward buffer and the pane forests of the chunk.
  *
  * {{{
  * chunk: signed, closed pane − first pane of the chunk: signed
  * vertices in rising order (VertexTable), n of them
  * n × backward vertex: vertex label [, link label [, parent − vertex: signed]]   (each only if the one before is not 0)
  * number of panes, each: offset, number of vertices, and for each vertex in rising order
  *   vertex − previous vertex − 1, parent − vertex: signed
  * }}}
  *
  * A vertex here is its rank among the ids. Snapshots that no window will ask for any more are left out, so the part of
  * the backward buffer shrinks as the window moves through the chunk. About 5 to 8 bytes a link for dense ids.
  */
private[bic] object BicState {

  final class Saved(
      val chunk: Long,
      val closedPane: Long,
      val interner: LongInterner,
      val backward: BackwardBuffer,
      val panes: Seq[ChunkPane]
  )

  def save(
      out: BinaryWriter,
      perWindow: Int,
      chunk: Long,
      closedPane: Long,
      interner: LongInterner,
      backward: BackwardBuffer,
      panes: Seq[ChunkPane]
  ): IndexSize = {
    var links = 0
    // The window that ended with the closed pane is the first that may still be asked for.
    val first = closedPane - chunk * perWindow + 1
    val ranks = new Ranks(interner, v => first < perWindow && backward.contains(v, first.toInt), panes)
    out.signed(chunk)
    out.signed(closedPane - chunk * perWindow)
    ranks.table.save(out)

    ranks.numbers.foreach { v =>
      if (first >= perWindow || !backward.contains(v, first.toInt)) out.unsigned(0)
      else {
        out.unsigned(backward.vertexLabels(v).toLong)
        if (backward.linkLabels(v) < first) out.unsigned(0)
        else {
          out.unsigned(backward.linkLabels(v).toLong)
          out.signed(ranks.of(backward.parents(v)).toLong - ranks.of(v))
          links += 1
        }
      }
    }

    out.unsigned(panes.size.toLong)
    panes.foreach { pane =>
      out.unsigned(pane.offset.toLong)
      out.unsigned(pane.vertices.length.toLong)
      var previous = -1
      ranks.sortedLinks(pane).foreach { link =>
        val vertex = (link >>> 32).toInt
        out.unsigned(vertex.toLong - previous - 1)
        out.signed(link.toInt.toLong - vertex)
        if (link.toInt != vertex) links += 1
        previous = vertex
      }
    }
    IndexSize(ranks.table.size, links)
  }

  def restore(perWindow: Int, in: BinaryReader): Saved = {
    val chunk = in.signed()
    val closedPane = chunk * perWindow + in.signed()
    val ids = VertexTable.restore(in)
    val interner = new LongInterner(ids.length)
    ids.foreach(interner.intern)

    val n = ids.length
    val backward = new BackwardBuffer(new Array[Int](n), new Array[Int](n), new Array[Int](n))
    (0 until n).foreach { v =>
      backward.vertexLabels(v) = in.below(perWindow.toLong, "a vertex label")
      if (backward.vertexLabels(v) > 0) backward.linkLabels(v) = in.below(perWindow.toLong, "a link label")
      if (backward.linkLabels(v) > 0) backward.parents(v) = vertexOf(v + in.signed(), n)
    }
    backward.validate(perWindow).foreach(violation => throw new CorruptStateException(violation))

    // The last pane that holds a vertex, by its offset plus one.
    val heldBy = new Array[Int](n)
    val panes = Seq.fill(in.count("the number of panes")) {
      val offset = in.below(perWindow.toLong, "the offset of a pane")
      val vertices = new Array[Int](in.count("the number of vertices of a pane"))
      val parents = new Array[Int](vertices.length)
      var previous = -1
      vertices.indices.foreach { i =>
        vertices(i) = vertexOf(in.unsigned() + previous + 1, n)
        parents(i) = vertexOf(vertices(i) + in.signed(), n)
        previous = vertices(i)
        heldBy(vertices(i)) = offset + 1
      }
      parents.find(heldBy(_) != offset + 1).foreach { v =>
        throw new CorruptStateException(
          s"pane $offset of the chunk has a link to vertex $v, which it does not hold"
        )
      }
      new ChunkPane(offset, vertices, parents)
    }
    panes.zip(panes.drop(1)).foreach { case (a, b) =>
      if (a.offset >= b.offset) throw new CorruptStateException("the panes are not in rising order")
    }
    val closed = closedPane - chunk * perWindow
    if (closed < 0 || closed >= perWindow)
      throw new CorruptStateException(s"pane $closed of a chunk of $perWindow panes is closed")
    panes.lastOption.filter(_.offset > closed).foreach { pane =>
      throw new CorruptStateException(
        s"pane ${pane.offset} of the chunk holds edges, but only $closed is closed"
      )
    }
    new Saved(chunk, closedPane, interner, backward, panes)
  }

  private def vertexOf(rank: Long, n: Int): Int = {
    if (rank < 0 || rank >= n) throw new CorruptStateException(s"a link to vertex $rank of $n")
    rank.toInt
  }

  /** The vertices that are saved, ranked by id. */
  private final class Ranks(interner: LongInterner, inBackward: Int => Boolean, panes: Seq[ChunkPane]) {
    private val kept = new Array[Boolean](interner.size)
    panes.foreach(_.vertices.foreach(v => kept(v) = true))
    kept.indices.foreach(v => if (inBackward(v)) kept(v) = true)

    val table: VertexTable = {
      val numbers = kept.indices.filter(kept(_))
      val ids = new Array[Long](numbers.size)
      var i = 0
      numbers.foreach { v =>
        ids(i) = interner.id(v)
        i += 1
      }
      new VertexTable(ids)
    }

    private val ofNumber = Array.tabulate(interner.size)(v => if (kept(v)) table.rank(interner.id(v)) else -1)

    /** Vertex numbers in the order of their ranks. */
    val numbers: Array[Int] = {
      val byRank = new Array[Int](table.size)
      ofNumber.indices.foreach(v => if (kept(v)) byRank(ofNumber(v)) = v)
      byRank
    }

    def of(number: Int): Int = ofNumber(number)

    /** The links of a pane as `vertex << 32 | parent`, in ranks, in rising order. */
    def sortedLinks(pane: ChunkPane): Array[Long] = {
      val links = new Array[Long](pane.vertices.length)
      var i = 0
      while (i < links.length) {
        links(i) = of(pane.vertices(i)).toLong << 32 | of(pane.parents(i))
        i += 1
      }
      Arrays.sort(links)
      links
    }
  }
}
