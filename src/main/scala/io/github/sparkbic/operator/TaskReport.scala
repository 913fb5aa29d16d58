package io.github.sparkbic.operator

import java.time.{Duration, Instant}
import java.time.temporal.ChronoUnit
import java.util.{LinkedHashMap => JLinkedHashMap, Map => JMap}

import org.apache.spark.TaskContext
import org.slf4j.LoggerFactory

import io.github.sparkbic.index.format.StateLayout
import io.github.sparkbic.operator.state.{Counters, StateShape}

/** The log lines of one task of the operator, written once, at its end: never a line per graph.
  *
  *   - INFO, the first time a run of a query reads the state of a partition, later DEBUG: how many graphs were restored;
  *   - WARN, edges dated further ahead of this machine's clock than a time zone explains: the watermark follows them;
  *   - WARN, all edges were late: the watermark is ahead of the stream.
  */
private[operator] final class TaskReport(shape: StateShape, partition: String, run: String) {
  import TaskReport._

  private var graphs, bytes, nanos, edges, late = 0L
  private var newest, watermark = Long.MinValue

  /** @param newestPane the newest pane of the call's edges; `Long.MinValue` if the call has no edges */
  def add(counters: Counters, restoredBytes: Option[Int], newestPane: Long, watermarkMicros: Long): Unit = {
    restoredBytes.foreach { length =>
      graphs += 1
      bytes += length
      nanos += counters.stateNanos
    }
    edges += counters.edges
    late += counters.lateEdges
    newest = math.max(newest, newestPane)
    watermark = watermarkMicros
  }

  def log(): Unit = {
    if (graphs > 0) {
      val line =
        s"$partition: $graphs ${if (graphs == 1) "graph" else "graphs"} restored from $bytes bytes of state, read and " +
          s"written in ${nanos / 1000000} ms (format version ${StateLayout.Version}, index '${shape.indexName}')"
      val isFirst = seen.synchronized(seen.put(s"$run $partition", true) == null)
      if (isFirst) logger.info(line) else logger.debug(line)
    }
    val latest = instant(shape.panes.timeOf(newest))
    val ahead = Duration.between(Instant.now(), latest)
    if (ahead.compareTo(Tolerated) > 0)
      logger.warn(
        s"$partition: edges up to $latest are ${ahead.toHours} hours ahead of this machine's clock. The " +
          "watermark follows the newest edge, and edges behind it are dropped as late: filter what a source cannot have seen " +
          "yet before withWatermark, for instance by time < current_timestamp() + INTERVAL 1 HOUR"
      )
    if (late > 0 && edges == 0)
      logger.warn(
        s"$partition: all $late edges were late, the watermark being ${instant(watermark)}. See eventTime in " +
          "the progress of the query: an edge dated far ahead moves the watermark for good"
      )
  }
}

private[operator] object TaskReport {
  private val logger = LoggerFactory.getLogger(classOf[TaskReport])

  /** A time without a zone may be up to 14 hours ahead of UTC. */
  private val Tolerated = Duration.ofHours(15)

  /** The last 10,000 runs and partitions that have read their state in this JVM. */
  private val seen = new JLinkedHashMap[String, Any] {
    override def removeEldestEntry(eldest: JMap.Entry[String, Any]): Boolean = size > 10000
  }

  /** The report of the task of this thread, logged when the task succeeds. */
  def ofTask(shape: StateShape, method: String): TaskReport = {
    val task = Option(TaskContext.get())
    def property(name: String): String = task.flatMap(t => Option(t.getLocalProperty(name))).getOrElse("?")
    val partition =
      s"$method, query ${property("sql.streaming.queryId")}, partition ${task.fold(0)(_.partitionId())}"
    val report = new TaskReport(shape, partition, property("spark.jobGroup.id"))
    task.foreach(_.addTaskCompletionListener[Unit] { t =>
      if (!t.isFailed() && !t.isInterrupted()) report.log()
    })
    report
  }

  def instant(micros: Long): Instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS)
}
