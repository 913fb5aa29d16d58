package io.github.sparkbic.operator.state

import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.operator.block.NameColumn

/** The events of one graph that wait until the watermark has reached their pane, as the blocks in which they came. */
private[operator] final class WaitingEvents extends KeptPart {
  private val waiting = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[Array[Byte]]]
  // What the columns of the events are, by which their bytes are read.
  private var columns = ""

  /** Refuses a query whose events have other columns than those that wait. */
  def requireColumns(own: String): Unit = {
    if (waiting.nonEmpty && columns != own)
      throw new CorruptStateException(
        s"events with the columns $columns wait in it, but the events of the query have $own",
        CorruptStateException.OtherQuery
      )
    columns = own
  }

  def add(pane: Long, events: Array[Byte]): Unit =
    waiting.getOrElseUpdate(pane, new mutable.ArrayBuffer[Array[Byte]](1)) += events: Unit

  /** The first pane with an event. */
  def first: Option[Long] = waiting.keysIterator.find(_ => true)

  /** Removes the events of the panes up to `horizon`, and gives them by rising pane. */
  def take(horizon: Long): Iterator[(Long, Array[Byte])] = {
    val due = waiting.range(Long.MinValue, horizon + 1).toSeq
    waiting --= due.map(_._1)
    due.iterator.flatMap { case (pane, blocks) => blocks.iterator.map(pane -> _) }
  }

  /** The number of events; O(blocks). */
  override def size: Int = waiting.keysIterator.map(countOf).sum

  // The vertices of an event are among its bytes.
  override def foreachId(visit: Long => Unit): Unit = ()

  def panes: Iterator[Long] = waiting.keysIterator

  def countOf(pane: Long): Int = waiting.get(pane).fold(0)(_.iterator.map(NameColumn.count).sum)

  override def save(out: BinaryWriter, shown: Long => Long): Unit = save(waiting, out)

  /** Saves the blocks of one pane behind its first events. */
  def saveFrom(pane: Long, events: Int, out: BinaryWriter): Unit = {
    val blocks = waiting(pane)
    val first = blocks.scanLeft(0)(_ + NameColumn.count(_)).indexOf(events)
    save(mutable.TreeMap(pane -> blocks.drop(first)), out)
  }

  private def save(of: mutable.TreeMap[Long, mutable.ArrayBuffer[Array[Byte]]], out: BinaryWriter): Unit = {
    ByPane.save(of.iterator, of.size, out) { blocks =>
      out.unsigned(blocks.size.toLong)
      blocks.foreach(put(_, out))
    }
    if (of.nonEmpty) put(columns.getBytes(UTF_8), out)
  }

  /** Adds what has been saved. */
  def addSaved(in: BinaryReader): Unit = {
    def bytes(what: String) = in.raw(in.count(s"the length of $what"))
    ByPane.restore(in, "panes of waiting events") { pane =>
      (0 until in.count("the number of blocks of events")).foreach { _ =>
        val block = bytes("a block of events")
        if (!NameColumn.isColumn(block))
          throw new CorruptStateException(s"the ${block.length} bytes of pane $pane are no block of events")
        add(pane, block)
      }
    }
    if (waiting.nonEmpty) columns = new String(bytes("the columns of events"), UTF_8)
  }

  private def put(bytes: Array[Byte], out: BinaryWriter): Unit = {
    out.unsigned(bytes.length.toLong)
    out.raw(bytes)
  }
}
