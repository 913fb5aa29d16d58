package io.github.sparkbic.operator.state

import java.lang.ref.{ReferenceQueue, SoftReference}
import java.util.{Arrays, HashMap => JHashMap, LinkedHashMap => JLinkedHashMap, UUID}

import org.apache.spark.TaskContext
import org.apache.spark.sql.Row
import org.apache.spark.sql.bic.{CacheMemory, StorageMemory}
import org.apache.spark.util.SizeEstimator

import io.github.sparkbic.operator.keys.GraphKey

/** A cache of the graphs of this JVM's streaming queries, alive between two micro-batches.
  *
  * Invariant: each entry has a *stamp*, bytes that the state store holds if, and only if, it holds this entry's graph. A
  * caller shows the stored bytes, and gets the entry only if its stamp equals them. So no caller gets an entry after a
  * failed micro-batch, in a repeated or speculative attempt, or after a restart from an older batch. The same holds if
  * another machine changed the state.
  * An entry is out of the cache while it is in use, and only an attempt that succeeds puts it back. A half-changed graph is
  * therefore dropped, and restored from the state.
  *
  * Memory: all entries take no more than Spark's memory manager grants them, and those of an operator no more than the limit
  * of the operator. Beyond a bound, the least recently used of the entries that it bounds are dropped, by their estimated
  * sizes. When Spark takes memory back, entries are dropped at once. The JVM clears the soft references to entries and stamps before it runs out of memory. The graphs of a stopped
  * query leave by these rules only.
  *
  * @param memoryOf the memory of the entries; it calls its argument when it has become less
  */
private[operator] class LiveGraphs[A <: AnyRef](memoryOf: (() => Unit) => CacheMemory) {
  import LiveGraphs.{Entries, Entry, Slot}

  private val memory = memoryOf(() => trimToMemory())
  private val all = new Entries[A]
  // The same entries by operator; none of these is empty between two calls.
  private val ofOperators = new JHashMap[(String, String), Entries[A]]
  // Entries that the JVM has cleared.
  private val cleared = new ReferenceQueue[(Array[Byte], A)]

  /** Removes the entry of `slot`, and gives its graph if `stored` is its stamp. */
  def take(slot: Slot, stored: Array[Byte]): Option[A] = {
    val entry = synchronized(removed(slot))
    val kept = if (entry == null) null else entry.get
    Option(kept).collect { case (stamp, live) if Arrays.equals(stamp, stored) => live }
  }

  /** Keeps `live`, which the caller must not use any more.
    * @param stamp the bytes that the state store will hold with this graph; nobody may change them
    * @param size  the estimated bytes of graph and stamp
    * @param limit bytes of all entries of the same operator; a larger entry is not kept
    */
  def put(slot: Slot, stamp: Array[Byte], live: A, size: Long, limit: Long): Unit = {
    val wanted = synchronized {
      dropCleared()
      removed(slot)
      if (size <= limit) {
        val entry = new Entry(slot, (stamp, live), size, cleared)
        ofOperators.computeIfAbsent(slot.owner, _ => new Entries[A]).add(entry)
        all.add(entry)
      }
      Option(ofOperators.get(slot.owner)).foreach(trim(_, limit))
      all.bytes
    }
    // Without the lock, which a thread may ask for that takes memory back.
    val missing = wanted - memory.held
    if (missing > 0) memory.grow(missing)
    synchronized {
      // Others need not go for a graph that is too large by itself.
      if (size > memory.held) removed(slot): Unit
      trimToMemory()
    }
  }

  private def trimToMemory(): Unit = synchronized(trim(all, memory.held))

  private def trim(entries: Entries[A], limit: Long): Unit =
    while (entries.bytes > limit) removed(entries.oldest): Unit

  /** The number of entries, and their estimated bytes. */
  def size: (Int, Long) = synchronized {
    dropCleared()
    (all.size, all.bytes)
  }

  /** Clears all entries as the JVM does when memory runs short; for tests alone. */
  private[state] def clear(): Unit = synchronized(all.forEach(_.enqueue(): Unit))

  private def dropCleared(): Unit =
    Iterator.continually(cleared.poll().asInstanceOf[Entry[A]]).takeWhile(_ != null).foreach { entry =>
      // Another entry may have replaced the cleared one.
      if (all.get(entry.slot) eq entry) removed(entry.slot): Unit
    }

  private def removed(slot: Slot): Entry[A] = {
    val entry = all.remove(slot)
    if (entry != null) {
      val own = ofOperators.get(slot.owner)
      own.remove(slot)
      if (own.size == 0) ofOperators.remove(slot.owner): Unit
    }
    entry
  }
}

private[operator] object LiveGraphs {

  /** Bytes that Spark is asked for at a time. */
  private final val Step = 4L << 20

  val ofThisJvm = new LiveGraphs[StreamedGraph](new StorageMemory(Step, _))

  /** About the bytes in memory of a graph and its stamp, which the graph may hold. An estimate of every object costs too
    * much where there are very many small graphs. A small graph takes some 3 KB and twelve times its bytes in the state,
    * within a third.
    */
  def bytesOf(graph: StreamedGraph, stamp: Array[Byte], stateBytes: Long): Long =
    if (stateBytes < SmallState) OwnBytes + 12 * stateBytes + stamp.length
    else SizeEstimator.estimate(Array[AnyRef](graph, stamp))

  private val SmallState = 1L << 16
  private val OwnBytes = 3L << 10

  /** Where a graph lives: a run of a query, an operator of the query, and the graph's key. */
  final case class Slot(run: String, operator: String, key: Any) {
    def owner: (String, String) = (run, operator)
  }

  /** An operator of a query, with the same name in every JVM that runs its tasks. */
  final class Operator extends Serializable {
    private val name = UUID.randomUUID().toString

    /** The slot of the graph with this key, in the task of this thread. A query that is started again gets new slots, and
      * so begins with the graphs of its checkpoint.
      */
    def slot(key: Row): Slot = {
      // A streaming query makes the id of its run the job group.
      val run = Option(TaskContext.get()).flatMap(task => Option(task.getLocalProperty("spark.jobGroup.id")))
      Slot(run.getOrElse(""), name, GraphKey.comparable(key))
    }
  }

  /** Entries in the order of insertion, which is that of the last use, since each use removes the entry. */
  private final class Entries[A] {
    private val bySlot = new JLinkedHashMap[Slot, Entry[A]]
    private var total = 0L

    def bytes: Long = total
    def size: Int = bySlot.size
    def get(slot: Slot): Entry[A] = bySlot.get(slot)
    def oldest: Slot = bySlot.keySet.iterator.next()
    def forEach(each: Entry[A] => Unit): Unit = bySlot.values.forEach(each(_))

    def add(entry: Entry[A]): Unit = {
      bySlot.put(entry.slot, entry)
      total += entry.size
    }

    def remove(slot: Slot): Entry[A] = {
      val entry = bySlot.remove(slot)
      if (entry != null) total -= entry.size
      entry
    }
  }

  private final class Entry[A](
      val slot: Slot,
      kept: (Array[Byte], A),
      val size: Long,
      cleared: ReferenceQueue[(Array[Byte], A)]
  ) extends SoftReference[(Array[Byte], A)](kept, cleared)
}
