package io.github.sparkbic

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.{Observation, QueryTest}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.{expr, window, window_time}
import org.apache.spark.sql.streaming._
import org.apache.spark.sql.test.SharedSparkSession

/** Streams that cannot be answered: each is refused by a message with the reason and the fix. */
class StreamArgumentsSuite extends QueryTest with SharedSparkSession with Refusals {
  import testImplicits._

  test("a stream without a watermark on its time") {
    val needed =
      "a streaming query needs a watermark on the column 'time', which tells when a window is complete"
    s"""$needed; add one with edges.withWatermark("time", "10 minutes")""" refuses
      stream.bicComponents("1 hour")
    s"""$needed (the watermark is on 'seen'); add one with edges.withWatermark("time", "10 minutes")""" refuses
      stream.selectExpr("*", "current_timestamp() AS seen").withWatermark("seen", "1 minute")
        .bicComponents("1 hour")
    s"""$needed; add one with edges.withColumn("time", col("time").cast("timestamp")).withWatermark("time", "10 minutes"),""" +
      " which Spark takes of a TIMESTAMP only" refuses
      stream.selectExpr("src", "dst", "cast(time AS TIMESTAMP_NTZ) AS time").bicComponents("1 hour")
  }

  test("a stream of what Spark holds back until the watermark has passed it") {
    def told(source: String) =
      s"edges come from $source, whose rows come out once the watermark has passed their time, so they would be late; " +
        "write them to a table, and read that as a stream"
    val counted = inTime.groupBy(window($"time", "1 minute"), $"src", $"dst").count()
      .select($"src", $"dst", window_time($"window").as("time"))
    told("a streaming aggregation") refuses counted.bicComponents("1 hour")
    inTime.createOrReplaceTempView("calls")
    told("a streaming distinct") refuses spark.sql("SELECT DISTINCT * FROM calls").bicComponents("1 hour")
    val others = inTime.toDF("from", "to", "at")
    Seq("left_outer", "right_outer", "full_outer").foreach { kind =>
      val on = expr("dst = from AND at BETWEEN time AND time + INTERVAL 1 MINUTE")
      told("an outer join of two streams") refuses inTime.join(others, on, kind).bicComponents("1 hour")
    }
    val kept = stream.as[(Long, Long, java.sql.Timestamp)].groupByKey(_._1)
      .flatMapGroupsWithState(OutputMode.Append, GroupStateTimeout.NoTimeout) {
        (_: Long, rows: Iterator[(Long, Long, java.sql.Timestamp)], _: GroupState[Long]) => rows
      }.toDF("src", "dst", "time")
    told("flatMapGroupsWithState") refuses kept.withWatermark("time", "1 minute").bicComponents("1 hour")
    assert(inTime.dropDuplicates("src", "dst", "time").bicComponentStats("1 hour").isStreaming)
    // A table is there at once, whatever was made of it.
    val counts = edges.groupBy($"src".as("known")).count().distinct()
    assert(inTime.join(counts, $"src" === $"known", "left_outer").bicComponentStats("1 hour").isStreaming)
  }

  test("a stream with a watermark on answers, which would wait for one another") {
    val input = MemoryStream[(Long, Long, Long)]
    val edges = timed(input.toDF()).withWatermark("time", "1 minute")
    input.addData((1L, 2L, 0L))
    val marked = edges.bicComponents("1 hour").withColumn("time", window_time($"window"))
      .withWatermark("time", "1 minute")
    val advice =
      "… which would wait for one another for ever; write the answers to a table, and read that as a stream"
    advice refuses marked.bicComponents("1 hour", src = "vertex", dst = "component")
    val joined = edges.join(this.edges.bicComponents("1 hour"), $"src" === $"vertex")
    assert(joined.select("src", "dst", "time").bicComponents("1 hour").isStreaming)
    // Not known before the query starts. On Spark 4.0 such a query starts, and waits.
    if (!SPARK_VERSION.startsWith("4.0")) withTempDir { checkpoint =>
      val query = marked.writeStream.format("noop").option("checkpointLocation", checkpoint.getPath).start()
      val failure = intercept[StreamingQueryException](query.processAllAvailable())
      advice refuses (throw failure.getCause)
    }
  }

  test("an Observation on a stream") {
    "an Observation serves static DataFrames only; in a stream the counters are in the observedMetrics of the query's " +
      "progress" refuses inTime.bicComponents("1 hour", observation = Some(Observation("counted")))
  }

  test("what Spark itself refuses: another output mode, and an operator with a state after the answers") {
    val answers = inTime.bicConnectivity("1 hour", "1 hour", pair)
    def start(mode: String) = answers.writeStream.format("noop").outputMode(mode).start()
    "flatMapGroupsWithState in append mode is not supported with Update output mode…" refuses start("update")
    "…Invalid streaming output mode: complete…" refuses start("complete")
    "…not supported for streaming aggregations without watermark…" refuses
      answers.groupBy("window").count().writeStream.format("noop").start()
  }
}
