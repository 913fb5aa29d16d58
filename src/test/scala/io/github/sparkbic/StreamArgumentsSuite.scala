package io.github.sparkbic

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.{AnalysisException, DataFrame, Dataset, Observation, QueryTest}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.{expr, window, window_time}
import org.apache.spark.sql.streaming._
import org.apache.spark.sql.test.SharedSparkSession

/** Streams that cannot be answered: each is refused by a message with the reason and the fix. */
class StreamArgumentsSuite extends QueryTest with SharedSparkSession with ConfResults {
  import testImplicits._

  private def edges: DataFrame =
    Seq((1L, 2L, 0L)).toDF("src", "dst", "at").selectExpr("src", "dst", "timestamp_seconds(at) AS time")

  private def asked: DataFrame = Seq((1L, 2L)).toDF("source", "target")

  private def refusal(call: => Any): String = intercept[AnalysisException](call).getMessage

  test("a stream without a watermark on its time") {
    val stream = MemoryStream[(Long, Long, Long)].toDF().toDF(
      "src",
      "dst",
      "at"
    ).selectExpr("src", "dst", "timestamp_seconds(at) AS time", "current_timestamp() AS seen")
    assert(refusal(stream.bicConnectivity("1 hour", "1 hour", asked)) ==
      "a streaming query needs a watermark on the column 'time', which tells when a window is complete; add one with " +
      """edges.withWatermark("time", "10 minutes")""")
    assert(refusal(stream.withWatermark("seen", "1 minute").bicConnectivity("1 hour", "1 hour", asked)) ==
      "a streaming query needs a watermark on the column 'time', which tells when a window is complete (the watermark " +
      """is on 'seen'); add one with edges.withWatermark("time", "10 minutes")""")
  }

  test("a stream on a time of which Spark takes no watermark") {
    val stream = MemoryStream[(Long, Long, Long)].toDF().toDF("src", "dst", "at")
      .selectExpr("src", "dst", "cast(timestamp_seconds(at) AS TIMESTAMP_NTZ) AS time")
    assert(refusal(stream.bicConnectivity("1 hour", "1 hour", asked)) ==
      "a streaming query needs a watermark on the column 'time', which tells when a window is complete; add one with " +
      "edges.withColumn(\"time\", col(\"time\").cast(\"timestamp\")).withWatermark(\"time\", \"10 minutes\"), which Spark " +
      "takes of a TIMESTAMP only")
  }

  test("a stream of what Spark holds back until the watermark has passed it") {
    def stream = MemoryStream[(Long, Long, Long)].toDF().toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time").withWatermark("time", "1 minute")
    def refusalOf(edges: DataFrame) = refusal(edges.bicConnectivity("1 hour", "1 hour", asked))
    val rest =
      ", whose rows come out once the watermark has passed their time, so they would be late; write them to a " +
        "table, and read that as a stream"
    val counted = stream.groupBy(window($"time", "1 minute"), $"src", $"dst").count()
      .select($"src", $"dst", window_time($"window").as("time"))
    assert(refusalOf(counted) == s"edges come from a streaming aggregation$rest")
    stream.createOrReplaceTempView("calls")
    assert(
      refusalOf(spark.sql("SELECT DISTINCT * FROM calls")) == s"edges come from a streaming distinct$rest"
    )
    val others = stream.toDF("from", "to", "at")
    Seq("left_outer", "right_outer", "full_outer").foreach { kind =>
      val joined =
        stream.join(others, expr("dst = from AND at BETWEEN time AND time + INTERVAL 1 MINUTE"), kind)
      assert(refusalOf(joined) == s"edges come from an outer join of two streams$rest")
    }
    assert(stream.dropDuplicates("src", "dst", "time").bicComponentStats("1 hour").isStreaming)
    // A table is there at once, whatever was made of it.
    val counts = edges.groupBy($"src".as("known")).count().distinct()
    assert(
      stream.join(counts, $"src" === $"known", "left_outer").bicComponentStats("1 hour").isStreaming
    )
  }

