package io.github.sparkbic.operator

import java.sql.Timestamp

import org.apache.spark.sql.{AnalysisException, DataFrame, Observation, QueryTest, Row}
import org.apache.spark.sql.bic.Shims
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Stream, Streams}
import io.github.sparkbic.index.Streams.{nameAsDrawn, shrinkStream}
import io.github.sparkbic.operator.AsOfSuite.events
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.block.Names.nameOf

/** Answers for events of static DataFrames. */
class AsOfSuite extends QueryTest with SharedSparkSession with ConfResults with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 8, sizeRange = 60)

  test("any edges and events give exactly a row for each event, which is the oracle's") {
    forAll(Streams.stream, Gen.choose(0L, Long.MaxValue)) { (stream, seed) =>
      val random = new scala.util.Random(seed)
      val (window, slide, startTime) = panesInSeconds(stream)
      val lengths =
        stream.panes.window +: Seq(stream.panes.window + stream.panes.slide).filter(_ => random.nextBoolean())
      val (ofPair, strings) = (random.nextInt(3) > 0, random.nextInt(3) == 0)
      val marked = if (random.nextBoolean()) Some(stream.vertices.take(3).toSet + 4242L) else None
      val oracle =
        AsOfOracle(lengths, stream.panes.slide, stream.panes.startTime, marked, ofPair)
      val happened = events(stream, random)
      def vertex(name: String) = col(name).cast("bigint")
      def named(frame: DataFrame, columns: String*) =
        if (!strings) frame
        else {
          val name = org.apache.spark.sql.functions.udf((id: Long) => nameOf(id))
          columns.foldLeft(frame)((f, c) =>
            f.withColumn(c, org.apache.spark.sql.functions.when(col(c).isNotNull, name(vertex(c))))
          )
        }
      val edges = named(random.shuffle(stream.edges).map(row(0, _)).toDF(), "src", "dst").repartition(2)
      val frame = named(AsOfSuite.frame(spark, random.shuffle(happened)), "source", "target").repartition(3)
      withConf(Parallelism.SegmentWindowsConf -> random.nextInt(3).toString) {
        val got = edges.bicAsOf(
          frame,
          lengths.map(seconds),
          slide,
          "source",
          if (ofPair) "target" else null,
          marked = marked.fold[DataFrame](null)(marks => named(marks.toSeq.toDF("vertex"), "vertex")),
          startTime = startTime
        )
        assert(got.schema.fieldNames.toSeq == frame.schema.fieldNames.toSeq :+ "graph")
        val found = got.collect().toSeq.map(row =>
          row.toSeq.init.mkString(",") -> AsOfOracle.shown(row.get(row.size - 1))
        )
        val names = if (strings) Some(nameOf(_: Long)) else None
        val byId = frame.collect().map(row => row.getAs[Long]("id") -> row.toSeq.mkString(",")).toMap
        val wanted = happened.map(event => byId(event.id) -> oracle.answer(event, stream.edges, names))
        assert(found.sorted == wanted.sorted)
      }
    }
  }

  private def edgesOf(rows: (Long, Long, Long)*): DataFrame =
    rows.toDF("src", "dst", "t").selectExpr("src", "dst", "timestamp_seconds(t) AS time")

  // Edges of the panes [0, 10) and [10, 20).
  private def sample = edgesOf((1, 2, 3), (2, 3, 12), (7, 7, 15))

  private def asked(id: Long, source: Long, target: Long, time: Long) =
    Seq((id, source, target, time)).toDF("id", "source", "target", "t")
      .selectExpr("id", "source", "target", "timestamp_seconds(t) AS time")

  test("no edge of the event's own pane counts, and the window moves by panes") {
    val happened = Seq(9L, 10L, 19L, 20L, 29L, 30L, 40L).map(t => asked(t, 1, 3, t)).reduce(_ union _)
    val got = sample.bicAsOf(happened, "20 seconds", "10 seconds", "source", "target")
    checkAnswer(
      got.selectExpr(
        "id",
        "graph.connected",
        "unix_seconds(graph.since)",
        "graph.source.size",
        "graph.target.component"
      ),
      Seq(
        Row(9, false, null, 0, null),
        Row(10, false, null, 2, null),
        Row(19, false, null, 2, null),
        Row(20, true, 0, 3, 1),
        Row(29, true, 0, 3, 1),
        Row(30, false, null, 0, 2),
        Row(40, false, null, 0, null)
      )
    )
  }

  test("columns of any types come back as they were, and the edges may be the events") {
    def asked(columns: Seq[String]): DataFrame = {
      val edges = spark.range(50).selectExpr(
        "id AS src" +: "id + 1 AS dst" +: "timestamp_seconds(id) AS time" +: columns: _*
      )
      val got = edges.bicAsOf(edges, "10 seconds", "5 seconds", "src", "dst")
      assert(got.schema.init.map(f => f.name -> f.dataType) == edges.schema.map(f => f.name -> f.dataType))
      def texts(frame: DataFrame) =
        AsOfSuite.texts(frame, edges.columns.toSeq).collect().map(_.toString).sorted
      assert(texts(got).toSeq == texts(edges).toSeq)
      got
    }
    val got = asked(AsOfSuite.OfEveryType)
    forAll(AsOfSuite.columnsOfAnyTypes)(asked(_))
    val sizes = got.where("src BETWEEN 20 AND 24").selectExpr("src", "graph.source.size", "graph.target.size")
    checkAnswer(sizes, Seq(Row(20, 11, 0), Row(21, 0, 0), Row(22, 0, 0), Row(23, 0, 0), Row(24, 0, 0)))
  }

  test("graphs by a column, whose key may be null, and of a wider type in the events") {
    val edges = edgesOf((1, 2, 3), (2, 3, 3)).withColumn("site", lit(1).cast("tinyint"))
      .union(edgesOf((1, 5, 3)).withColumn("site", lit(null).cast("tinyint")))
    val events =
      Seq[(Long, Option[Long], Long)]((1, Some(1), 1), (2, None, 1), (3, Some(257), 1), (4, Some(1), 9))
        .toDF("id", "SITE", "vertex").withColumn(
          "time",
          lit(Timestamp.from(java.time.Instant.ofEpochSecond(12)))
        )
    Seq(0, 1).foreach { segments =>
      withConf(Parallelism.SegmentWindowsConf -> segments.toString) {
        val got = edges.bicAsOf(events, "10 seconds", null, "vertex", by = Seq("site"))
        checkAnswer(
          got.selectExpr("id", "SITE", "graph.component", "graph.size"),
          Seq(Row(1, 1, 1, 3), Row(2, null, 1, 2), Row(3, 257, null, 0), Row(4, 1, null, 0))
        )
      }
    }
  }

  test("counters, and a null time") {
    val observation = Observation("counted")
    val events = asked(1, 1, 3, 20).unionAll(asked(2, 1, 3, 20)).unionAll(asked(3, 1, 3, 20).withColumn(
      "time",
      lit(null).cast("timestamp")
    ))
    val got = sample.bicAsOf(events, "20 seconds", "10 seconds", "source", observation = Some(observation))
    checkAnswer(
      got.selectExpr("id", "graph.size", "graph IS NULL"),
      Seq(Row(1, 3, false), Row(2, 3, false), Row(3, null, true))
    )
    val plan = Shims.execution(got).executedPlan.toString
    assert(plan.contains("BicWindows bicAsOf, index recency, window 20 seconds, pane 10 seconds"))
    assert(observation.get("events") == 3L && observation.get("late_events") == 0L && observation.get(
      "edges"
    ) == 3L)
  }

  test("types of vertices and times are those of the edges, and windows are in the order of the call") {
    val edges = sample.selectExpr(
      "cast(src AS int) AS src",
      "cast(dst AS smallint) AS dst",
      "cast(time AS timestamp_ntz) AS time"
    )
    val events =
      asked(1, 1, 3, 20).selectExpr("cast(source AS tinyint) AS s", "cast(time AS timestamp_ntz) AS at")
    val got = edges.bicAsOf(
      events,
      Seq("10 seconds", "30 seconds", "20 seconds"),
      "10 seconds",
      "s",
      at = "at",
      wait = false
    )
    val one =
      "struct<window:struct<start:timestamp_ntz,end:timestamp_ntz>,component:int,size:bigint,final:boolean>"
    assert(got.schema("graph").dataType.catalogString == s"array<$one>")
    checkAnswer(got.selectExpr("graph.size", "graph.final"), Row(Seq(0, 3, 3), Seq(true, true, true)))
  }

  test("arguments that cannot be meant are refused") {
    val events = asked(1, 1, 3, 20)
    def refused(text: String)(call: => DataFrame): Unit = {
      val message = intercept[AnalysisException](call).getMessage
      assert(message.contains(text))
    }
    refused(
      "events have a column 'Graph' already, which is the name of the column with the answers; rename it"
    ) {
      sample.bicAsOf(events.withColumn("Graph", lit(1)), "1 hour", null, "source")
    }
    refused("column 'source' is given as source and as target; leave target out to ask for one vertex") {
      sample.bicAsOf(events, "1 hour", null, "source", "source")
    }
    refused("events have no column 'payer' (given as source)") {
      sample.bicAsOf(events, "1 hour", null, "payer")
    }
    refused("events have 'source' (STRING), but the vertices of the edges are integral") {
      sample.bicAsOf(events.withColumn("source", col("source").cast("string")), "1 hour", null, "source")
    }
    refused(
      "events have 'time' (TIMESTAMP_NTZ) as at, but the edges have the time 'time' (TIMESTAMP); cast one of them"
    ) {
      sample.bicAsOf(events.withColumn("time", col("time").cast("timestamp_ntz")), "1 hour", null, "source")
    }
    refused("bicAsOf needs the index 'recency', but index is 'bic'; give index 'auto' or 'recency'") {
      sample.bicAsOf(events, "1 hour", null, "source", index = "bic")
    }
    refused("events have no column 'site' (given as by)") {
      sample.withColumn("site", lit(1)).bicAsOf(events, "1 hour", null, "source", by = Seq("site"))
    }
  }
}

