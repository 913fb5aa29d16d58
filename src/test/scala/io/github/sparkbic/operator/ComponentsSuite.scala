package io.github.sparkbic.operator

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.functions.{collect_list, max, struct}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._

/** What `BatchLawSuite` does not show of components: their rows in the operators of Spark. */
class ComponentsSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  test("rows of strings of any length stay as they are in operators that keep rows") {
    val names = Seq("", "a", "b" * 100, "c" * 8, "0123abcd-0123-4567-89ab-0123456789ab", "d" * 5000, "e")
    val edges = names.flatMap(name => Seq((name, name, 0), (name, name, 10))).toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time")
    val answers =
      edges.bicComponents("10 seconds").selectExpr("unix_seconds(window.end) AS end", "vertex", "component")
    val wanted = Seq(10L, 20L).flatMap(end => names.map(name => Row(end, name, name))).toSet
    val kept = Seq(
      answers.orderBy("component"),
      answers.orderBy("vertex").limit(100),
      answers.repartition(3),
      answers.groupBy("end", "vertex").agg(max("component")),
      answers.selectExpr("end", "vertex", "max(component) OVER (PARTITION BY vertex ORDER BY end DESC)"),
      answers.groupBy("end").agg(collect_list(struct("vertex", "component")).as("all"))
        .selectExpr("end", "inline(all)")
    ) ++ Seq("broadcast", "merge", "shuffle_hash", "shuffle_replicate_nl").map { hint =>
      answers.join(answers.withColumnRenamed("component", "other").hint(hint), Seq("end", "vertex"))
        .select("end", "vertex", "other")
    }
    def check(rows: DataFrame): Unit = {
      val found = rows.collect()
      assert(found.length == wanted.size && found.toSet == wanted, rows.queryExecution)
    }
    kept.foreach(check)
    assert(answers.toLocalIterator().asScala.toSet == wanted)
    val cached = answers.cache()
    try check(cached)
    finally cached.unpersist(blocking = true): Unit
  }
}
