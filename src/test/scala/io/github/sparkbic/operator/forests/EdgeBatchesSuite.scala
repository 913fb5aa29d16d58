package io.github.sparkbic.operator.forests

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.bic.TestShims.{EventTimeStats, EventTimeStatsAccum}
import org.apache.spark.sql.bic.TestShims.StreamingQueryWrapper
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.execution.{ColumnarToRowExec, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector
import org.apache.spark.sql.functions.{col, lit, timestamp_seconds, when}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types.{
  DataType,
  Decimal,
  IntegerType,
  LongType,
  StructField,
  StructType,
  TimestampType
}
import org.apache.spark.sql.vectorized.{ColumnarArray, ColumnarBatch, ColumnarMap, ColumnVector}
import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.block.PackedBlock

/** Edges that come as columns: the same forests, counters and event times as from rows, and where Spark takes that way. */
class EdgeBatchesSuite extends QueryTest with SharedSparkSession with ConfResults with AdaptiveSparkPlanHelper
    with ScalaCheckPropertyChecks {
  import testImplicits._

  private type Edge = (Option[Long], Option[Long], Option[Long])

  private val schema = StructType(
    StructField("key0", IntegerType) +: PackedBlock.fields :+ StructField("eventTime", TimestampType)
  )
  private lazy val key = UnsafeProjection.create(Array[DataType](IntegerType))(InternalRow(0)).copy()

  private def metric(): SQLMetric = SQLMetrics.createMetric(sparkContext, "some")

  private def column(values: Seq[Option[Long]]): ColumnVector = {
    val column = new OnHeapColumnVector(math.max(1, values.size), LongType)
    values.zipWithIndex.foreach { case (value, i) => value.fold(column.putNull(i))(column.putLong(i, _)) }
    column
  }

  private def longAt(place: Int) = EdgeBatches.Place(place, isInt = false)

  private def blocks(forests: OpenGraphs): Seq[InternalRow] = {
    forests.close()
    Iterator.continually(forests.next()).takeWhile(_ != null).map(_.copy()).toSeq
  }

  private def told(eventTimes: EventTimes, accumulator: EventTimeStatsAccum): EventTimeStats = {
    eventTimes.report()
    accumulator.value
  }

  private val someTimes: Gen[Long] = Gen.frequency(
    6 -> Gen.choose(0L, 60L),
    1 -> Gen.oneOf(Long.MinValue, Long.MinValue + 3, Long.MaxValue - 3, Long.MaxValue)
  )

  private def orNull[A](values: Gen[A], nulls: Int): Gen[Option[A]] =
    Gen.frequency(20 -> values.map(Some(_)), nulls -> Gen.const(None))

  private val batches: Gen[Seq[Seq[Edge]]] = for {
    nulls <- Gen.oneOf(0, 1)
    vertices <- Gen.oneOf(5L, 1000000L)
    vertex = orNull(Gen.choose(0L, vertices), nulls)
    edge = Gen.zip(vertex, vertex, orNull(someTimes, nulls))
    // Times in runs, as most are, and anyhow.
    run = Gen.zip(edge, Gen.choose(1, 300)).map { case (edge, times) =>
      Seq.tabulate(times)(i => edge.copy(_2 = edge._2.map(_ + i)))
    }
    batch = Gen.listOf(Gen.frequency(3 -> edge.map(Seq(_)), 1 -> run)).map(_.flatten)
    all <- Gen.listOf(batch)
  } yield all

  test("batches, with and without nulls, give the blocks and event times that their rows give") {
    forAll(batches, Gen.oneOf(true, false), Gen.oneOf(Panes(10, 10), Panes(30, 20))) {
      (batches: Seq[Seq[Edge]], forState: Boolean, panes: Panes) =>
        def open() = new OpenGraphs(panes, strings = false, forState, None, schema)
        val (byRow, byBatch) = (open(), open())
        val (wanted, found) = (new EventTimeStatsAccum, new EventTimeStatsAccum)
        val rowTimes = new EventTimes(wanted)
        val (batchCount, rowCount) = (metric(), metric())
        // Places that are not those of the edge.
        val places = EdgeBatches.Places(longAt(2), longAt(0), Some(longAt(1)))
        val feed = new EdgeBatches.Feed(places, key, found, batchCount, rowCount)
        val batchTimes = feed.eventTimes()
        batches.foreach { edges =>
          edges.foreach { case (src, dst, time) =>
            rowTimes.add(time.getOrElse(0L))
            val graph = byRow.onlyGraph(key)
            if (src.isEmpty || dst.isEmpty || time.isEmpty) graph.addNull()
            else graph.add(src.get, dst.get, time.get)
          }
          val columns = Array(column(edges.map(_._2)), column(edges.map(_._3)), column(edges.map(_._1)))
          feed.add(new ColumnarBatch(columns, edges.size), byBatch, batchTimes)
        }
        assert(byBatch.weight == byRow.weight || batches.forall(_.isEmpty))
        assert(blocks(byBatch) == blocks(byRow))
        assert(told(batchTimes, found) == told(rowTimes, wanted))
        assert(batchCount.value == batches.size && rowCount.value == batches.map(_.size).sum)
    }
  }

  test(
    "a batch is given back as Spark's own operator gives it back: once it is read, unless its memory is used again"
  ) {
    Seq(true, false).foreach { ofNew =>
      val forests = new OpenGraphs(Panes(10, 10), strings = false, forState = false, None, schema)
      val feed =
        new EdgeBatches.Feed(
          EdgeBatches.Places(longAt(0), longAt(1), Some(longAt(2))),
          key,
          null,
          metric(),
          metric()
        )
      (1 to 3).foreach { _ =>
        val columns = Seq.fill(4)(new CountingVector(column(Seq(Some(1L), Some(2L))), ofNew))
        feed.add(new ColumnarBatch(columns.toArray, 2), forests, null)
        assert(columns.map(_.closed) == Seq.fill(4)(if (ofNew) 1 else 0))
        assert(columns.map(_.readAfter).forall(_ == 0))
      }
      assert(blocks(forests).nonEmpty)
    }
  }

  test(
    "a vertex of every number, pane after pane: forests that have a range, and edges that are left as they are"
  ) {
    Seq(20000, 10000000).foreach { vertices =>
      def open() = new OpenGraphs(Panes(10, 10), strings = false, forState = false, None, schema)
      val (byRow, byBatch) = (open(), open())
      val random = new java.util.SplittableRandom(1)
      val edges = Array.tabulate(100000)(i => (random.nextInt(vertices), random.nextInt(vertices), i / 2500L))
      edges.foreach { case (u, v, time) => byRow.onlyGraph(key).add(u.toLong, v.toLong, time) }
      edges.grouped(4096).foreach { batch =>
        val (src, dst, time) = (batch.map(_._1.toLong), batch.map(_._2.toLong), batch.map(_._3))
        byBatch.onlyGraph(key).addAll(src, dst, time, batch.length)
        assert(byBatch.weight > 0)
      }
      assert(byBatch.weight == byRow.weight)
      assert(blocks(byBatch) == blocks(byRow))
    }
  }

  private def takesBatches(plan: SparkPlan): Boolean = collect(plan) {
    case stage: WholeStageCodegenExec if stage.child.exists(_.isInstanceOf[PaneForestsExec]) => stage
  }.exists(_.doCodeGen()._2.body.contains("edgeBatches"))

  // Nulls in every place, in some batches alone, and vertices of dictionaries and of none.
  private def write(folder: String): Unit =
    spark.range(0, 20000, 1, 2).select(
      when(col("id") < 15000 || col("id") % 97 =!= 1, col("id") / 7).cast("bigint").as("src"),
      when(col("id") < 15000 || col("id") % 89 =!= 1, col("id") % 31).as("dst"),
      when(
        col("id") < 15000 || col("id") % 83 =!= 1,
        timestamp_seconds((col("id") / 20).cast("bigint"))
      ).as("at"),
      (col("id") % 2).as("part"),
      (col("id") % 31).cast("int").as("small"),
      when(col("id") < 15000 || col("id") % 89 =!= 1, -(col("id") % 7)).cast("int").as("other")
    ).write.partitionBy("part").parquet(folder)

  private def pairs = Seq((0L, 5L), (1L, 30L), (7L, 84L), (1L, 0L), (3L, -5L)).toDF("source", "target")

  private def ask(edges: DataFrame): DataFrame = edges.bicConnectivity("1 minute", "20 seconds", pairs)

  test("Parquet and ORC: batches where the edges are columns, however named; the same answers from rows") {
    withTempDir { folder =>
      val path = s"${folder.getPath}/edges"
      write(path)
      def edges = spark.read.parquet(path).withColumnRenamed("at", "time")
      edges.select(col("time"), col("dst"), col("src")).write.orc(s"${folder.getPath}/orc")
      val orc = spark.read.orc(s"${folder.getPath}/orc")
      // The folder's name is the vertex, one for all of a batch.
      val folders =
        spark.read.schema("src BIGINT, at TIMESTAMP, part BIGINT").parquet(path).toDF("src", "time", "dst")
      val ints = edges.select(col("small").as("src"), col("other").as("dst"), col("time"))
      val taken =
        Seq(edges, edges.select(col("dst").as("src"), col("src").as("dst"), col("time")), orc, folders, ints)
      val not = Seq(
        edges.where(col("dst") > 3),
        edges.withColumn("dst", col("dst") + 1),
        edges.withColumn("dst", col("small").cast("bigint") + 1L),
        edges.select(col("small").cast("short").as("src"), col("small").cast("short").as("dst"), col("time")),
        edges.withColumn("time", col("time") + lit("1 day").cast("interval")),
        edges.repartition(2)
      )
      taken.foreach { input =>
        val answers = ask(input)
        val rows = answers.collect()
        assert(rows.length > 0 && takesBatches(answers.queryExecution.executedPlan))
        withConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false") {
          checkAnswer(ask(input), rows.toSeq)
        }
      }
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
        val byGraph = edges.bicConnectivity("1 minute", "20 seconds", pairs, by = Seq("small"))
        Seq(taken.map(ask) -> true, (byGraph +: not.map(ask)) -> false).foreach { case (queries, batches) =>
          queries.foreach { answers =>
            val plan = answers.queryExecution.executedPlan
            assert(takesBatches(plan) == batches, s"for\n$plan")
          }
        }
      }
      val answers = ask(edges)
      answers.collect()
      val toRow = collect(answers.queryExecution.executedPlan) { case toRow: ColumnarToRowExec => toRow }.head
      assert(toRow.metrics("numOutputRows").value == 20000)
      assert(toRow.metrics("numInputBatches").value >= 4)
    }
  }

  private def asStreamed(src: String, dst: String): Unit =
    withTempDir { folder =>
      val path = s"${folder.getPath}/edges"
      write(path)
      def progress(vectorized: Boolean) =
        withConf(
          SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized.toString,
          SQLConf.FILES_MAX_PARTITION_BYTES.key -> "20000"
        ) {
          val edges = spark.readStream
            .schema("src BIGINT, dst BIGINT, at TIMESTAMP, part BIGINT, small INT, other INT")
            .option("maxFilesPerTrigger", 1).parquet(path)
            .select(col(src).as("src"), col(dst).as("dst"), col("at").as("time"))
            .withWatermark("time", "0 seconds")
          val query = ask(edges).writeStream.format("memory").queryName(s"batches$vectorized").start()
          try {
            query.processAllAvailable()
            val execution = query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution
            assert(takesBatches(execution.executedPlan) == vectorized)
            val told = query.recentProgress.filter(_.numInputRows > 0)
            told.toSeq.map(p => (p.numInputRows, p.eventTime.asScala.toMap - "watermark"))
          } finally query.stop()
        }
      val (byRow, byBatch) = (progress(vectorized = false), progress(vectorized = true))
      assert(byBatch.size >= 2 && byBatch == byRow)
      val rows: Seq[Row] = spark.table("batchesfalse").collect().toSeq
      assert(rows.nonEmpty)
      checkAnswer(spark.table("batchestrue"), rows)
    }

  test("a stream of files: the same answers, event times and counts as from rows") {
    asStreamed("src", "dst")
  }

  test("a stream of files whose vertices are INT is taken by batches too") {
    asStreamed("small", "other")
  }

  test("the average of a million event times is theirs, not that of a sum that has lost its last digits") {
    val accumulator = new EventTimeStatsAccum
    val times = new EventTimes(accumulator)
    val time = 1704067200000000L + (1 << 17) - 1
    Seq.fill(250)(Array.fill(4000)(time)).foreach(times.addAll(_, 4000))
    assert(math.abs(told(times, accumulator).avg - time / 1000.0) < 1e-3)
  }
}

