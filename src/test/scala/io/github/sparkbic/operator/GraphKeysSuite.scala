package io.github.sparkbic.operator

import org.apache.spark.SparkConf
import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.{col, xxhash64}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.keys.GraphKey
import io.github.sparkbic.sql.BicExtensions

/** Keys of every type, and vertices that are no UTF-8, are told apart exactly, and come back in the answers as they went in.
  * All questions are asked of such vertices in `BatchLawSuite` and `ConformanceSuite`.
  */
class GraphKeysSuite extends QueryTest with SharedSparkSession with Refusals {
  import testImplicits._

  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.sql.extensions", classOf[BicExtensions].getName)

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

  /** One query for all: the columns of the key of graph 0 have their values for `n = 0`, and graph i differs from it in
    * column i - 1 alone.
    */
  private def keyed(raw: DataFrame, keys: Seq[String]): DataFrame = {
    val columns = keys.zipWithIndex.map { case (key, i) =>
      s"${key.replaceAll("\\bn\\b", s"if(n = ${i + 1}, 1, 0)")} AS k$i"
    }
    raw.selectExpr("src" +: "dst" +: "timestamp_seconds(at) AS time" +: columns: _*)
  }

  /** Graph 0 has the edge 1-2, and all others 2-3; the last edges close the window. */
  private def edges(keys: Seq[String]): Seq[(Long, Long, Long, Int)] = (0 to keys.size).map { n =>
    if (n == 0) (1L, 2L, 1L, n) else (2L, 3L, 2L, n)
  }
  private def flush(keys: Seq[String]) = edges(keys).map(_.copy(_3 = 1000L))

  private def named(edges: Seq[(Long, Long, Long, Int)]): DataFrame = edges.toDF("src", "dst", "at", "n")

  /** What the first window answers: the hash of each key, the pair, and whether it is connected. */
  private def answers(edges: DataFrame, keys: Seq[String]): DataFrame = {
    val by = keys.indices.map(i => s"k$i")
    // Each graph is asked for pairs of its own.
    val own = for (n <- 0 to keys.size; (source, target) <- Seq((1L, 2L), (2L, 3L), (1L, 3L)))
      yield (source, target, 0L, n)
    val queries = keyed(named(own), keys).drop("time").distinct()
      .withColumnsRenamed(Map("src" -> "source", "dst" -> "target"))
    keyed(edges, keys).withWatermark("time", "0 seconds")
      .bicConnectivity("10 seconds", queries = queries, by = by).where("window.start = timestamp_seconds(0)")
      .select(xxhash64(by.map(col): _*), col("source"), col("target"), col("connected"))
  }

  private def check(found: Seq[Row], keys: Seq[String]): Unit = {
    val hashes = keyed(named(edges(keys)), keys).select(xxhash64(keys.indices.map(i => col(s"k$i")): _*))
      .as[Long].collect().toSeq
    val (one, apart) = keys.indices.partition(i => same.contains(keys(i)))
    assert(one.forall(i => hashes(i + 1) == hashes.head) && hashes.distinct.size == apart.size + 1)
    // Graphs whose keys Spark groups as one have the edges of both.
    val whole = Seq((1, 2), (2, 3), (1, 3)).map { case (one, other) => Row(hashes.head, one, other, true) }
    val others = apart.map(i => hashes(i + 1)).flatMap { hash =>
      Seq(Row(hash, 1, 2, false), Row(hash, 2, 3, true), Row(hash, 1, 3, false))
    }
    assert(found.map(_.toString).sorted == (whole ++ others).map(_.toString).sorted)
  }

  test("batch: graphs by keys of every type") {
    val keys = text ++ others ++ scalars ++ same
    check(answers(named(edges(keys) ++ flush(keys)), keys).collect().toSeq, keys)
  }

  FaultRun.layouts.foreach { layout =>
    test(s"$layout: graphs of a stream that is started again, by keys of every type") {
      val ofLayout = others.filter(layout == "value" || !_.matches("(named.*)?array.*|.*interval.*"))
      val keys = text ++ ofLayout ++ scalars ++ same
      withSQLConf(FaultRun.settingsOfLayout(layout) :+ "spark.sql.shuffle.partitions" -> "1": _*) {
        withTempDir { checkpoint =>
          val input = MemoryStream[(Long, Long, Long, Int)]
          // The second edges come to graphs that may have been restored.
          val rows = Seq(edges(keys), edges(keys).reverse ++ flush(keys)).flatMap { batch =>
            input.addData(batch)
            EdgeFrames.runToEnd(answers(input.toDF().toDF("src", "dst", "at", "n"), keys), checkpoint)
          }
          check(rows, keys)
        }
      }
    }
  }

  test("a message shows bytes as text, and as a literal where they are none") {
    val key = Row(7, "größe".getBytes("UTF-8"), Row(Seq(Array[Byte](97, -1)), null))
    assert(GraphKey.show(key) == "[7, größe, [[X'61FF'], null]]")
  }

  private def bytes(columns: String*) = columns.map(c => s"cast(unhex($c) AS STRING) AS $c")

  test("vertices of any bytes in paths, and in SQL with queries as a table and as an array") {
    val table = Seq(("FF", "FF", 1L), ("FE", "FE", 2L), ("FE", "FF", 11L)).toDF("src", "dst", "time")
      .selectExpr(bytes("src", "dst") :+ "timestamp_seconds(time) AS time": _*)
    val pairs = Seq(("FF", "FE"), ("FE", "FE"), ("FD", "FF"))
    val queries = pairs.toDF("source", "target").selectExpr(bytes("source", "target"): _*)
    val joined =
      table.bicConnectivity("10 seconds", queries = queries).where("connected AND source != target")
    val paths = table.bicPaths(joined)
      .selectExpr("hex(source)", "transform(path, e -> hex(e.src) || hex(e.dst))")
    checkAnswer(paths, Row("FF", Seq("FEFF")))
    table.createOrReplaceTempView("edges_of_bytes")
    queries.createOrReplaceTempView("queries_of_bytes")
    val array = pairs.map { case (one, other) => s"(CAST(X'$one' AS STRING), CAST(X'$other' AS STRING))" }
    Seq("TABLE(queries_of_bytes)", array.mkString("array(", ", ", ")")).foreach { asked =>
      val rows = sql(s"SELECT unix_seconds(window.end), hex(source), hex(target) FROM bic_connectivity(" +
        s"TABLE(edges_of_bytes), '10 seconds', queries => $asked) WHERE connected")
      checkAnswer(rows, Seq(Row(10, "FE", "FE"), Row(20, "FF", "FE"), Row(20, "FE", "FE")))
    }
    val broken = queries.selectExpr("source", "if(hex(source) = 'FD', NULL, target) AS target")
    "queries hold (X'FD', null); leave out nulls, as with queries.dropna()" refuses
      table.bicConnectivity("10 seconds", queries = broken).collect()
  }
}
