package io.github.sparkbic.operator.state

import java.lang.ref.{ReferenceQueue, SoftReference}
import java.util.{Arrays, LinkedHashMap => JLinkedHashMap, UUID}

import org.apache.spark.TaskContext
import org.apache.spark.sql.Row
import org.apache.spark.util.SizeEstimator

import io.github.sparkbic.operator.keys.GraphKey

/** The graphs of this JVM's streaming queries between two micro-batches, alive: a cache, never the truth.
  *
  * An entry has a *stamp*: bytes that the state store holds if, and only if, the state there is what the entry was saved
  * as. A caller shows the bytes that the store holds now, and gets the entry only if its stamp is the same. So an entry is of
  * no use after a micro-batch that failed once it had saved, to a repeated or speculative attempt, to a query restarted from
  * an older batch, and where another machine has changed the state. An entry is out of the cache while it is in use, and
  * only an attempt that came to its end puts it back: half-changed graphs are lost, and restored from the state.
  *
  * Memory: soft references hold the entries with their stamps, and the JVM clears them before it runs out of memory. The
  * least recently used entries are dropped beyond a limit on their estimated size. Stopped queries drop nothing themselves.
  *
  * @tparam A what is kept
  */
private[operator] final class LiveGraphs[A <: AnyRef] {
  import LiveGraphs.{Entry, Kept, Slot}

  // In the order in which they were put, which is that of their last use, since each use takes an entry out.
  private val entries = new JLinkedHashMap[Slot, Entry[A]]
  private var total = 0L
  // Entries that the JVM has cleared.
  private val cleared = new ReferenceQueue[Kept[A]]

  /** Takes out what is kept for `slot`; None if that is nothing, or not what `stored` is the stamp of. */
  def take(slot: Slot, stored: Array[Byte]): Option[A] = {
    val entry = synchronized(removed(slot))
    val kept = if (entry == null) null else entry.get
    if (kept == null || !Arrays.equals(kept.stamp, stored)) None else Some(kept.live)
  }

  /** Keeps `live`, which the caller must not touch any more.
    *
    * @param stamp the bytes that the state store will hold if `live` is the truth; they must not change
    * @param size  the estimated size of both in bytes
    * @param limit bytes to keep in all; an entry larger than that is not kept
    */
  def put(slot: Slot, stamp: Array[Byte], live: A, size: Long, limit: Long): Unit = synchronized {
    dropCleared()
    removed(slot)
    if (size <= limit) {
      entries.put(slot, new Entry(slot, new Kept(stamp, live), size, cleared))
      total += size
      val oldest = entries.values.iterator
      while (total > limit) {
        total -= oldest.next().size
        oldest.remove()
      }
    }
  }

  /** Entries, and their estimated bytes. */
  def size: (Int, Long) = synchronized {
    dropCleared()
    (entries.size, total)
  }

  /** What the JVM does when memory runs short; for tests alone. */
  private[state] def clear(): Unit = synchronized(entries.values.forEach(_.enqueue(): Unit))

  private def dropCleared(): Unit =
    Iterator.continually(cleared.poll().asInstanceOf[Entry[A]]).takeWhile(_ != null).foreach { entry =>
      // The entry may have been taken out, and another one put there.
      if (entries.get(entry.slot) eq entry) removed(entry.slot): Unit
    }

  private def removed(slot: Slot): Entry[A] = {
    val entry = entries.remove(slot)
    if (entry != null) total -= entry.size
    entry
  }
}

private[operator] object LiveGraphs {

  /** All of this JVM. */
  val ofThisJvm = new LiveGraphs[StreamedGraph]

  /** About what a graph and its stamp, which the graph may hold, take in memory. An estimate of every object costs too much
    * for small graphs, of which there may be very many: these take some 3 KB and twelve times their bytes in the state, give
    * or take a third.
    */
  def bytesOf(graph: StreamedGraph, stamp: Array[Byte], stateBytes: Long): Long =
    if (stateBytes < SmallState) OwnBytes + 12 * stateBytes + stamp.length
    else SizeEstimator.estimate(Array[AnyRef](graph, stamp))

  private val SmallState = 1L << 16
  private val OwnBytes = 3L << 10

  /** Where a graph lives: a run of a query, one of its operators, and the graph's key. */
  final case class Slot(run: String, operator: String, key: Any)

  /** An operator of a query, known by the same name in every JVM that runs its tasks. */
  final class Operator extends Serializable {
    private val name = UUID.randomUUID().toString

    /** The slot of the graph with this key, in the task that this thread runs. A query that is started again gets slots
      * of its own, and so begins with what its checkpoint holds.
      */
    def slot(key: Row): Slot = {
      // A streaming query makes the id of its run the job group.
      val run = Option(TaskContext.get()).flatMap(task => Option(task.getLocalProperty("spark.jobGroup.id")))
      Slot(run.getOrElse(""), name, GraphKey.comparable(key))
    }
  }

  private final class Kept[A](val stamp: Array[Byte], val live: A)

  private final class Entry[A](
      val slot: Slot,
      kept: Kept[A],
      val size: Long,
      cleared: ReferenceQueue[Kept[A]]
  ) extends SoftReference[Kept[A]](kept, cleared)
}