/** A column that counts how often it is closed, and read afterwards.
  *
  * @param ofNew whether its memory is its own, so that it is to be closed once it is read
  */
private final class CountingVector(values: ColumnVector, ofNew: Boolean)
    extends ColumnVector(values.dataType) {
  var closed = 0
  var readAfter = 0

  private def read: ColumnVector = {
    if (closed > 0) readAfter += 1
    values
  }

  override def close(): Unit = closed += 1
  override def closeIfFreeable(): Unit = if (ofNew) close()
  override def hasNull: Boolean = read.hasNull
  override def numNulls: Int = read.numNulls
  override def isNullAt(row: Int): Boolean = read.isNullAt(row)
  override def getBoolean(row: Int): Boolean = read.getBoolean(row)
  override def getByte(row: Int): Byte = read.getByte(row)
  override def getShort(row: Int): Short = read.getShort(row)
  override def getInt(row: Int): Int = read.getInt(row)
  override def getLong(row: Int): Long = read.getLong(row)
  override def getFloat(row: Int): Float = read.getFloat(row)
  override def getDouble(row: Int): Double = read.getDouble(row)
  override def getArray(row: Int): ColumnarArray = read.getArray(row)
  override def getMap(row: Int): ColumnarMap = read.getMap(row)
  override def getDecimal(row: Int, precision: Int, scale: Int): Decimal =
    read.getDecimal(row, precision, scale)
  override def getUTF8String(row: Int): UTF8String = read.getUTF8String(row)
  override def getBinary(row: Int): Array[Byte] = read.getBinary(row)
  override def getChild(ordinal: Int): ColumnVector = read.getChild(ordinal)
}