object AsOfSuite {

  /** Columns of every type, made of a column `id`. */
  val OfEveryType: Seq[String] = Seq(
    "named_struct('a', id, 'b', named_struct('c', if(id % 2 = 0, null, 'x'))) AS nested",
    "array(id, null, id + 1) AS items",
    "map('k', array(id), 'l', null) AS mapped",
    "cast(id / 7 AS decimal(38, 10)) AS wide",
    "cast(id AS decimal(9, 2)) AS narrow",
    "cast(cast(id AS string) AS binary) AS bytes",
    "if(id % 3 = 0, null, cast(id AS double)) AS maybe",
    "make_ym_interval(1, cast(id AS int)) AS months",
    "make_dt_interval(cast(id AS int)) AS days",
    "make_interval(0, 1, 2, cast(id AS int)) AS calendar",
    "date_add(DATE'2020-01-01', cast(id AS int)) AS day",
    "timestamp_ntz'2020-01-01 00:00:00' AS local",
    "cast(null AS void) AS nothing",
    "cast(id AS tinyint) AS tiny",
    "id % 2 = 0 AS flag",
    "id AS `a.b ``c`"
  )

  /** Columns of types in types, some of whose values are null, made of a column `id`. */
  val columnsOfAnyTypes: Gen[Seq[String]] = {
    val leaf = Gen.oneOf(
      "id",
      "cast(id % 100 AS smallint)",
      "repeat('é', cast(id % 5 AS int))",
      "cast(id % 2 AS float) * -1",
      "if(id % 2 = 0, double('NaN'), cast(id AS double))",
      "cast(id AS decimal(38, 3))",
      "encode(cast(id AS string), 'UTF-8')",
      "timestamp_seconds(id)",
      "date_add(DATE'1969-12-01', cast(id AS int))",
      "id % 2 = 0",
      "make_dt_interval(cast(id AS int))"
    )
    def nullable(value: String): Gen[String] =
      Gen.oneOf(value, s"if(id % 3 = 1, null, $value)", s"if(id >= 0, null, $value)")
    def ofDepth(depth: Int): Gen[String] =
      if (depth == 0) leaf.flatMap(nullable)
      else
        Gen.lzy(Gen.oneOf(
          ofDepth(0),
          ofDepth(depth - 1).map(item => s"array($item, null, $item)"),
          ofDepth(depth - 1).map(value => s"map(id, $value)"),
          Gen.zip(ofDepth(depth - 1), ofDepth(0)).map { case (p, q) => s"named_struct('p', $p, 'q', $q)" }
        ).flatMap(nullable))
    Gen.choose(0, 5).flatMap(Gen.listOfN(_, ofDepth(3))).map(_.zipWithIndex.map { case (value, i) =>
      s"$value AS c$i"
    })
  }

