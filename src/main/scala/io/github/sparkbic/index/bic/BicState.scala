package io.github.sparkbic.index.bic

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

import io.github.sparkbic.index.{
  BinaryReader,
  BinaryWriter,
  CorruptStateException,
  ForestReader,
  FormatVersion,
  IndexSize,
  PaneForest,
  Panes,
  VertexTable
}
import io.github.sparkbic.index.vertices.{VertexKeys, VertexNumbers}

/** What a restart of a [[BicIndex]] needs: the labelled links of the backward buffer and the pane forests of the chunk.
  *
  * {{{
  * chunk: signed, closed pane − first pane of the chunk: signed
  * vertices in rising order (VertexTable), n of them
  * n × backward vertex: vertex label [, link label [, parent − vertex: signed]]   (each only if the one before is not 0)
  * number of panes, each: offset, and the forest of its vertices (ForestWriter)
  * }}}
  *
  * A vertex here is its rank among the ids. Snapshots that no window will ask for any more are left out, so the part of
  * the backward buffer shrinks as the window moves through the chunk. The vertex label is the last pane of the chunk
  * before in which a vertex occurs; of one that occurs in this chunk too, the label of the newest link at it, if it has
  * one. About four bytes a link for dense ids, of which a live vertex may have several.
  */
private[bic] object BicState {

  final class Parts(
      val chunk: Long,
      val closedPane: Long,
      val vertices: VertexNumbers,
      val forward: ForwardBuffer,
      val backward: BackwardBuffer,
      val panes: Seq[EdgeLog]
  )

  def save(out: BinaryWriter, perWindow: Int, parts: Parts): IndexSize = {
    import parts.{backward, chunk, closedPane, vertices}
    var links = 0
    // The window that ended with the closed pane is the first that may still be asked for.
    val first = closedPane - chunk * perWindow + 1
    val ranks = new VertexRanks(vertices)
    out.signed(chunk)
    out.signed(closedPane - chunk * perWindow)
    ranks.table.save(out)

    links += saveBackward(out, backward, first, ranks, (chunk * perWindow).toInt - perWindow, perWindow)

    out.unsigned(parts.panes.size.toLong)
    val saver = new PaneSaver(ranks, out, parts.panes.iterator.map(_.size).maxOption.getOrElse(0))
    parts.panes.foreach { pane =>
      out.unsigned(pane.offset.toLong)
      links += saver.save(pane)
    }
    IndexSize(ranks.table.size, links)
  }

  /** First collected, then written: a loop without branches waits for many cache lines at once, where the lengths of the
    * numbers written would have it wait for one after the other. Returns the number of links.
    */
  private def saveBackward(
      out: BinaryWriter,
      backward: BackwardBuffer,
      first: Long,
      ranks: VertexRanks,
      start: Int,
      perWindow: Int
  ): Int = {
    val count = ranks.table.size
    val labels = new Array[Int](count)
    val linkLabels = new Array[Int](count)
    val parents = new Array[Int](count)
    var rank = 0
    while (rank < count) {
      val v = ranks.number(rank)
      val seen = ranks.seen(rank) - start
      if (seen < perWindow) labels(rank) = seen
      if (v < backward.size && backward.linkLabels(v) >= first) {
        linkLabels(rank) = backward.linkLabels(v)
        parents(rank) = backward.parents(v)
      }
      rank += 1
    }
    rank = 0
    while (rank < count) {
      val label = linkLabels(rank)
      if (label > 0) {
        val parent = ranks.of(parents(rank))
        parents(rank) = parent
        labels(rank) = math.max(labels(rank), label)
        labels(parent) = math.max(labels(parent), label)
      }
      rank += 1
    }
    var links = 0
    rank = 0
    while (rank < count) {
      out.unsigned(labels(rank).toLong)
      if (labels(rank) > 0) {
        out.unsigned(linkLabels(rank).toLong)
        if (linkLabels(rank) > 0) {
          out.signed(parents(rank).toLong - rank)
          links += 1
        }
      }
      rank += 1
    }
    links
  }

  def restore(perWindow: Int, in: BinaryReader, smallestRanged: Int): Parts = {
    val chunk = in.signed()
    val start = chunk * perWindow
    val closedPane = start + in.signed()
    val ids = VertexTable.restore(in)

    val n = ids.length
    // The last pane in which each vertex occurs: first of the chunk before, then counted from the start of this one.
    val seen = new Array[Int](n)
    val backward = restoreBackward(in, n, perWindow, seen)
    var v = 0
    while (v < n) {
      seen(v) -= perWindow
      v += 1
    }

    val forward = new ForwardBuffer
    forward.reserve(n)
    val panes = Seq.fill(in.count("the number of panes")) {
      val pane = new EdgeLog(in.below(perWindow.toLong, "the offset of a pane"))
      restorePane(in, n, pane, forward, seen)
      pane
    }
    requireInChunk(panes, closedPane - start, perWindow)

    // Numbers are given out in rising order, so the rank of a vertex is its number.
    val vertexKeys = new VertexKeys(ThreadLocalRandom.current().nextLong())
    v = 0
    while (v < n) {
      seen(v) += start.toInt
      v += 1
    }
    val floor = Panes.firstOf(perWindow, closedPane).toInt
    val vertices = VertexNumbers.of(vertexKeys, floor, ids, seen, smallestRanged)
    new Parts(chunk, closedPane, vertices, forward, backward, panes)
  }

  /** @param vertexLabels filled with the labels of the vertices */
  private def restoreBackward(
      in: BinaryReader,
      n: Int,
      perWindow: Int,
      vertexLabels: Array[Int]
  ): BackwardBuffer = {
    val backward = new BackwardBuffer(perWindow, n)
    var v = 0
    while (v < n) {
      vertexLabels(v) = in.below(perWindow.toLong, "a vertex label")
      if (vertexLabels(v) > 0) backward.linkLabels(v) = in.below(perWindow.toLong, "a link label")
      if (backward.linkLabels(v) > 0) backward.parents(v) = vertexOf(v + in.signed(), n)
      v += 1
    }
    requireLabels(backward, vertexLabels)
    backward.validate().foreach(violation => throw new CorruptStateException(violation))
    backward.listMembers()
    backward
  }

  /** A link is of a snapshot that contains both its ends. */
  private def requireLabels(backward: BackwardBuffer, vertexLabels: Array[Int]): Unit =
    vertexLabels.indices.foreach { v =>
      val link = backward.linkLabels(v)
      if (link > vertexLabels(v))
        throw new CorruptStateException(s"link label $link of a vertex labelled ${vertexLabels(v)}")
      if (link > 0 && vertexLabels(backward.parents(v)) < link)
        throw new CorruptStateException("a link to a vertex of a later snapshot")
    }

  /** Adds the links of a pane's forest to the pane and to the forward buffer, and notes where its vertices were seen. */
  private def restorePane(
      in: BinaryReader,
      n: Int,
      pane: EdgeLog,
      forward: ForwardBuffer,
      seen: Array[Int]
  ): Unit = {
    val forest =
      if (in.version < FormatVersion.WithComponents) readLinks(in, n) else ForestReader.read(in)
    var i = 0
    while (i < forest.size) {
      val vertex = vertexOf(forest.ids(i), n)
      val parent = vertexOf(forest.ids(forest.parents(i)), n)
      forward.join(parent, vertex)
      pane.add(parent, vertex)
      seen(vertex) = pane.offset
      i += 1
    }
  }

  /** @param closed the pane closed last, counted from the start of the chunk */
  private def requireInChunk(panes: Seq[EdgeLog], closed: Long, perWindow: Int): Unit = {
    panes.zip(panes.drop(1)).foreach { case (a, b) =>
      if (a.offset >= b.offset) throw new CorruptStateException("the panes are not in rising order")
    }
    if (closed < 0 || closed >= perWindow)
      throw new CorruptStateException(s"pane $closed of a chunk of $perWindow panes is closed")
    panes.lastOption.filter(_.offset > closed).foreach { pane =>
      throw new CorruptStateException(
        s"pane ${pane.offset} of the chunk holds edges, but only $closed is closed"
      )
    }
  }

  /** A pane of the chunk before components were saved: how many vertices, and for each, by rising number, vertex −
    * previous vertex − 1 and parent − vertex, signed.
    */
  private def readLinks(in: BinaryReader, n: Int): PaneForest = {
    val vertices = new Array[Long](in.count("the number of vertices of a pane"))
    val parents = new Array[Long](vertices.length)
    var vertex = -1
    var i = 0
    while (i < vertices.length) {
      vertex = vertexOf(in.unsigned() + vertex + 1, n)
      vertices(i) = vertex
      parents(i) = vertex + in.signed()
      i += 1
    }
    new PaneForest(
      vertices,
      parents.map { parent =>
        val place = Arrays.binarySearch(vertices, parent)
        if (place < 0)
          throw new CorruptStateException(
            s"a pane of the chunk has a link to vertex $parent, which it does not hold"
          )
        place
      }
    )
  }

  private def vertexOf(rank: Long, n: Int): Int = {
    if (rank < 0 || rank >= n) throw new CorruptStateException(s"a link to vertex $rank of $n")
    rank.toInt
  }
}
