package io.github.sparkbic.operator.state

import java.lang.ref.SoftReference
import java.util.{Arrays, LinkedHashMap => JLinkedHashMap, UUID}

import scala.collection.immutable.ArraySeq

import org.apache.spark.TaskContext
import org.apache.spark.sql.Row
import org.apache.spark.util.SizeEstimator

/** The graphs of this JVM's streaming queries between two micro-batches, alive: a cache, never the truth.
  *
  * An entry carries a *stamp*: bytes that the state store holds if, and only if, the state there is what the entry was
  * saved as. Whoever takes an entry shows the bytes that the store holds now, and gets it only if they are the same; so
  * a micro-batch that failed after it had saved, a repeated or speculative attempt, a query restarted from an older
  * batch and a state changed by another machine all find an entry of no use. An entry is out of the cache while it is in
  * use, and only an attempt that came to its end puts it back: half-changed graphs are lost, and restored from the state.
  *
  * Memory: entries are held by soft references, which the JVM clears before it runs out of memory, and the least
  * recently used ones are dropped beyond a limit on their estimated size. Stopped queries leave their entries to these
  * two.
  *
  * @tparam A what is kept
  */
private[operator] final class LiveGraphs[A <: AnyRef] {
  import LiveGraphs.{Entry, Slot}

  // In the order of their putting, which is that of their last use, since each use takes an entry out.
  private val entries = new JLinkedHashMap[Slot, Entry[A]]
  private var total = 0L

  /** Takes out what is kept for `slot`; None if that is nothing, or not what `stored` is the stamp of. */
  def take(slot: Slot, stored: Array[Byte]): Option[A] = {
    val entry = synchronized(removed(slot))
    if (entry == null || !Arrays.equals(entry.stamp, stored)) None
    else Option(entry.live.get)
  }

  /** Keeps `live`, which the caller must not touch any more.
    *
    * @param stamp the bytes that the state store will hold if `live` is the truth; they must not change
    * @param size  its estimated size in bytes
    * @param limit bytes to keep in all; an entry larger than that is not kept
    */
  def put(slot: Slot, stamp: Array[Byte], live: A, size: Long, limit: Long): Unit = synchronized {
    removed(slot)
    if (size <= limit) {
      entries.put(slot, new Entry(stamp, new SoftReference(live), size))
      total += size
      val oldest = entries.values.iterator
      while (total > limit) {
        total -= oldest.next().size
        oldest.remove()
      }
    }
  }

  /** Entries, and their estimated bytes. */
  def size: (Int, Long) = synchronized((entries.size, total))

  private def removed(slot: Slot): Entry[A] = {
    val entry = entries.remove(slot)
    if (entry != null) total -= entry.size
    entry
  }
}

private[operator] object LiveGraphs {

  /** All of this JVM. */
  val ofThisJvm = new LiveGraphs[StreamedGraph]

  /** About what a graph takes in memory. To look at every object of it is too much for small ones, of which there may be
    * very many: they take some 3 KB and twelve times their bytes in the state, give or take a third.
    */
  def bytesOf(graph: StreamedGraph, stateBytes: Long): Long =
    if (stateBytes < SmallState) OwnBytes + 12 * stateBytes else SizeEstimator.estimate(graph)

  private val SmallState = 1L << 16
  private val OwnBytes = 3L << 10

  /** Where a graph lives: a run of a query, one of its operators, and the graph's key. */
  final case class Slot(run: String, operator: String, key: Seq[Any])

  /** An operator of a query, known by the same name in every JVM that runs its tasks. */
  final class Operator extends Serializable {
    private val name = UUID.randomUUID().toString

    /** The slot of the graph with this key, in the task that this thread runs. A query that is started again gets slots
      * of its own, and so begins with what its checkpoint holds.
      */
    def slot(key: Row): Slot = {
      // A streaming query makes the id of its run the job group.
      val run = Option(TaskContext.get()).flatMap(task => Option(task.getLocalProperty("spark.jobGroup.id")))
      // An array is not equal to one with the same bytes.
      val parts = key.toSeq.map {
        case bytes: Array[Byte] => ArraySeq.unsafeWrapArray(bytes)
        case other              => other
      }
      Slot(run.getOrElse(""), name, parts)
    }
  }

  private final class Entry[A](val stamp: Array[Byte], val live: SoftReference[A], val size: Long)
}