  /** A text of each column that tells its values apart. */
  def texts(frame: DataFrame, columns: Seq[String]): DataFrame = frame.selectExpr(columns.map { name =>
    s"to_json(struct(`${name.replace("`", "``")}`))"
  }: _*)

  /** Events before, within and after the edges, some of them of vertices that do not occur, or with nulls. */
  def events(stream: Stream, random: scala.util.Random): Seq[TestEvent] = {
    val times = stream.edges.map(_.time) :+ 0L
    val vertices = stream.vertices :+ 424242L
    def vertex = if (random.nextInt(12) == 0) None else Some(vertices(random.nextInt(vertices.size)))
    (0 until random.nextInt(60)).map { id =>
      val time = times(random.nextInt(times.size)) + random.nextInt(40) - 20
      val source = vertex
      val target = if (random.nextInt(10) == 0) source else vertex
      TestEvent(id.toLong, if (random.nextInt(20) == 0) None else Some(time), source, target)
    }
  }

  def frame(spark: org.apache.spark.sql.SparkSession, events: Seq[TestEvent]): DataFrame =
    columns(spark.createDataFrame(events))

  /** Events with times as Spark has them. */
  def columns(events: DataFrame): DataFrame =
    events.selectExpr("id", "source", "timestamp_seconds(time) AS time", "target", "graph AS site")
}
