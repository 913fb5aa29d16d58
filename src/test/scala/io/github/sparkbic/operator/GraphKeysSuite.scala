package io.github.sparkbic.operator

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.{col, expr, xxhash64}
import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.keys.GraphKey

/** Keys of every type tell graphs apart exactly, and come back in the answers as they went in. */
class GraphKeysSuite extends QueryTest with SharedSparkSession with ConfResults {
  import testImplicits._

  // Two keys each, by whether `n` is 0 or 1. A decoder of UTF-8 takes the first ones for one text.
  private val text = Seq(
    "cast(if(n = 0, X'FF', X'FE') AS STRING)",
    "named_struct('name', cast(if(n = 0, X'61FF', X'61EFBFBD') AS STRING), 'code', 1)"
  )
  private val others = Seq(
    "named_struct('b', array(cast(if(n = 0, X'FF', X'FE') AS STRING)))",
    "collate(cast(if(n = 0, X'EDA080', X'EDB080') AS STRING), 'UTF8_BINARY')",
    "if(n = 0, '', NULL)",
    "array(if(n = 0, X'FF', X'FE'))",
    "make_dt_interval(0, 0, 0, 0.000001 * n)"
  )
  private val scalars = Seq(
    "if(n = 0, X'FF', X'FE')",
    "if(n = 0, float('1.4E-45'), float('0'))",
    "named_struct('x', if(n = 0, double('4.9E-324'), double('NaN')))",
    "cast(if(n = 0, '1.001', '1.002') AS DECIMAL(38, 18))",
    "timestamp_micros(-12219465600000000 + n)",
    "date_add(DATE'1582-10-04', n + 1)"
  )

  // Values that Spark groups as one.
  private val same = Seq(
    "struct(if(n = 0, float('0'), float('-0')), if(n = 0, double('0'), double('-0')), if(n = 0, double('NaN'), sqrt(-1D)), " +
      "cast(if(n = 0, '1.0', '1.000') AS DECIMAL(20, 3)))",
    "if(n = 0, double('0'), double('-0'))"
  )

  /** Source, target, time in seconds, and which key. */
  private val edges = Seq((1L, 2L, 1L, 0), (2L, 3L, 2L, 1))
  private val flush = Seq((7L, 8L, 1000L, 0), (7L, 8L, 1000L, 1))

  private def keyed(raw: DataFrame, key: String): DataFrame =
    raw.toDF("src", "dst", "seconds", "n")
      .select(col("src"), col("dst"), expr("timestamp_seconds(seconds)").as("time"), expr(key).as("k"))

  private def answers(edges: DataFrame, queries: DataFrame): DataFrame =
    edges.bicConnectivity("10 seconds", queries = queries, by = Seq("k"))
      .select(
        col("window.start").cast("long"),
        xxhash64(col("k")),
        col("source"),
        col("target"),
        col("connected")
      )

  private def first(rows: Seq[Row]): Set[(Long, Long, Long, Boolean)] =
    rows.filter(_.getLong(0) == 0).map(r => (r.getLong(1), r.getLong(2), r.getLong(3), r.getBoolean(4))).toSet

  private def inBatch(key: String, queries: DataFrame) =
    first(answers(keyed((edges ++ flush).toDF(), key), queries).collect().toSeq)

  private def inStream(layout: String, key: String, queries: DataFrame) = {
    val settings = FaultRun.settingsOf(if (layout == "panes") "panes" else "hdfs").toSeq
    withConf(settings :+ "spark.sql.shuffle.partitions" -> "1": _*) {
      val input = MemoryStream[(Long, Long, Long, Int)]
      val rows = ArrayBuffer.empty[Row]
      val collect = (batch: DataFrame, _: Long) => rows.synchronized(rows ++= batch.collect()): Unit
      withTempDir { checkpoint =>
        // The second edge comes to graphs that may have been restored.
        Seq(edges.take(1), edges.drop(1) ++ flush).foreach { batch =>
          input.addData(batch)
          answers(keyed(input.toDF(), key).withWatermark("time", "0 seconds"), queries).writeStream
            .foreachBatch(collect).option("checkpointLocation", checkpoint.getPath)
            .trigger(Trigger.AvailableNow()).start().awaitTermination()
        }
      }
      first(rows.toSeq)
    }
  }

  private def hashes(key: String): Seq[Long] =
    Seq(0, 1).toDF("n").select(xxhash64(expr(key))).as[Long].collect().toSeq

  private type Run = (String, DataFrame) => Set[(Long, Long, Long, Boolean)]
  private val value: Run = inStream("value", _, _)
  private val panes: Run = inStream("panes", _, _)

  // What takes a session some seconds runs on the keys for which it may matter.
  for {
    (way, run, keys) <- Seq[(String, Run, Seq[String])](
      ("batch", inBatch, text ++ others ++ scalars),
      ("value", value, text.take(1) ++ others.take(1) ++ scalars.take(2)),
      ("panes", panes, text ++ scalars.take(2))
    )
    if way == "batch" || FaultRun.layouts.contains(way)
    key <- keys
  } test(s"$way: two graphs by $key") {
    val Seq(a, b) = hashes(key): @unchecked
    // Each graph is asked for pairs of its own, and both for one.
    val own = keyed((edges ++ Seq((1L, 3L, 0L, 0), (1L, 3L, 0L, 1))).toDF(), key)
      .withColumnsRenamed(Map("src" -> "source", "dst" -> "target")).drop("time")
    assert(run(key, own) == Set((a, 1L, 2L, true), (a, 1L, 3L, false), (b, 2L, 3L, true), (b, 1L, 3L, false)))
  }

  for {
    (way, run) <- Seq[(String, Run)]("batch" -> inBatch, "value" -> value, "panes" -> panes)
    if way == "batch" || FaultRun.layouts.contains(way)
    key <- same
  }
    test(s"$way: one graph by $key") {
      assert(run(key, Seq((1L, 3L)).toDF("source", "target")) == Set((hashes(key).head, 1L, 3L, true)))
    }

  test("a message shows bytes as text, and as a literal where they are none") {
    val key = Row(7, "größe".getBytes("UTF-8"), Row(Seq(Array[Byte](97, -1)), null))
    assert(GraphKey.show(key) == "[7, größe, [[X'61FF'], null]]")
  }

  test("keys that a collation takes for one are refused, as long as their bytes differ") {
    Seq("UTF8_LCASE", "UNICODE_CI", "UTF8_BINARY_RTRIM").foreach { collation =>
      val key = s"collate(if(n = 0, 'a', 'A '), '$collation')"
      val e = intercept[org.apache.spark.sql.AnalysisException](inBatch(
        key,
        Seq((1L, 3L)).toDF("source", "target")
      ))
      assert(e.getMessage.contains("has a collation in which different strings may be equal"))
    }
  }
}
