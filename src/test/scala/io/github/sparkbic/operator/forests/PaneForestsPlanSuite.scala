package io.github.sparkbic.operator.forests

import scala.jdk.CollectionConverters._

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.bic.TestShims
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.logical.{EventTimeWatermark, LogicalPlan}
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy, UnaryExecNode, WholeStageCodegenExec}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec
import org.apache.spark.sql.functions._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.operator.WindowsExec

/** How Spark runs stage 1: in generated code wherever it generates any, and with the same answers wherever it does not. */
class PaneForestsPlanSuite extends QueryTest with SharedSparkSession with ConfResults with StagePlans {
  import testImplicits._

  private def withCode[A](generated: Boolean)(block: => A): A =
    withConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> generated.toString)(block)

  // Nulls in every place, and a graph of its own for each third row.
  private def edges: DataFrame = spark.range(0, 600, 1, 2).selectExpr(
    "if(id % 97 = 1, NULL, id DIV 7) AS src",
    "if(id % 89 = 1, NULL, id % 31) AS dst",
    "if(id % 83 = 1, NULL, timestamp_seconds(id)) AS time",
    "nullif(id % 3, 0) AS graph"
  )

  private def named(edges: DataFrame): DataFrame =
    Seq("src", "dst").foldLeft(edges)((e, c) => e.withColumn(c, col(c).cast("string")))

  private def variants: Seq[DataFrame] = {
    val pairs = Seq((0L, 5L), (1L, 30L), (7L, 84L)).toDF("source", "target")
    val stringPairs = pairs.select(col("source").cast("string"), col("target").cast("string"))
    Seq(
      edges.bicConnectivity("1 minute", "20 seconds", pairs),
      edges.bicConnectivity("1 minute", "20 seconds", pairs, by = Seq("graph")),
      named(edges).bicConnectivity("1 minute", "20 seconds", stringPairs, by = Seq("graph")),
      edges.withColumn("src", lit(3L)).bicConnectivity("1 minute", "20 seconds", pairs),
      named(edges).bicChanges("1 minute", "20 seconds", stable = true),
      named(edges).bicComponents("1 minute", "20 seconds", by = Seq("graph"))
    )
  }

  test("in the code generated for the stage; the same answers without it, and without the strategy") {
    withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
      variants.foreach(answers => assert(stages(planOf(answers)).size == 1))
    }
    val wanted = variants.map { answers =>
      val rows = answers.collect().toSet
      assert(rows.nonEmpty && stages(planOf(answers)).size == 1)
      rows
    }
    assert(withCode(generated = false)(variants.map(_.collect().toSet)) == wanted)
    val built = variants
    val strategies = spark.experimental.extraStrategies
    spark.experimental.extraStrategies = Nil
    try built.zip(wanted).foreach { case (answers, rows) =>
        assert(answers.collect().toSet == rows && stages(planOf(answers)).isEmpty)
        assert(collect(planOf(answers)) { case windows: WindowsExec => windows }.isEmpty)
      }
    finally spark.experimental.extraStrategies = strategies
  }

  private def timed(rows: DataFrame, delay: String = "0 seconds"): DataFrame =
    rows.toDF("src", "dst", "at").select(col("src"), col("dst"), timestamp_seconds(col("at")).as("time"))
      .withWatermark("time", delay)

  private val path = Seq((1L, 2L, 1L), (2L, 3L, 2L), (1L, 1L, 50L))

  /** The plan of a stream in which 1 and 3 are connected. */
  private def planOfPath(name: String): SparkPlan = {
    val input = MemoryStream[(Long, Long, Long)]
    val answers = timed(input.toDF()).bicConnectivity("10 seconds", "10 seconds", Seq((1L, 3L)))
    streaming(answers, name) { query =>
      input.addData(path: _*)
      query.processAllAvailable()
      checkAnswer(spark.table(name).select("connected"), Row(true))
      val plan = planOf(query)
      assert(stages(plan).size == 1, "the session of a stream is a copy of the user's")
      plan
    }
  }

  /** Of a stream over 12 partitions: the tasks that make forests, and whether the edges of all partitions connect a path. */
  private def overPartitions(generated: Boolean)(prepared: DataFrame => DataFrame): (Int, Boolean) = {
    val input = MemoryStream[(Long, Long, Long)]
    // Each call makes a partition.
    (0L until 12L).foreach(id => input.addData((id, id + 1, id)))
    // The watermark is so late that no micro-batch without data follows the first, whose plan is looked at.
    val edges = timed(prepared(input.toDF()), "1 minute")
    withCode(generated) {
      streaming(edges.bicConnectivity("20 seconds", "20 seconds", Seq((0L, 12L))), "answers") { query =>
        query.processAllAvailable()
        val mappers = collect(planOf(query)) {
          case exchange: ShuffleExchangeExec if exchange.child.exists(holds) => exchange.numMappers
        }
        input.addData((0L, 0L, 600L))
        query.processAllAvailable()
        (mappers.head, spark.table("answers").select("connected").as[Boolean].collect().toSeq == Seq(true))
      }
    }
  }

  test("a source of many partitions is read by two tasks a core; shuffled, each partition has a task") {
    Seq(true, false).foreach { generated =>
      assert(overPartitions(generated)(identity) == ((2 * sparkContext.defaultParallelism, true)))
    }
    assert(overPartitions(generated = true)(_.repartition(7)) == ((7, true)))
  }

  // Rows with nulls and times in no order, in partitions of which one is empty, as a stream of two micro-batches.
  private def progressOf(generated: Boolean)(query: DataFrame => DataFrame) = {
    val input = MemoryStream[(Option[Long], Long, Option[Long])]
    val edges = input.toDF().toDF("src", "dst", "micros").repartition(3)
      .select(col("src"), col("dst"), timestamp_micros(col("micros")).as("time"))
      .withWatermark("time", "1 second").where(col("dst") =!= 8L)
    withCode(generated) {
      streaming(query(edges), s"progress$generated") { stream =>
        Seq(Seq(70000999L, 3000001L, 60000000L), Seq(90000000L, 80500500L)).foreach { times =>
          input.addData(times.map(t => (Some(1L), 2L, Some(t))) :+ ((None, 8L, Some(99000000L))))
          stream.processAllAvailable()
        }
        input.addData((Some(1L), 2L, None))
        stream.processAllAvailable()
        val inStage = collect(planOf(stream)) { case watermark: WatermarkInStageExec => watermark }.size
        val progress = stream.recentProgress.filter(_.numInputRows > 0).toSeq
        (inStage, progress.map(p => p.eventTime.asScala.toMap), progress.map(_.numInputRows))
      }
    }
  }

  test("event times are those that Spark's own operator notes, also behind a node of a plugin") {
    val (_, times, rows) = progressOf(generated = true)(identity)
    assert(times.map(_.keySet) == Seq.fill(3)(Set("max", "min", "avg", "watermark")))
    def check(generated: Boolean): Unit = {
      val found = progressOf(generated)(_.bicConnectivity("10 seconds", "5 seconds", Seq((1L, 2L))))
      assert(found == ((1, times, rows)))
    }
    Seq(true, false).foreach(check)
    val strategies = spark.experimental.extraStrategies
    spark.experimental.extraStrategies = WrappingStrategy +: strategies
    try {
      check(generated = true)
      // The node of the plugin is run as it is.
      assert(collect(planOfPath("wrapped")) { case wrapper: Wrapper => wrapper }.size == 1)
    } finally spark.experimental.extraStrategies = strategies
  }

  test("a watermark over what makes many rows of one, in a stage without the forests: no row is lost") {
    val input = MemoryStream[(Seq[Long], Long)]
    val edges = input.toDF().toDF("path", "at")
      .select(explode(col("path")).as("src"), timestamp_seconds(col("at")).as("time"))
      .withWatermark("time", "0 seconds")
      // Such a function has no generated code, which ends the stage of the watermark.
      .select(col("src"), filter(array(col("src") + 1L), _.isNotNull)(0).as("dst"), col("time"))
    streaming(edges.bicComponents("10 seconds", "10 seconds"), "exploded") { query =>
      input.addData((Seq(1L, 2L, 3L, 7L), 1L), (Nil, 2L), (Seq(0L), 50L))
      query.processAllAvailable()
      val ended = collect(planOf(query)) { case one @ WholeStageCodegenExec(_: WatermarkInStageExec) => one }
      assert(ended.size == 1)
      val wanted = Seq(1L, 2L, 3L, 4L).map(Row(_, 1L)) ++ Seq(7L, 8L).map(Row(_, 7L))
      checkAnswer(spark.table("exploded").select("vertex", "component"), wanted)
    }
  }

  test("two questions about the edges of one stream in a query: each follows the watermark") {
    // One call used twice is observed under one name, and two equal calls are observed apart.
    Seq[(DataFrame => DataFrame, Boolean, Seq[Long])](
      (identity, true, Seq(3L)),
      (_.repartition(2), false, Seq(3L, 3L))
    ).foreach { case (moved, isOneCall, counts) =>
      withTempDir { folder =>
        val rows = spark.readStream.schema("src BIGINT, dst BIGINT, at BIGINT").json(folder.getPath)
        val edges = moved(timed(rows))
        def call = edges.bicConnectivity("10 seconds", "10 seconds", Seq((1L, 3L)))
        val first = call
        val name = s"twice$isOneCall"
        streaming(first.union(if (isOneCall) first else call), name) { query =>
          path.toDF("src", "dst", "at").coalesce(1).write.mode("append").json(folder.getPath)
          query.processAllAvailable()
          checkAnswer(spark.table(name).select("connected"), Seq(Row(true), Row(true)))
          assert(Observed.of(query).map(_.getAs[Long]("edges")).filter(_ > 0) == counts)
        }
      }
    }
  }

  test("forests that are sent on before the input ends still join all of it") {
    // Ids far apart, so that vertices take the memory of a table.
    val last = OpenMemory.Most * 9 / 8 * 1000
    val path = spark.range(0, last, 1000, 1).select(col("id").as("src"), (col("id") + 1000).as("dst"))
      .withColumn("time", timestamp_seconds(lit(0)))
    withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
      val answers = path.bicConnectivity("10 seconds", "10 seconds", Seq((0L, last), (0L, last + 1)))
        .select("target", "connected")
      checkAnswer(answers, Seq(Row(last, true), Row(last + 1, false)))
      // Not all at once: the generated code asks whether there are enough.
      val sent = collect(planOf(answers)) {
        case exchange: ShuffleExchangeExec => exchange.metrics("shuffleRecordsWritten").value
      }
      assert(sent.head > 1)
    }
  }

  test("no two dictionaries of names have one number, and a repeated task gives its own again") {
    def numbers() = spark.sparkContext.parallelize(1 to 4, 4).mapPartitions { _ =>
      val graphs = StageOne.open()
      Iterator.fill(2)(graphs.nextDictionary())
    }.collect()
    assert(numbers().distinct.length == 8)
    assert(numbers().forall(_ > 0) && numbers().sameElements(numbers()))
  }

  test("a repeated task makes the same blocks: Spark fails queries over what differs") {
    Seq(edges, named(edges)).foreach { edges =>
      val pairs = edges.select(col("src").as("source"), col("dst").as("target")).na.drop().limit(1)
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
        val answers = edges.bicConnectivity("1 minute", "20 seconds", pairs, by = Seq("graph"))
        val stage = stages(planOf(answers)).head
        def blocks() = stage.execute().map(_.asInstanceOf[UnsafeRow].getBytes.toSeq).collect().toSeq
        assert(blocks() == blocks())
      }
    }
  }
}

/** What a plugin may put around an operator of Spark's. */
private final case class Wrapper(child: SparkPlan) extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output
  override protected def doExecute(): RDD[InternalRow] = child.execute()
  override protected def withNewChildInternal(newChild: SparkPlan): Wrapper = copy(child = newChild)
}

private object WrappingStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case watermark: EventTimeWatermark =>
      Seq(Wrapper(TestShims.watermarkExec(watermark, planLater(watermark.child))))
    case _ => Nil
  }
}
