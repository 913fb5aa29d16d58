package io.github.sparkbic.operator

import java.time.{Duration, Instant}
import java.time.temporal.ChronoUnit

import org.apache.spark.TaskContext
import org.slf4j.LoggerFactory

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.state.Counters

/** The warnings of one task of the operator, logged once, at its end: never a line per graph.
  *
  *   - Edges are dated further ahead of this machine's clock than a time zone explains: the watermark follows them.
  *   - All edges were late: the watermark is ahead of the stream.
  */
private[operator] final class TaskReport(panes: Panes, partition: String) {
  import TaskReport._

  private var edges, late = 0L
  private var newest, watermark = Long.MinValue

  /** @param newestPane the newest pane of the call's edges; `Long.MinValue` if the call has no edges */
  def add(counters: Counters, newestPane: Long, watermarkMicros: Long): Unit = {
    edges += counters.edges
    late += counters.lateEdges
    newest = math.max(newest, newestPane)
    watermark = watermarkMicros
  }

  def log(): Unit = {
    val latest = instant(panes.timeOf(newest))
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

  /** The report of the task of this thread, logged when the task succeeds. */
  def ofTask(panes: Panes, method: String): TaskReport = {
    val task = Option(TaskContext.get())
    val query = task.flatMap(t => Option(t.getLocalProperty("sql.streaming.queryId"))).getOrElse("?")
    val report = new TaskReport(panes, s"$method, query $query, partition ${task.fold(0)(_.partitionId())}")
    task.foreach(_.addTaskCompletionListener[Unit] { t =>
      if (!t.isFailed() && !t.isInterrupted()) report.log()
    })
    report
  }

  def instant(micros: Long): Instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS)
}