  test("a stream with a watermark on answers, which would wait for one another") {
    val input = MemoryStream[(Long, Long, Long)]
    val edges = input.toDF().toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time").withWatermark("time", "1 minute")
    val answers = edges.bicComponents("1 hour")
    input.addData((1L, 2L, 0L))
    val marked = answers.withColumn("time", window_time($"window")).withWatermark("time", "1 minute")
    val advice =
      "which would wait for one another for ever; write the answers to a table, and read that as a stream"
    assert(
      refusal(marked.bicComponents("1 hour", src = "vertex", dst = "component")).endsWith(advice)
    )
    val joined =
      input.toDF().toDF("src", "dst", "at").join(this.edges.bicComponents("1 hour"), $"src" === $"vertex")
        .selectExpr("src", "dst", "timestamp_seconds(at) AS time").withWatermark("time", "1 minute")
    assert(joined.bicComponents("1 hour").isStreaming)
    // Not known before the query starts. On Spark 4.0 such a query starts, and waits.
    if (!SPARK_VERSION.startsWith("4.0")) withTempDir { checkpoint =>
      val query = marked.writeStream.format("noop").option("checkpointLocation", checkpoint.getPath).start()
      val failure = intercept[StreamingQueryException](query.processAllAvailable())
      assert(failure.getCause.getMessage.endsWith(advice))
    }
  }

  test("sizes of the cache that are none") {
    def refusalOf(conf: (String, String)) = withConf(conf) {
      val edges = MemoryStream[(Long, Long, Long)].toDF().toDF("src", "dst", "at")
        .selectExpr("src", "dst", "timestamp_seconds(at) AS time").withWatermark("time", "1 minute")
      refusal(edges.bicComponentStats("1 hour"))
    }
    Seq("-1", "much", "99999999999g").foreach { size =>
      assert(
        refusalOf("spark.bic.cache.maxBytes" -> size) ==
          s"spark.bic.cache.maxBytes is '$size', which is no size; give one such as '512m', or '0' for no cache"
      )
    }
    assert(
      refusalOf("spark.bic.cache.minBytes" -> "few") ==
        "spark.bic.cache.minBytes is 'few', which is no size; give one such as '4k', or '0' to keep every graph"
    )
  }

  test("an Observation on a stream") {
    val stream = MemoryStream[(Long, Long, Long)]
      .toDF()
      .toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time")
      .withWatermark("time", "1 minute")
    assert(
      refusal(stream.bicConnectivity(
        "1 hour",
        "1 hour",
        asked,
        observation = Some(Observation("counted"))
      )) ==
        "an Observation serves static DataFrames only; in a stream the counters are in the observedMetrics of the " +
        "query's progress"
    )
  }

  test("an output mode other than append") {
    val stream = MemoryStream[(Long, Long, Long)].toDF().toDF(
      "src",
      "dst",
      "at"
    ).selectExpr("src", "dst", "timestamp_seconds(at) AS time")
    val answers = stream.withWatermark("time", "1 minute").bicConnectivity("1 hour", "1 hour", asked)
    def refusalOf(mode: String) = refusal(answers.writeStream.format("noop").outputMode(mode).start())
    assert(
      refusalOf(
        "update"
      ).startsWith("flatMapGroupsWithState in append mode is not supported with Update output mode")
    )
    assert(refusalOf("complete").contains("Invalid streaming output mode: complete"))
  }

  test("a stream that comes from an operator with a state of its own") {
    val stream = MemoryStream[(Long, Long, Long)].toDF().toDF("src", "dst", "at").as[(Long, Long, Long)]
    def refusalOf(rows: Dataset[(Long, Long, Long)]) = {
      val edges = rows.toDF("src", "dst", "at").selectExpr("src", "dst", "timestamp_seconds(at) AS time")
      refusal(edges.withWatermark("time", "1 minute").bicConnectivity("1 hour", "1 hour", asked))
    }
    val grouped = stream.groupByKey(_._1)
    val kept = grouped.flatMapGroupsWithState(OutputMode.Append, GroupStateTimeout.NoTimeout) {
      (_: Long, rows: Iterator[(Long, Long, Long)], _: GroupState[Long]) => rows
    }
    assert(refusalOf(kept).startsWith("edges come from flatMapGroupsWithState, whose rows come out once"))
  }

  test("an operator with a state of its own after the answers: Spark refuses it") {
    val stream = MemoryStream[(Long, Long, Long)].toDF().toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time").withWatermark("time", "1 minute")
    val answers = stream.bicConnectivity("1 hour", "1 hour", asked)
    val text = refusal(answers.groupBy("window").count().writeStream.format("noop").start())
    assert(text.contains("not supported for streaming aggregations without watermark"))
  }
}
