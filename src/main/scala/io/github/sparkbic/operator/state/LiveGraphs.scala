package io.github.sparkbic.operator.state

import java.util.{Arrays, HashMap => JHashMap, LinkedHashMap => JLinkedHashMap}

import org.apache.spark.TaskContext
import org.apache.spark.sql.Row
import org.apache.spark.sql.bic.StorageMemory
import org.apache.spark.util.SizeEstimator

import io.github.sparkbic.operator.keys.GraphKey

/** A cache of the graphs of this JVM's streaming queries, alive between two micro-batches.
  *
  * A live graph is never stale: whoever takes it gets just what the state store holds, for three reasons.
  *   - Each entry has a *stamp*: bytes of the value at [[StatePlace.Graph]] that the store holds if, and only if, it holds
  *     this graph. A small value of the layout `value` is its own stamp. A larger one ends with its stamp, a random token
  *     ([[ValueGraph.stampOf]]), so that no live graph holds the bytes of its state. In the layout `panes` the stamp is the
  *     header, with such a token. A token is drawn whenever the graph is written: two states have one stamp only if 16
  *     random bytes come twice.
  *   - A [[GraphStore]] reads the value from the store in each call, and [[take]] gives the entry only if its stamp is that
  *     of the value. So no caller gets what a failed micro-batch or another attempt changed, nor an entry after a restart
  *     from an older batch, or after another machine changed the state.
  *   - An entry is out of the cache while it is in use, and a call puts it back only once all of its rows are made. A
  *     half-changed graph is therefore dropped. If the task fails later, the store holds the stamp only if it holds this
  *     very graph.
  *
  * Memory: all entries take no more than Spark's memory manager grants them, and those of an operator no more than the limit
  * of the operator, by their estimated sizes. Beyond a bound, and when Spark takes memory back, the least recently used of
  * the entries are dropped. The graphs of a stopped query leave by these rules only.
  *
  * @param memoryOf the memory of the entries; it calls its argument when it has become less
  */
private[operator] class LiveGraphs(memoryOf: (() => Unit) => StorageMemory) {
  import LiveGraphs.{Entries, Entry, Slot}

  private val memory = memoryOf(() => trimToMemory())
  private val all = new Entries
  // The same entries by operator; none of these is empty between two calls.
  private val ofOperators = new JHashMap[(String, String), Entries]

  /** Removes the entry of `slot`, and gives its graph if this is its stamp. */
  def take(slot: Slot, stamp: Array[Byte]): Option[StreamedGraph] =
    synchronized(remove(slot)).collect {
      case Entry(_, own, graph, _) if Arrays.equals(own, stamp) => graph
    }

  /** Keeps a graph, which the caller must not use any more.
    * @param stamp the stamp of the value that the state store will hold; nobody may change these bytes
    * @param size  the estimated bytes of graph and stamp
    * @param limit bytes of all entries of the same operator; a larger entry is not kept
    */
  def put(slot: Slot, stamp: Array[Byte], graph: StreamedGraph, size: Long, limit: Long): Unit = {
    val wanted = synchronized {
      remove(slot)
      if (size <= limit) {
        val entry = Entry(slot, stamp, graph, size)
        ofOperators.computeIfAbsent(slot.owner, _ => new Entries).add(entry)
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
      if (size > memory.held) remove(slot): Unit
      trimToMemory()
    }
  }

  /** The number of entries, and their estimated bytes. */
  def size: (Int, Long) = synchronized((all.bySlot.size, all.bytes))

  private def trimToMemory(): Unit = synchronized(trim(all, memory.held))

  private def trim(entries: Entries, limit: Long): Unit =
    while (entries.bytes > limit) remove(entries.bySlot.keySet.iterator.next()): Unit

  private def remove(slot: Slot): Option[Entry] = {
    val entry = all.remove(slot)
    if (entry.nonEmpty) {
      val own = ofOperators.get(slot.owner)
      own.remove(slot)
      if (own.bySlot.isEmpty) ofOperators.remove(slot.owner): Unit
    }
    entry
  }
}

private[operator] object LiveGraphs {

  /** Bytes that Spark is asked for at a time. */
  private final val Step = 4L << 20

  val ofThisJvm = new LiveGraphs(new StorageMemory(Step, _))

  /** About the bytes in memory of a graph and its stamp. An estimate of every object costs too
    * much where there are very many small graphs. A small graph takes some 3 KB and twelve times its bytes in the state,
    * within a third.
    */
  def bytesOf(graph: StreamedGraph, stamp: Array[Byte], stateBytes: Long): Long =
    if (stateBytes < SmallState) (3L << 10) + 12 * stateBytes + stamp.length
    else SizeEstimator.estimate(Array[AnyRef](graph, stamp))

  private val SmallState = 1L << 16

  /** Where a graph lives: an operator of a query, in a run of the query, and the graph's key. */
  final case class Slot(owner: (String, String), key: Any)

  /** The slot of a graph in the task of this thread. A query that is started again gets new slots, and so begins with the
    * graphs of its checkpoint.
    * @param operator a name that no other operator has, the same in every JVM
    */
  def slot(operator: String, key: Row): Slot = {
    // A streaming query makes the id of its run the job group.
    val run = Option(TaskContext.get()).flatMap(task => Option(task.getLocalProperty("spark.jobGroup.id")))
    Slot((run.getOrElse(""), operator), GraphKey.comparable(key))
  }

  private final case class Entry(slot: Slot, stamp: Array[Byte], graph: StreamedGraph, size: Long)

  /** Entries in the order of insertion, which is that of the last use, since each use removes the entry. */
  private final class Entries {
    val bySlot = new JLinkedHashMap[Slot, Entry]
    var bytes = 0L

    def add(entry: Entry): Unit = {
      bySlot.put(entry.slot, entry)
      bytes += entry.size
    }

    def remove(slot: Slot): Option[Entry] = {
      val entry = Option(bySlot.remove(slot))
      entry.foreach(bytes -= _.size)
      entry
    }
  }
}
