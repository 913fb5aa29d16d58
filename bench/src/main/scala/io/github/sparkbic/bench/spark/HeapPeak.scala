package io.github.sparkbic.bench.spark

import java.lang.management.{ManagementFactory, MemoryType}
import java.util.concurrent.atomic.AtomicBoolean
import javax.management.{Notification, NotificationEmitter}
import javax.management.openmbean.CompositeData

import scala.jdk.CollectionConverters._

import com.sun.management.GarbageCollectionNotificationInfo

/** How much heap work takes.
  *
  * [[peak]] is the most heap that was still in use right after a garbage collection: what the work holds, not what it throws away.
  * Collections of the young generation leave dead objects of the old one standing, so this is an upper bound. [[held]] is
  * what was alive at some of the moments of the work.
  */
final class HeapPeak {
  import HeapPeak._

  @volatile private var most = 0L
  @volatile private var mostHeld = 0L

  private val heapPools =
    ManagementFactory.getMemoryPoolMXBeans.asScala.filter(_.getType == MemoryType.HEAP).map(_.getName).toSet

  ManagementFactory.getGarbageCollectorMXBeans.asScala.foreach {
    case bean: NotificationEmitter => bean.addNotificationListener((n, _) => note(n), null, null)
    case _                         =>
  }

  private def note(notification: Notification): Unit =
    if (notification.getType == GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION) {
      val info = GarbageCollectionNotificationInfo.from(notification.getUserData.asInstanceOf[CompositeData])
      val used = info.getGcInfo.getMemoryUsageAfterGc.asScala.collect {
        case (pool, usage) if heapPools.contains(pool) => usage.getUsed
      }.sum
      synchronized {
        most = math.max(most, used)
        if (info.getGcCause == Asked) mostHeld = math.max(mostHeld, used)
      }
    }

  def reset(): Unit = {
    System.gc()
    synchronized { most = 0 }
  }

  /** In bytes, since the last [[reset]]; at least what is in use after a collection now. */
  def peak: Long = {
    System.gc()
    val now = ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed
    synchronized(math.max(most, now))
  }

  /** The most bytes that `work` holds: all garbage is collected over and over meanwhile. Half of the time is left to the
    * work, which needs a second or more to be seen at enough moments.
    */
  def held(work: => Unit): Long = {
    val done = new AtomicBoolean
    val collector = new Thread(() =>
      while (!done.get) {
        val begun = System.nanoTime()
        System.gc()
        Thread.sleep(math.max(1, (System.nanoTime() - begun) / 1000000))
      }
    )
    System.gc()
    synchronized { mostHeld = 0 }
    collector.start()
    try work
    finally {
      done.set(true)
      collector.join()
    }
    synchronized(mostHeld)
  }
}

private object HeapPeak {

  /** The cause of a collection that `System.gc()` asks for, which collects all that is dead. */
  private val Asked = "System.gc()"
}
