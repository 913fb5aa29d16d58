package io.github.sparkbic.index.bic

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

import io.github.sparkbic.index.{
  BinaryReader,
  BinaryWriter,
  CorruptStateException,
  IndexSize,
  PathHalving,
  VertexTable
}
import io.github.sparkbic.index.vertices.{VertexKeys, VertexNumbers}

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
    val ranks = new Ranks(vertices)
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

    out.unsigned(parts.panes.size.toLong)
    val parents = new Array[Int](ranks.numbers.length)
    Arrays.fill(parents, -1)
    parts.panes.foreach { pane =>
      val members = ranks.thin(pane, parents)
      out.unsigned(pane.offset.toLong)
      out.unsigned(members.length.toLong)
      var previous = -1
      members.foreach { vertex =>
        out.unsigned(vertex.toLong - previous - 1)
        out.signed(parents(vertex).toLong - vertex)
        if (parents(vertex) != vertex) links += 1
        previous = vertex
      }
      members.foreach(parents(_) = -1)
    }
    IndexSize(ranks.table.size, links)
  }

  def restore(perWindow: Int, in: BinaryReader): Parts = {
    val chunk = in.signed()
    val start = chunk * perWindow
    val closedPane = start + in.signed()
    val ids = VertexTable.restore(in)

    val n = ids.length
    // The last pane in which each vertex occurs, counted from the start of the chunk.
    val seen = new Array[Int](n)
    val backward = new BackwardBuffer(n)
    var v = 0
    while (v < n) {
      backward.vertexLabels(v) = in.below(perWindow.toLong, "a vertex label")
      if (backward.vertexLabels(v) > 0) backward.linkLabels(v) = in.below(perWindow.toLong, "a link label")
      if (backward.linkLabels(v) > 0) backward.parents(v) = vertexOf(v + in.signed(), n)
      seen(v) = backward.vertexLabels(v) - perWindow
      v += 1
    }
    backward.validate(perWindow).foreach(violation => throw new CorruptStateException(violation))
    backward.listMembers()

    val forward = new ForwardBuffer
    forward.reserve(n)
    val panes = Seq.fill(in.count("the number of panes")) {
      val offset = in.below(perWindow.toLong, "the offset of a pane")
      val pane = new EdgeLog(offset)
      var vertex = -1
      (0 until in.count("the number of vertices of a pane")).foreach { _ =>
        vertex = vertexOf(in.unsigned() + vertex + 1, n)
        val parent = vertexOf(vertex + in.signed(), n)
        forward.join(parent, vertex)
        pane.add(parent, vertex)
        seen(vertex) = offset
      }
      pane.foreach { (parent, _) =>
        if (seen(parent) != offset)
          throw new CorruptStateException(
            s"pane $offset of the chunk has a link to vertex $parent, which it does not hold"
          )
      }
      pane
    }
    panes.zip(panes.drop(1)).foreach { case (a, b) =>
      if (a.offset >= b.offset) throw new CorruptStateException("the panes are not in rising order")
    }
    val closed = closedPane - start
    if (closed < 0 || closed >= perWindow)
      throw new CorruptStateException(s"pane $closed of a chunk of $perWindow panes is closed")
    panes.lastOption.filter(_.offset > closed).foreach { pane =>
      throw new CorruptStateException(
        s"pane ${pane.offset} of the chunk holds edges, but only $closed is closed"
      )
    }

    // Numbers are given out in rising order, so the rank of a vertex is its number.
    val vertexKeys = new VertexKeys(ThreadLocalRandom.current().nextLong())
    v = 0
    while (v < n) {
      ids(v) = vertexKeys.keyOf(ids(v))
      seen(v) += start.toInt
      v += 1
    }
    val vertices = VertexNumbers.of(vertexKeys, BicIndex.firstOf(perWindow, closedPane).toInt, ids, seen)
    new Parts(chunk, closedPane, vertices, forward, backward, panes)
  }

  private def vertexOf(rank: Long, n: Int): Int = {
    if (rank < 0 || rank >= n) throw new CorruptStateException(s"a link to vertex $rank of $n")
    rank.toInt
  }

  /** The vertices that windows to come may hold, ranked by id. */
  private final class Ranks(vertices: VertexNumbers) {
    private val ids = new Array[Long](vertices.size)
    private val inOrderOfIds = new Array[Int](vertices.size)
    private var count = 0
    vertices.foreach(vertices.floor) { (id, number) =>
      ids(count) = id
      inOrderOfIds(count) = number
      count += 1
    }

    val table = new VertexTable(Arrays.copyOf(ids, count))

    /** Vertex numbers in the order of their ranks. */
    val numbers = new Array[Int](count)
    private val ofNumber = new Array[Int](vertices.top)
    count = 0
    while (count < numbers.length) {
      val number = inOrderOfIds(count)
      numbers(table.rankAt(count)) = number
      ofNumber(number) = table.rankAt(count)
      count += 1
    }

    def of(number: Int): Int = ofNumber(number)

    /** The ranks of the vertices of a pane in rising order. Their forest is put into `parents`, -1 for others; every link
      * leads to a root, so that the forest of a restored pane is the same.
      */
    def thin(pane: EdgeLog, parents: Array[Int]): Array[Int] = {
      var members = new Array[Int](16)
      var count = 0
      def enter(number: Int): Int = {
        val v = ofNumber(number)
        if (parents(v) < 0) {
          parents(v) = v
          if (count == members.length) members = Arrays.copyOf(members, count * 2)
          members(count) = v
          count += 1
        }
        v
      }
      pane.foreach { (a, b) =>
        val u = PathHalving.root(parents, enter(a))
        val v = PathHalving.root(parents, enter(b))
        parents(v) = u
      }
      members = Arrays.copyOf(members, count)
      members.foreach(v => parents(v) = PathHalving.root(parents, v))
      // Looking through all vertices takes about as long as sorting a hundredth of them.
      if (count < parents.length / 64) Arrays.sort(members)
      else {
        count = 0
        var v = 0
        while (v < parents.length) {
          if (parents(v) >= 0) {
            members(count) = v
            count += 1
          }
          v += 1
        }
      }
      members
    }
  }
}
