package io.github.sparkbic.bench.spark

import java.lang.management.{ManagementFactory, MemoryType}
import javax.management.{Notification, NotificationEmitter}
import javax.management.openmbean.CompositeData

import scala.jdk.CollectionConverters._

import com.sun.management.GarbageCollectionNotificationInfo

/** The most heap that was still in use right after a garbage collection: what the work holds, not what it throws away.
  * Collections of the young generation leave dead objects of the old one standing, so this is an upper bound.
  */
final class HeapPeak {
  @volatile private var most = 0L

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
      synchronized { most = math.max(most, used) }
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
}
