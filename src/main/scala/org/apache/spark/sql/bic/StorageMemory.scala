package org.apache.spark.sql.bic

import java.util.UUID
import java.util.concurrent.atomic.{AtomicBoolean, AtomicLong}

import org.apache.spark.SparkEnv
import org.apache.spark.storage.{BlockManager, StorageLevel, TempLocalBlockId}
import org.apache.spark.util.KnownSizeEstimation

/** Memory that this executor's memory manager grants to a cache, and takes back when it is short.
  *
  * The memory is part of Spark's storage memory, as that of a cached table is. It is held in steps. To Spark, each step is
  * a block: it evicts the block that was used least recently, to cache a table or to give a task memory to work with.
  * Whatever `spark.memory.storageFraction` protects is not taken for tasks.
  *
  * @param step  bytes that are asked for at a time
  * @param taken called when a step has been taken back. The thread may hold locks of the memory manager, so nobody may
  *              call [[grow]] while holding a lock that `taken` waits for.
  */
class StorageMemory(step: Long, taken: () => Unit) {

  // Of the application that runs; one that stops takes all memory with it.
  private var holder: Holder = _

  /** The bytes that the cache may take. */
  def held: Long = if (SparkEnv.get == null) 0 else current.get

  /** Holds at least so many bytes more; nothing more if so much storage memory is not free. Nothing else is evicted for it. */
  def grow(bytes: Long): Unit = {
    val steps = (bytes + step - 1) / step
    val manager = SparkEnv.get.memoryManager
    val free = manager.maxOnHeapStorageMemory - manager.onHeapStorageMemoryUsed
    // Spark asks for up to 1.5 times the size of a block while it puts the block.
    if (free / step > steps) {
      val own = current
      (0L until steps).forall(_ => hold(own)): Unit
    }
  }

  /** Holds one more step; false if another thread was faster to take this memory. */
  private def hold(own: Holder): Boolean = {
    val part = new Part(own)
    val id = TempLocalBlockId(UUID.randomUUID())
    val granted = own.blocks.putSingle(id, part, StorageLevel.MEMORY_ONLY, tellMaster = false)
    if (!granted) part.drop(): Unit
    granted
  }

  private def current: Holder = synchronized {
    val blocks = SparkEnv.get.blockManager
    if (holder == null || (holder.blocks ne blocks)) holder = new Holder(blocks)
    holder
  }

  /** The bytes that are held. */
  private final class Holder(val blocks: BlockManager) extends AtomicLong

  /** A block without content that counts as a step; Spark closes it when it evicts it. */
  private final class Part(holder: Holder) extends KnownSizeEstimation with AutoCloseable {
    private val dropped = new AtomicBoolean
    holder.addAndGet(step): Unit

    override def estimatedSize: Long = step

    def drop(): Boolean = {
      val first = dropped.compareAndSet(false, true)
      if (first) holder.addAndGet(-step): Unit
      first
    }

    override def close(): Unit = if (drop()) taken()
  }
}
