package org.apache.spark.sql.bic

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.memory.{MemoryConsumer, MemoryMode, TaskMemoryManager}
import org.scalatest.funsuite.AnyFunSuite

/** The part of Spark's storage memory that a cache holds; in `GraphMemorySuite` a cached table takes it back. */
class StorageMemorySuite extends AnyFunSuite {
  import StorageMemorySuite._

  /** An application whose memory manager has 60 MiB. */
  private def application(confs: (String, String)*)(body: SparkContext => Unit): Unit = {
    val conf = new SparkConf(loadDefaults = false).setMaster("local[1]").setAppName("memory")
      .set("spark.ui.enabled", "false").set("spark.testing.reservedMemory", "0")
      .set("spark.testing.memory", (100 * MiB).toString).setAll(confs)
    val context = new SparkContext(conf)
    try body(context)
    finally context.stop()
  }

  private def grown(memory: StorageMemory): Long = {
    Iterator.continually {
      val before = memory.held
      memory.grow(1)
      memory.held > before
    }.takeWhile(identity).foreach(_ => ())
    memory.held
  }

  test("a cache grows until storage memory is full, and evicts no cached table") {
    application() { spark =>
      val table = spark.range(0, 30, 1, 30).map(_ => new Array[Byte](MiB.toInt)).persist()
      table.count(): Unit
      val taken = new AtomicInteger
      val memory = new StorageMemory(4 * MiB, () => taken.incrementAndGet(): Unit)
      assert(memory.held == 0)
      val all = grown(memory)
      assert(all >= 20 * MiB && all <= 30 * MiB && all % (4 * MiB) == 0)
      assert(spark.getRDDStorageInfo.map(_.numCachedPartitions).toSeq == Seq(30) && taken.get == 0)
    }
  }

  test("a task that works takes what is not protected") {
    Seq("0.5" -> 30 * MiB, "0" -> 10 * MiB).foreach { case (fraction, left) =>
      application("spark.memory.storageFraction" -> fraction) { spark =>
        val memory = new StorageMemory(4 * MiB, () => ())
        assert(grown(memory) > 30 * MiB)
        spark.range(0, 1, 1, 1).foreach { _ =>
          val worker = new Worker(SparkInternals.taskMemory.get)
          worker.acquireMemory(50 * MiB): Unit
          worker.freeMemory(worker.getUsed)
        }
        assert(memory.held <= left && memory.held > left - 2 * 4 * MiB)
      }
    }
  }

  test("a cache that would not fit holds nothing, and an application that stops takes all memory with it") {
    val memory = new StorageMemory(4 * MiB, () => ())
    application()(_ => assert(grown(memory) > 0))
    assert(memory.held == 0)
    application() { _ =>
      memory.grow(60 * MiB)
      assert(memory.held == 0)
      memory.grow(50 * MiB)
      assert(memory.held == 52 * MiB)
    }
  }
}

object StorageMemorySuite {
  private val MiB = 1L << 20

  private final class Worker(task: TaskMemoryManager) extends MemoryConsumer(task, MemoryMode.ON_HEAP) {
    override def spill(size: Long, trigger: MemoryConsumer): Long = 0
  }
}
