package io.github.sparkbic.operator

import org.apache.spark.sql.{Column, DataFrame, Dataset, Encoder, Encoders, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.{Attribute, Literal, PreciseTimestampConversion, TimeWindow}
import org.apache.spark.sql.classic.ClassicConversions._
import org.apache.spark.sql.functions.{col, lit, pmod, struct}
import org.apache.spark.sql.streaming.{GroupState, GroupStateTimeout, OutputMode, TimeMode}
import org.apache.spark.sql.types.{ArrayType, IntegerType, LongType, MetadataBuilder, StructField, StructType}

import io.github.sparkbic.arguments.{Durations, EdgeColumns}
import io.github.sparkbic.index.contract.{Panes, Segment}
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.forests.{PaneForests, PaneForestsStrategy}
import io.github.sparkbic.operator.keys.KeyRows
import io.github.sparkbic.operator.question.Question
import io.github.sparkbic.operator.state.{
  CacheLimit,
  Counters,
  LayoutSetting,
  PanesStores,
  StateShape,
  ValueStores
}

/** The data flow: edges → pane forests → shuffle by graph key → window operator → answers.
  *
  * {{{
  * edges.select(by…, src, dst, time)
  *   → PaneForests          one block per task, graph and pane
  *   → shuffle by key, WindowOperator: flatMapGroupsWithState or transformWithState in a stream, as LayoutSetting has it,
  *     flatMapSortedGroups in a batch
  *   → observed counters, answers only
  * }}}
  *
  * A batch query may cut each graph into segments that are answered apart from one another
  * ([[io.github.sparkbic.index.Segments]], and [[SegmentWindows]] tells when): the number of the segment is then a part of
  * the key on the way, and a block goes to each segment that needs its pane. A stream knows no segments.
  *
  * Key columns are called `key0`, `key1`, … on the way, so that no name of the user's can clash with ours; without a
  * `by` there is one constant key, since Spark wants one; where the only graph is cut, it is the number of the task that
  * the segment goes to.
  */
private[sparkbic] final class ConnectivityPlan(edges: EdgeColumns, shape: StateShape, question: Question) {
  import ConnectivityPlan.SegmentColumn

  private val constantKey = edges.by.isEmpty

  private val segments =
    if (edges.frame.isStreaming) None
    else
      SegmentWindows.segments(edges.frame.sparkSession, !constantKey, shape.panes, shape.comparesWindows)

  /** @param observe attaches the counters, which are given as aggregates, to the operator's output */
  def answers(observe: (Dataset[Row], Seq[Column]) => Dataset[Row]): DataFrame = {
    val spark = edges.frame.sparkSession
    val inPanes = edges.frame.isStreaming && LayoutSetting.of(spark) == LayoutSetting.Panes
    if (inPanes) edges.byFields.foreach(LayoutSetting.requireKeyInPanes)
    if (edges.frame.isStreaming && constantKey) StatePartitions.warnOfEmpty(spark)
    val operator = new WindowOperator(shape, question)
    val blocks = packedBlocks

    implicit val keyEncoder: Encoder[Row] = KeyRows.encoder(StructType(groupFields))
    implicit val blockEncoder: Encoder[PackedBlock] = Encoders.product[PackedBlock]
    implicit val stateEncoder: Encoder[Array[Byte]] = Encoders.BINARY
    val outputEncoder = KeyRows.encoder(WindowOperator.outputSchema(keyFields, question))
    val graphs = castToImpl(blocks.groupBy(groupFields.map(f => col(f.name)): _*)).as[Row, PackedBlock]

    val output =
      if (inPanes) {
        val processor = new PaneStateProcessor(operator, new PanesStores(shape, CacheLimit.of(spark)))
        graphs.transformWithState(processor, TimeMode.EventTime(), OutputMode.Append())(outputEncoder)
      } else if (edges.frame.isStreaming) {
        val stores = new ValueStores(shape, CacheLimit.of(spark))
        val perGraph = (key: Row, blocks: Iterator[PackedBlock], state: GroupState[Array[Byte]]) =>
          operator.stream(key, blocks, stores.of(key, state))
        graphs.flatMapGroupsWithState(OutputMode.Append, GroupStateTimeout.EventTimeTimeout)(perGraph)(
          stateEncoder,
          outputEncoder
        )
      } else {
        val cut = segments
        val perSegment = (group: Row, blocks: Iterator[PackedBlock]) => {
          val key = Row.fromSeq(group.toSeq.dropRight(cut.size))
          val segment = cut.fold(Segment.Whole)(_.segment(group.getLong(group.size - 1)))
          operator.batch(key, segment, blocks)
        }
        graphs.flatMapSortedGroups(col("pane"))(perSegment)(outputEncoder)
      }

    observe(shown(output), Counters.aggregates(edges.frame.isStreaming))
      .where(col("start").isNotNull)
      .select(answerColumns: _*)
  }

  /** The same rows, under a node that says in the plan where they come from. */
  private def shown(output: Dataset[Row]): DataFrame = {
    val frame = output.toDF()
    val plan = SparkInternals.analyzed(frame)
    SparkInternals.plan(frame.sparkSession, WindowsStrategy)
    frame.select(SparkInternals.column(Windows(plan.output, question, plan.isStreaming, description)))
  }

  /** What runs, as EXPLAIN shows it. */
  private def description: Seq[String] = {
    val Panes(window, slide, start, shorter) = shape.panes
    val windows = (window +: shorter).map(Durations.show)
    val layout =
      if (edges.frame.isStreaming) s"state layout ${LayoutSetting.of(edges.frame.sparkSession)}"
      else segments.fold("whole graphs")(cut => s"segments of ${cut.windows} windows")
    Seq(question.method, s"index ${shape.indexName}", s"window ${windows.mkString(" and ")}") ++
      Seq(s"slide ${Durations.show(slide)}") ++
      Option.when(start != 0)(s"start_time ${Durations.show(start)}") ++
      Option.when(shape.by.nonEmpty)(s"by ${shape.by.mkString(" and ")}") :+ layout
  }

  private def packedBlocks: DataFrame = {
    val keys = edges.by.zip(keyFields).map { case (column, key) => column.cast(key.dataType).as(key.name) }
    val input =
      edges.frame.select(keys ++ Seq(edges.src.as("src"), edges.dst.as("dst"), edges.time.as("time")): _*)
    val columns = castToImpl(input).queryExecution.analyzed.output
    SparkInternals.plan(input.sparkSession, PaneForestsStrategy)
    // Zeros of both signs are one key, as in Spark's own groups, and so are all that are not a number.
    val by = columns.dropRight(3).map(SparkInternals.normalized)
    val children = (if (constantKey) Seq(Literal(0)) else by) ++ columns.takeRight(3)
    val forests =
      PaneForests(
        children,
        shape.panes,
        blockSchema(columns.last),
        forState = edges.frame.isStreaming,
        segments
      )
    val blocks = input.select(SparkInternals.column(forests))
    if (edges.frame.isStreaming || constantKey && segments.isEmpty) blocks else spread(blocks)
  }

  /** Spreads the graphs of a batch, or the segments, over the tasks. Adaptive execution would make one partition of many
    * small ones, whatever work the graphs are; it keeps to a number of partitions that is asked for.
    *
    * Segments of the only graph are dealt out in turn. A hash would often send two of a few segments to one task, and none
    * to another.
    */
  private def spread(blocks: DataFrame): DataFrame = {
    val tasks = SegmentWindows.tasks(edges.frame.sparkSession)
    if (constantKey)
      blocks.withColumn("key0", pmod(col(SegmentColumn), lit(tasks.toLong)).cast(IntegerType))
        .repartitionById(tasks, col("key0"))
    else blocks.repartition(tasks, groupFields.map(f => col(f.name)): _*)
  }

  private def blockSchema(time: Attribute): StructType = StructType(
    keyFields ++ segmentField ++ PackedBlock.fields :+ StructField(
      "eventTime",
      time.dataType,
      nullable = false,
      time.metadata
    )
  )

  private def groupFields: Seq[StructField] = keyFields ++ segmentField

  private def keyFields: Seq[StructField] =
    if (constantKey) Seq(StructField("key0", IntegerType, nullable = false))
    else edges.byFields.zipWithIndex.map { case (field, i) =>
      StructField(s"key$i", KeyRows.exactType(field.dataType), field.nullable)
    }

  private def segmentField: Option[StructField] =
    segments.map(_ => StructField(SegmentColumn, LongType, nullable = false))

  private def answerColumns: Seq[Column] = {
    val keys = edges.byFields.zipWithIndex.map { case (field, i) =>
      // Strings come back from their bytes; rows know intervals from days to seconds and from years to months only.
      col(s"key$i").cast(field.dataType).as(field.name, field.metadata)
    }
    // Marked as Spark's own windows are, for `window_time` and for windows of windows.
    val marked = new MetadataBuilder().putBoolean(TimeWindow.marker, true).build()
    val window = struct(timestamp("start").as("start"), timestamp("end").as("end")).as("window", marked)
    keys ++ (window +: question.fields.map(answerColumn))
  }

  /** Ids that were widened to BIGINT on the way in get their type back. */
  private def answerColumn(field: StructField): Column =
    if (question.verticesOfEdges.contains(field.name)) {
      val own = field.dataType match {
        case array: ArrayType => array.copy(elementType = edges.vertexType)
        case _                => edges.vertexType
      }
      col(field.name).cast(own).as(field.name)
    } else col(field.name)

  private def timestamp(column: String): Column = {
    val micros = edges.frame.sparkSession.toRichColumn(col(column)).expr
    SparkInternals.column(PreciseTimestampConversion(micros, LongType, edges.timeField.dataType))
  }
}

private object ConnectivityPlan {
  val SegmentColumn = "segment"
}
