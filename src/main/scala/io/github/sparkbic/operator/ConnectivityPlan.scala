package io.github.sparkbic.operator

import org.apache.spark.sql.{Column, DataFrame, Dataset, Encoder, Encoders, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{EventTimeWatermark, Project}
import org.apache.spark.sql.functions.{array, col, get, greatest, lit, pmod, struct, transform, when}
import org.apache.spark.sql.streaming.{GroupState, GroupStateTimeout, OutputMode}
import org.apache.spark.sql.types._

import io.github.sparkbic.arguments._
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.forests.{PackEvents, PaneForests, PaneForestsStrategy}
import io.github.sparkbic.operator.keys.KeyRows
import io.github.sparkbic.operator.question.{AsOf, Question}
import io.github.sparkbic.operator.state._

/** The data flow: edges → pane forests → shuffle by graph key → window operator → answers.
  *
  * {{{
  * edges.select(by…, src, dst, time)    a whole table has no time: all edges are of one pane and one window
  *   → PaneForests          a block, mostly one, per task, graph and pane
  *   ∪ PackEvents           where events are asked about: blocks of the events of a graph and pane
  *   → shuffle by key, WindowOperator: flatMapGroupsWithState or transformWithState in a stream, by the setting,
  *     flatMapSortedGroups in a batch
  *   → observed counters, answers only
  * }}}
  *
  * A batch query may cut each graph into segments, which are answered independently
  * ([[io.github.sparkbic.operator.forests.Segments]]; [[Parallelism]] decides). Then the number of the segment is a part
  * of the key, and each segment gets every block that it needs.
  *
  * Key columns are called `key0`, `key1`, … inside, so that they cannot clash with the user's names. Spark requires a
  * key. So without `by` the key is a constant, or, where the only graph is cut, the number of the segment's task.
  */
private[sparkbic] final class ConnectivityPlan(
    edges: EdgeColumns,
    shape: StateShape,
    question: Question,
    events: Option[EventColumns] = None
) {
  private val frame = edges.frame
  private val spark = frame.sparkSession
  private val isStreaming = frame.isStreaming
  private val constantKey = edges.byFields.isEmpty
  // A whole table is one window.
  private val isWhole = edges.time.isEmpty

  private val segments =
    if (isStreaming || isWhole || shape.kept.hasNames) None
    else Parallelism.segments(spark, !constantKey, shape.panes, shape.kept.comparesWindows)

  /** @param observe attaches the counters, given as aggregates, to the operator's output */
  def answers(observe: (Dataset[Row], Seq[Column]) => Dataset[Row]): DataFrame = {
    val inPanes = isStreaming && Settings.layout(spark) == Settings.Panes
    if (inPanes) edges.byFields.foreach(Settings.requireKeyInPanes)
    if (isStreaming && constantKey) Parallelism.warnOfEmptyPartitions(spark)
    val operator = WindowOperator(shape, question, segments)

    implicit val keyEncoder: Encoder[Row] = KeyRows.encoder(StructType(groupFields))
    implicit val blockEncoder: Encoder[PackedBlock] = PackedBlock.encoder
    implicit val stateEncoder: Encoder[Array[Byte]] = Encoders.BINARY
    val rows = WindowOperator.outputEncoder(keyFields, question)
    val graphs = packedBlocks.groupBy(groupColumns: _*).as[Row, PackedBlock]

    val output =
      if (isStreaming) {
        val stores = new GraphStores(shape, Settings.cacheLimit(spark))
        if (inPanes) PanesLayout.answers(graphs, operator, stores)(rows)
        else
          graphs.flatMapGroupsWithState(OutputMode.Append, GroupStateTimeout.EventTimeTimeout) {
            (key: Row, blocks: Iterator[PackedBlock], state: GroupState[Array[Byte]]) =>
              operator.stream(key, blocks, stores.ofValue(key, state))
          }(stateEncoder, rows)
      } else {
        val order = Seq("pane") ++ events.map(_ => "edges")
        graphs.flatMapSortedGroups(order.map(col): _*)(operator)(rows)
      }

    val counted = observe(described(output), Counters.aggregates(isStreaming, question.kept.hasEvents))
    def answers = counted.where(col("start").isNotNull)
    if (events.nonEmpty) {
      val (rows, _, found) = unpacked(counted.where(col(Counters.Column).isNull), Seq(col("end")))
      answersOfEvents(question.asInstanceOf[AsOf], rows, found)
    } else if (question.isPacked) {
      // Keys and bounds get their form before, once for all rows of an array.
      val (rows, bounds, found) = unpacked(answers, boundColumns)
      rows.select(bounds ++ unpackedFields.zip(found).map((typed _).tupled): _*)
    } else answers.select(boundColumns ++ question.fields.map(f => typed(f, col(f.name))): _*)
  }

  private lazy val unpackedFields: Seq[StructField] = question.fields.map { field =>
    if (events.nonEmpty && field.name == AsOf.Events) field.copy(dataType = events.get.frame.schema)
    // Bytes are strings already, and integral vertices are cast later.
    else if (field.dataType == BinaryType) field.copy(dataType = vertexType)
    else field
  }

  /** A row for each item of the arrays, beside other columns of the row; and both kinds of columns. */
  private def unpacked(packed: DataFrame, others: Seq[Column]): (DataFrame, Seq[Column], Seq[Column]) = {
    val chosen = packed.select(others ++ question.fields.map(field => col(s"`${field.name}`")): _*)
    val (beside, arrays) = SparkInternals.output(chosen).splitAt(others.size)
    val rows =
      chosen.select((beside :+ Unpack(arrays, StructType(unpackedFields))).map(SparkInternals.column): _*)
    val (same, items) = SparkInternals.output(rows).map(SparkInternals.column).splitAt(others.size)
    (rows, same, items)
  }

  /** The columns of events with their answers.
    * @param items the fields of [[AsOf]], of one event
    */
  private def answersOfEvents(asOf: AsOf, rows: DataFrame, items: Seq[Column]): DataFrame = {
    val event = SparkInternals.expression(items.head)
    val columns = SparkInternals.output(events.get.frame).zipWithIndex.map { case (column, i) =>
      // The answers come later than the watermark of the events.
      val metadata = new MetadataBuilder().withMetadata(column.metadata).remove(EventTimeWatermark.delayKey)
      SparkInternals.column(GetStructField(event, i)).as(column.name, metadata.build())
    }
    val width = asOf.ofWindow.size
    val isFinal = if (asOf.waits) None else Some((items.last > 0).as(AsOf.Final))
    val ofWindow = asOf.order.map { i =>
      struct(answerOfEvent(asOf, items.slice(1 + i * width, 1 + (i + 1) * width), i) ++ isFinal: _*)
    }
    val graph = if (ofWindow.size == 1) ofWindow.head else array(ofWindow: _*)
    rows.select(columns :+ when(col("end").isNotNull, graph).as("graph"): _*)
  }

  /** The answer by the windows of length `i`. */
  private def answerOfEvent(asOf: AsOf, values: Seq[Column], i: Int): Seq[Column] = {
    val length = shape.panes.perWindows(i) * shape.panes.length
    // No time is before the least.
    val start = timestamp(greatest(col("end"), lit(Long.MinValue + length)) - length)
    val window = struct(start.as("start"), timestamp(col("end")).as("end")).as("window")
    val fields = asOf.ofWindow.zip(values)
    def ofVertex(of: Seq[(StructField, Column)]): Seq[Column] = {
      val (component, rest) = (typed(of.head._1, of.head._2), of.tail)
      when(rest.head._2 > 0, component).as("component") +:
        rest.map { case (field, value) => value.as(field.name) }
    }
    if (asOf.target.isEmpty) window +: ofVertex(fields)
    else {
      val isConnected = values.head =!= lit(RecencyIndex.Never)
      val (source, target) = fields.tail.splitAt(fields.size / 2)
      Seq(
        window,
        isConnected.as("connected"),
        when(isConnected, timestamp(values.head)).as("since"),
        struct(ofVertex(source): _*).as("source"),
        struct(ofVertex(target): _*).as("target")
      )
    }
  }

  /** The same rows, under a node that describes the operator in the plan. */
  private def described(output: Dataset[Row]): DataFrame = {
    val rows = output.toDF()
    SparkInternals.plan(spark, OperatorStrategy)
    val counters = Counters.names(isStreaming, question.kept.hasEvents)
    val ready = ScalarSubquery(Project(Seq(Alias(Literal(true), "ready")()), PrepareQuestion(question)))
    val columns = SparkInternals.output(rows) :+ ready
    rows.select(SparkInternals.column(
      DescribedWindows(columns, rows.schema, question, counters, description)
    ))
  }

  /** The text that EXPLAIN shows. */
  private def description: Seq[String] = {
    val Panes(window, slide, start, shorter) = shape.panes
    // Windows before events may end with any pane.
    val step = if (question.kept.hasEvents) "pane" else "slide"
    val asked =
      if (isWhole) Seq("union–find", "whole table")
      else
        // A batch gives the same rows, early or not.
        s"index ${shape.indexName}" +:
          question.suffixParameters.filter(name =>
            (name != "early" || isStreaming) && name != question.method
          ) :+
          s"window ${(window +: shorter).map(Durations.show).mkString(" and ")}" :+ s"$step ${Durations.show(slide)}"
    val startTime = if (start == 0) None else Some(s"start_time ${Durations.show(start)}")
    val by = if (shape.by.isEmpty) None else Some(s"by ${shape.by.mkString(" and ")}")
    val layout =
      if (isStreaming) s"state layout ${Settings.layout(spark)}"
      else segments.fold("whole graphs")(cut => s"segments of ${cut.windows} windows")
    (question.method +: asked) ++ startTime ++ by :+ layout
  }

  private def packedBlocks: DataFrame = {
    val (input, key, found) =
      keyed(edges.columns, edges.byFields, edges.ids ++ edges.time.map(edges.columns.of(_).as("time")))
    val edge = found ++ (if (isWhole) Some(PaneForests.NoTime) else None)
    val schema = blockSchema(edge.last)
    SparkInternals.plan(spark, PaneForestsStrategy)
    val forests = PaneForests(key, edge, shape.panes, schema, forState = isStreaming, segments)
    val ofEdges = input.select(SparkInternals.column(forests))
    // The watermark of a union is that of its first input.
    val blocks = events.fold(ofEdges)(of => ofEdges.union(blocksOfEvents(of, schema)))
    if (isStreaming || constantKey && segments.isEmpty) blocks else spread(blocks)
  }

  private def blocksOfEvents(events: EventColumns, schema: StructType): DataFrame = {
    val own = SparkInternals.output(events.frame).map(SparkInternals.column)
    val (input, key, found) = keyed(events.columns, events.byFields, events.columns.of(events.at) +: own)
    input.select(SparkInternals.column(
      PackEvents(key, found.head, found.tail, shape.panes, segments, schema)
    ))
  }

  /** A frame with the columns of the key and others; the key of a graph in it, and the others. */
  private def keyed(columns: NamedColumns, by: Seq[StructField], others: Seq[Column]) = {
    val keys = by.zip(keyFields).map { case (field, key) =>
      columns.of(field).cast(key.dataType).as(key.name)
    }
    val input = columns.frame.select(keys ++ others: _*)
    val (found, rest) = SparkInternals.output(input).splitAt(keys.size)
    // Zeros of both signs are one key, as in Spark's own groups, and so are all NaN.
    val key = if (constantKey) Seq(Literal(0)) else found.map(SparkInternals.normalized)
    (input, key, rest)
  }

  /** Spreads the graphs of a batch, or the segments, over the tasks. Adaptive execution would merge many small partitions
    * into one, however much work their graphs are. An explicit number of partitions is kept.
    *
    * Segments of the only graph go to the tasks in turn. A hash would often send two of a few segments to one task, and
    * none to another.
    */
  private def spread(blocks: DataFrame): DataFrame = {
    val tasks = Parallelism.tasks(spark)
    if (constantKey) {
      val keys = lit(Parallelism.keysOfPartitions(tasks))
      val turn = pmod(col("segment"), lit(tasks.toLong)).cast(IntegerType)
      blocks.withColumn("key0", get(keys, turn)).repartition(tasks, col("key0"))
    } else blocks.repartition(tasks, groupColumns: _*)
  }

  private def blockSchema(time: Expression): StructType = {
    val metadata =
      Option(time).collect { case column: Attribute => column.metadata }.getOrElse(Metadata.empty)
    StructType(
      groupFields ++ PackedBlock.fields :+ StructField("eventTime", time.dataType, nullable = false, metadata)
    )
  }

  private def groupColumns: Seq[Column] = groupFields.map(field => col(field.name))

  private def groupFields: Seq[StructField] =
    keyFields ++ segments.map(_ => StructField("segment", LongType, nullable = false))

  private def keyFields: Seq[StructField] =
    if (constantKey) Seq(StructField("key0", IntegerType, nullable = isStreaming))
    else edges.byFields.zipWithIndex.map { case (field, i) =>
      val ofEvents = events.map(_.byFields(i))
      // A key of events may be of a wider integral type.
      val common = ofEvents.flatMap(key => ColumnTypes.common(key.dataType, field.dataType))
      val key = field.copy(dataType = common.getOrElse(field.dataType))
      val nullable = isStreaming || field.nullable || ofEvents.exists(_.nullable)
      StructField(s"key$i", KeyRows.exactType(keyType(key)), nullable)
    }

  /** In a stream nulls are allowed in all of a key. The state may hold keys from before a restart, when a column of `by` was
    * nullable, and Spark keeps a state only if its keys keep their schema.
    */
  private def keyType(field: StructField): DataType =
    if (isStreaming) SparkInternals.nullable(field.dataType) else field.dataType

  /** The columns of `by` and the window. */
  private def boundColumns: Seq[Column] = {
    val keys = edges.byFields.zipWithIndex.map { case (field, i) =>
      // The cast makes strings from their bytes again, and restores the type of an interval.
      col(s"key$i").cast(keyType(field)).as(field.name, field.metadata)
    }
    // The mark of Spark's own windows, for `window_time` and for windows of windows.
    val marked = new MetadataBuilder().putBoolean(TimeWindow.marker, true).build()
    lazy val window =
      struct(timestamp(col("start")).as("start"), timestamp(col("end")).as("end")).as("window", marked)
    keys ++ (if (isWhole) None else Some(window))
  }

  private def vertexType: DataType = question.vertexType.getOrElse(edges.vertexType)

  /** Vertices, which the operator has as BIGINT or bytes, and times, which it has in microseconds, get their type back. Other
    * columns stay the same columns: a projection of only such columns is none, and copies no row.
    */
  private def typed(field: StructField, column: Column): Column =
    if (question.timesOfEdges.contains(field.name)) timestamp(column).as(field.name)
    else if (!question.vertices.contains(field.name) || field.dataType == vertexType) column
    else {
      val own = field.dataType match {
        case ArrayType(_: StructType, _) =>
          transform(
            column,
            name =>
              struct(name("component").cast(vertexType).as("component"), timestamp(name("born")).as("born"))
          )
        case array: ArrayType => column.cast(array.copy(elementType = vertexType))
        case _                => column.cast(vertexType)
      }
      own.as(field.name)
    }

  private def timestamp(micros: Column): Column =
    SparkInternals.retimed(micros, LongType, edges.timeField.dataType)
}
