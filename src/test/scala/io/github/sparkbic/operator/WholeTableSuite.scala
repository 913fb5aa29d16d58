package io.github.sparkbic.operator

import org.apache.spark.sql.{Observation, QueryTest, Row}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._

/** Whole tables, which have no times: what is stored as columns, large, or called as a column of windows.
  * `tests/test_properties.py` has the law.
  */
class WholeTableSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  test("rows with a null endpoint, stored as columns, are dropped and counted, and no edge is late") {
    withTempPath { folder =>
      Seq[(Option[Long], Option[Long])](
        (Some(1), Some(2)),
        (None, Some(2)),
        (Some(7), None),
        (None, None),
        (Some(2), Some(1)),
        (Some(-5), Some(-5))
      ).toDF("src", "dst").coalesce(1).write.parquet(folder.toString)
      val observation = Observation()
      val found = spark.read.parquet(folder.toString).bicComponents(observation = Some(observation))
      checkAnswer(found, Seq(Row(1, 1), Row(2, 1), Row(-5, -5)))
      assert(observation.get == Map("edges" -> 3L, "late_edges" -> 0L, "null_rows" -> 3L, "windows" -> 1L))
    }
  }

  test("a table that is cut into no segments, and whose edges are read as column batches") {
    withTempPath { folder =>
      spark.range(0, 60000, 1, 3).selectExpr("id % 5000 AS src", "id % 5000 + 5000 * (id % 2) AS dst")
        .write.parquet(folder.toString)
      val edges = spark.read.parquet(folder.toString)
      withSQLConf(Parallelism.SegmentWindowsConf -> "1") {
        val stats = edges.bicComponentStats()
        checkAnswer(stats, Seq(Row(7500, 60000, 5000, 2)))
        val plan = stats.queryExecution.explainString(org.apache.spark.sql.execution.SimpleMode)
        assert(plan.contains("bicComponentStats, union–find, whole table, whole graphs"))
        assert(plan.contains("BicPaneForests whole table, from column batches"))
      }
      withSQLConf("spark.sql.codegen.wholeStage" -> "false") {
        checkAnswer(edges.bicComponentStats(), Seq(Row(7500, 60000, 5000, 2)))
      }
    }
  }

  test("by columns, which may be called as a column of windows is called") {
    val edges = Seq((1, 2, "x", 1), (2, 3, "x", 2), (1, 3, "y", 1)).toDF("src", "dst", "window", "time")
    checkAnswer(
      edges.bicComponents(by = Seq("window")),
      Seq(Row("x", 1, 1), Row("x", 2, 1), Row("x", 3, 1), Row("y", 1, 1), Row("y", 3, 1))
    )
    checkAnswer(
      edges.bicLargestComponents(by = Seq("time", "window"), members = true),
      Seq(Row(1, "x", 1, 2, Seq(1, 2)), Row(2, "x", 2, 2, Seq(2, 3)), Row(1, "y", 1, 2, Seq(1, 3)))
    )
    checkAnswer(edges.bicComponentStats(by = Seq("window")), Seq(Row("x", 3, 2, 1, 3), Row("y", 2, 1, 1, 2)))
  }
}
