package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.KeptMagic

/** The events of one graph that wait, in the layout `panes`. A micro-batch writes a part for each pane of which it brought
  * events, and removes the parts of a pane when the pane is answered. So the writes follow the new events, not all that wait.
  *
  * Parts are never united, since no event would be dropped by that: a pane has at most as many as it has micro-batches.
  */
private[state] final class EventParts(place: Int, variables: => GraphVariables) {
  import EventParts.{partOf, Entry}

  private val panes = mutable.TreeMap.empty[Long, Entry]

  def bytes: Long = panes.valuesIterator.map(_.bytes).sum
  def events: Int = panes.valuesIterator.map(_.events).sum
  def first: Option[Long] = panes.keysIterator.find(_ => true)

  def read(): WaitingEvents = {
    val events = new WaitingEvents
    for ((pane, entry) <- panes; number <- 0 until entry.parts) {
      val part = partOf(pane, number)
      val bytes = variables.get(part).getOrElse {
        throw new CorruptStateException(s"part $number of the waiting events of pane $pane is missing")
      }
      val in = StateFrame.open(KeptMagic, part.hash(place), bytes)
      events.addSaved(in)
      in.expectEnd()
    }
    events
  }

  /** @param events all that wait: for each pane the blocks that were written or read before, and then the new ones */
  def write(events: WaitingEvents): Unit = {
    panes.keys.filter(events.countOf(_) == 0).toSeq.foreach(remove)
    events.panes.foreach { pane =>
      val before = panes.getOrElse(pane, Entry(parts = 0, events = 0, bytes = 0))
      val count = events.countOf(pane)
      if (count > before.events) {
        val out = new BinaryWriter
        events.saveFrom(pane, before.events, out)
        val part = partOf(pane, before.parts)
        val bytes = StateFrame.seal(KeptMagic, part.hash(place), out)
        variables.put(part, Some(bytes))
        panes.put(pane, Entry(before.parts + 1, count, before.bytes + bytes.length))
      }
    }
  }

  private def remove(pane: Long): Unit =
    panes.remove(pane).foreach { entry =>
      (0 until entry.parts).foreach(number => variables.put(partOf(pane, number), None))
    }

  def clear(): Unit = panes.keys.toSeq.foreach(remove)

  def save(out: BinaryWriter): Unit = ByPane.save(panes.iterator, panes.size, out) { entry =>
    Seq(entry.parts.toLong, entry.events.toLong, entry.bytes).foreach(out.unsigned)
  }

  /** Reads the bytes of [[save]] into this list, which is empty. */
  def restore(in: BinaryReader): Unit = ByPane.restore(in, "panes of waiting events") { pane =>
    def number() = math.min(in.unsigned(), Int.MaxValue.toLong).toInt
    panes.put(pane, Entry(number(), number(), in.unsigned())): Unit
  }
}

private[state] object EventParts {

  /** What the state holds of a pane. */
  private final case class Entry(parts: Int, events: Int, bytes: Long)

  /** Numbers from zero on are those of edges. */
  private[state] def partOf(pane: Long, number: Int): StatePlace = StatePlace.Part(pane, -1 - number)
}
