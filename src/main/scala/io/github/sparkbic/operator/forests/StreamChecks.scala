package io.github.sparkbic.operator.forests

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.plans.{FullOuter, JoinType, LeftOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.{StructField, TimestampNTZType}

import io.github.sparkbic.arguments.{Arguments, EdgeColumns}

/** Refuses streams of edges without a watermark, or from operators that hold rows back. */
private[sparkbic] object StreamChecks {
  def check(edges: EdgeColumns): Unit = {
    val (frame, time) = (edges.frame, edges.timeField)
    if (!isMarked(time)) {
      val other = frame.schema.find(isMarked).fold("")(field => s" (the watermark is on '${field.name}')")
      val cast =
        if (time.dataType == TimestampNTZType)
          s""".withColumn("${time.name}", col("${time.name}").cast("timestamp"))"""
        else ""
      throw Arguments.invalid(
        s"a streaming query needs a watermark on the column '${time.name}', which tells when a window is complete$other; " +
          s"""add one with edges$cast.withWatermark("${time.name}", "10 minutes")""" +
          (if (cast.isEmpty) "" else ", which Spark takes of a TIMESTAMP only")
      )
    }
    checkSource(SparkInternals.analyzed(frame))
  }

  def checkSource(plan: LogicalPlan): Unit = {
    if (SparkInternals.isRealTime(plan))
      throw Arguments.invalid(
        "windows of a stream cannot be answered in real-time mode; use Trigger.ProcessingTime(0), " +
          "with early where alerts are urgent"
      )
    checkFollowers(plan)
    plan.collectFirst(Function.unlift(holdingBack)).foreach { source =>
      throw Arguments.invalid(
        s"edges come from $source, whose rows come out once the watermark has passed their time, so they would be late; write " +
          "them to a table, and read that as a stream"
      )
    }
  }

  /** Refuses a watermark on answers. The watermark of a query is the earliest of all its watermarks. A watermark on answers
    * would wait for answers, and answers wait for the watermark of the query: for ever.
    * @param plan a streaming query, or a part of it
    */
  def checkFollowers(plan: LogicalPlan): Unit =
    if (plan.exists(node => node.isInstanceOf[EventTimeWatermark] && PaneForests.areStreamedIn(node)))
      throw Arguments.invalid(
        "a streaming query has a watermark on answers of a bic… method, which would wait for one another for ever; write " +
          "the answers to a table, and read that as a stream"
      )

  /** Events without their watermarks. The watermark of a query is the earliest of all its watermarks, so a quiet stream of
    * events would hold up all answers.
    */
  def withoutWatermarks(events: DataFrame): DataFrame = {
    def hasWatermark(plan: LogicalPlan) = plan.exists(_.isInstanceOf[EventTimeWatermark])
    val plan = SparkInternals.analyzed(events)
    plan.collectFirst { case node if isStateful(node) && hasWatermark(node) => node }.foreach { node =>
      throw Arguments.invalid(
        s"events come from an operator that reads their watermark (${node.nodeName}), but only the edges may have a " +
          "watermark; write the events to a table, and read that as a stream"
      )
    }
    if (!hasWatermark(plan)) events
    else
      SparkInternals.frame(
        plan.transform { case watermark: EventTimeWatermark => watermark.child },
        events.sparkSession
      )
  }

  private def isStateful(plan: LogicalPlan): Boolean = plan match {
    case deduplicate: Deduplicate      => deduplicate.isStreaming
    case _: DeduplicateWithinWatermark => true
    case join: Join                    => join.left.isStreaming && join.right.isStreaming
    case other                         => holdingBack(other).nonEmpty
  }

  private def isMarked(field: StructField): Boolean = field.metadata.contains(EventTimeWatermark.delayKey)

  /** The name of an operator that holds rows back until the watermark passes them. */
  private def holdingBack(plan: LogicalPlan): Option[String] = plan match {
    case aggregate: Aggregate if aggregate.isStreaming => Some("a streaming aggregation")
    case distinct: Distinct if distinct.isStreaming    => Some("a streaming distinct")
    case join: Join
        if join.left.isStreaming && join.right.isStreaming &&
          Set[JoinType](LeftOuter, RightOuter, FullOuter).contains(join.joinType) =>
      Some("an outer join of two streams")
    case _: FlatMapGroupsWithState | _: FlatMapGroupsInPandasWithState => Some("flatMapGroupsWithState")
    // The operators of Scala and Python.
    case other if other.nodeName.startsWith("TransformWithState") => Some("transformWithState")
    case _                                                        => None
  }
}
