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
  private var count = 0

  /** Refuses a query whose events have other columns than those that wait. */
  def requireColumns(own: String): Unit = {
    if (count > 0 && columns != own)
      throw new CorruptStateException(
        s"events with the columns $columns wait in it, but the events of the query have $own",
        CorruptStateException.OtherQuery
      )
    columns = own
  }

  def add(pane: Long, events: Array[Byte]): Unit = {
    waiting.getOrElseUpdate(pane, new mutable.ArrayBuffer[Array[Byte]](1)) += events
    count += NameColumn.count(events)
  }

  /** The first pane with an event. */
  def first: Option[Long] = waiting.keysIterator.find(_ => true)

  /** Removes the events of the panes up to `horizon`, and gives them by rising pane. */
  def take(horizon: Long): Iterator[(Long, Array[Byte])] = {
    val due = waiting.range(Long.MinValue, horizon + 1).toSeq
    waiting --= due.map(_._1)
    due.foreach { case (_, blocks) => count -= blocks.map(NameColumn.count).sum }
    due.iterator.flatMap { case (pane, blocks) => blocks.iterator.map(pane -> _) }
  }

  /** The number of events. */
  override def size: Int = count

  // The vertices of an event are among its bytes.
  override def foreachId(visit: Long => Unit): Unit = ()

  override def save(out: BinaryWriter, shown: Long => Long): Unit = {
    ByPane.save(waiting.iterator, waiting.size, out) { blocks =>
      out.unsigned(blocks.size.toLong)
      blocks.foreach(put(_, out))
    }
    if (count > 0) put(columns.getBytes(UTF_8), out)
  }

  private def put(bytes: Array[Byte], out: BinaryWriter): Unit = {
    out.unsigned(bytes.length.toLong)
    out.raw(bytes)
  }
}

private[state] object WaitingEvents {

  /** @param known reads the names of vertices that end the bytes: there are none */
  def restore(in: BinaryReader, known: Array[Long] => Array[Long]): WaitingEvents = {
    val restored = new WaitingEvents
    def bytes(what: String) = in.raw(in.count(s"the length of $what"))
    ByPane.restore(in, "panes of waiting events") { pane =>
      (0 until in.count("the number of blocks of events")).foreach { _ =>
        val block = bytes("a block of events")
        if (!NameColumn.isColumn(block))
          throw new CorruptStateException(s"the ${block.length} bytes of pane $pane are no block of events")
        restored.add(pane, block)
      }
    }
    if (restored.size > 0) restored.columns = new String(bytes("the columns of events"), UTF_8)
    known(Array.emptyLongArray)
    restored
  }
}
