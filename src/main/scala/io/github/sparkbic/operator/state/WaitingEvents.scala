package io.github.sparkbic.operator.state

import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.KeptMagic
import io.github.sparkbic.operator.block.NameColumn

/** The events of one graph that wait until the watermark has reached their pane, as the blocks in which they came.
  *
  * In the layout `value` they are saved with the graph. In the layout `panes` a micro-batch writes a part for each pane of
  * which it brought events, and forgets them; a part is read and removed when its pane is due. So the writes follow the new
  * events, and the memory of a live graph does not grow with those that wait. Parts are never united, since no event would
  * be dropped by that: a pane has at most as many parts as it has micro-batches.
  *
  * @param place by [[StatePlace.graph]]
  */
private[operator] final class WaitingEvents(place: Int = 0, variables: => GraphVariables = null)
    extends KeptPart {

  // Numbers from zero on are those of edges.
  private[state] val parts =
    new PaneParts(KeptMagic, place, variables, "the waiting events of ", 1, Int.MaxValue)(-1 - _)
  // The blocks that no part holds.
  private val blocks = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[Array[Byte]]]
  // What the columns of the events are, by which their bytes are read; empty until an event has been read or added.
  private var columns = ""

  /** Refuses a query whose events have other columns than those that wait. */
  def requireColumns(own: String): Unit = {
    // All events that wait have the same columns, so the first part tells them.
    if (columns.isEmpty) parts.panes.keys.headOption.foreach(parts.read(_)(readBlocks).next())
    if (first.nonEmpty && columns != own)
      throw new CorruptStateException(
        s"events with the columns $columns wait in it, but the events of the query have $own",
        CorruptStateException.OtherQuery
      )
    columns = own
  }

  def add(pane: Long, events: Array[Byte]): Unit =
    blocks.getOrElseUpdate(pane, new mutable.ArrayBuffer[Array[Byte]](1)) += events: Unit

  /** The first pane with an event. */
  def first: Option[Long] = (parts.panes.headOption ++ blocks.headOption).map(_._1).reduceOption(_ min _)

  /** Removes the events of the panes up to `horizon`, and gives them by rising pane. */
  def take(horizon: Long): Iterator[(Long, Array[Byte])] = {
    val due = Seq(parts.panes, blocks).flatMap(_.keysIterator.takeWhile(_ <= horizon)).distinct.sorted
    due.iterator.flatMap { pane =>
      val written = parts.read(pane)(readBlocks).toArray
      parts.remove(pane)
      written.iterator.flatten ++ blocks.remove(pane).iterator.flatten.map(pane -> _)
    }
  }

  /** The number of events; O(blocks and parts). */
  override def size: Int =
    math.min(Int.MaxValue.toLong, parts.count(0) + blocks.valuesIterator.map(count).sum).toInt

  private def count(of: collection.Seq[Array[Byte]]): Long = of.iterator.map(NameColumn.count(_).toLong).sum

  override def waiting: WaitingEvents = this

  // The vertices of an event are among its bytes.
  override def foreachId(visit: Long => Unit): Unit = ()

  override def save(out: BinaryWriter, shown: Long => Long): Unit = save(blocks.toSeq, out)

  /** Writes the new events as parts of their panes. */
  private[state] def write(): Unit = {
    blocks.foreach { case (pane, added) =>
      val out = new BinaryWriter
      save(Seq(pane -> added), out)
      parts.add(pane, out, Seq(count(added)))
    }
    blocks.clear()
  }

  private def save(of: Seq[(Long, collection.Seq[Array[Byte]])], out: BinaryWriter): Unit = {
    ByPane.save(of.iterator, of.size, out) { blocks =>
      out.unsigned(blocks.size.toLong)
      blocks.foreach(put(_, out))
    }
    if (of.nonEmpty) put(columns.getBytes(UTF_8), out)
  }

  private def put(bytes: Array[Byte], out: BinaryWriter): Unit = {
    out.unsigned(bytes.length.toLong)
    out.raw(bytes)
  }

  private[state] override def restore(in: BinaryReader, known: Array[Long] => Array[Long]): KeptPart = {
    readBlocks(in).foreach { case (pane, block) => add(pane, block) }
    this
  }

  /** Reads the bytes of [[save]]: the pane of each block, and the block. */
  private def readBlocks(in: BinaryReader): Seq[(Long, Array[Byte])] = {
    def bytes(what: String) = in.raw(in.count(s"the length of $what"))
    val read = Seq.newBuilder[(Long, Array[Byte])]
    ByPane.restore(in, "panes of waiting events") { pane =>
      (0 until in.count("the number of blocks of events")).foreach { _ =>
        val block = bytes("a block of events")
        if (!NameColumn.isColumn(block))
          throw new CorruptStateException(s"the ${block.length} bytes of pane $pane are no block of events")
        read += pane -> block
      }
    }
    val all = read.result()
    if (all.nonEmpty) columns = new String(bytes("the columns of events"), UTF_8)
    all
  }
}
