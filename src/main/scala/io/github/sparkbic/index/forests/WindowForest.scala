package io.github.sparkbic.index.forests

import io.github.sparkbic.index.contract.{IndexSize, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** The maximum spanning forest, by pane, of all edges that windows to come may hold: the saved form of every index.
  *
  * Vertex `ids(i)` was last seen in pane `seen(i)`. Where `parents(i)` is not negative, a link of pane `panes(i)`
  * joins the vertex with vertex `ids(parents(i))`. For every pane `p` held, edges of panes `p` and later join two
  * vertices iff links of panes `p` and later do. So the forest answers every window to come, with at most (vertices −
  * 1) links. No link is newer than the panes in which its ends were last seen.
  *
  * Panes are the low 32 bits of pane numbers, of which the last `perWindow` up to `closed` are held.
  * [[io.github.sparkbic.index.format.StateLayout StateLayout]] draws the bytes.
  *
  * @param closed the pane closed last
  * @param ids    rising
  */
private[index] final class WindowForest(
    val closed: Long,
    val ids: Array[Long],
    val seen: Array[Int],
    val parents: Array[Int],
    val panes: Array[Int]
) {

  def size: Int = ids.length

  /** The newest pane with an edge, or `Long.MinValue`. */
  def newestEdge: Long =
    if (seen.isEmpty) Long.MinValue
    else {
      val last = closed.toInt
      var least = Int.MaxValue
      seen.foreach(pane => least = math.min(least, last - pane))
      closed - least
    }

  def save(out: BinaryWriter): IndexSize = {
    out.signed(closed)
    out.unsigned(size.toLong)
    var i = 0
    while (i < size) {
      if (i == 0) out.signed(ids(0)) else out.unsigned(ids(i) - ids(i - 1))
      i += 1
    }
    val last = closed.toInt
    var links = 0
    i = 0
    while (i < size) {
      out.unsigned((last - seen(i)).toLong)
      if (parents(i) < 0) out.unsigned(0)
      else {
        out.unsigned((last - panes(i)).toLong + 1)
        out.signed(parents(i).toLong - i)
        links += 1
      }
      i += 1
    }
    IndexSize(size, links)
  }
}

private[index] object WindowForest {

  /** The forest that [[WindowForest.save]] wrote; anything else is refused. */
  def restore(perWindow: Int, in: BinaryReader): WindowForest = {
    val closed = in.signed()
    val count = in.count("the number of vertices")
    val ids = new Array[Long](count)
    var i = 0
    while (i < count) {
      if (i == 0) ids(0) = in.signed()
      else {
        ids(i) = ids(i - 1) + in.unsigned()
        requireRising(ids(i - 1), ids(i))
      }
      i += 1
    }
    val last = closed.toInt
    val held = closed - Panes.firstOf(perWindow, closed) + 1
    val seen = new Array[Int](count)
    val parents = new Array[Int](count)
    val panes = new Array[Int](count)
    i = 0
    while (i < count) {
      seen(i) = last - in.below(held, "the age of a vertex")
      val age = in.below(held + 1, "the age of a link")
      if (age == 0) parents(i) = -1
      else {
        val parent = i + in.signed()
        if (parent < 0 || parent >= count || parent == i)
          throw new CorruptStateException(s"a link from vertex $i of $count to vertex $parent")
        parents(i) = parent.toInt
        panes(i) = last - (age - 1)
      }
      i += 1
    }
    requireSeen(seen, parents, panes)
    new WindowForest(closed, ids, seen, parents, panes)
  }

  def requireRising(id: Long, next: Long): Unit =
    if (next <= id)
      throw new CorruptStateException(s"vertex $next comes after vertex $id, not in rising order")

  private def requireSeen(seen: Array[Int], parents: Array[Int], panes: Array[Int]): Unit = {
    var i = 0
    while (i < parents.length) {
      if (parents(i) >= 0 && (seen(i) - panes(i) < 0 || seen(parents(i)) - panes(i) < 0))
        throw new CorruptStateException(s"the link of vertex $i is newer than one of its ends")
      i += 1
    }
  }
}
