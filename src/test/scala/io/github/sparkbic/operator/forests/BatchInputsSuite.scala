package io.github.sparkbic.operator.forests

import java.io.File

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.SparkConf
import org.apache.spark.sql.{Column, DataFrame, QueryTest, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.connector.{ColumnarDataSourceV2, SimpleDataSourceV2}
import org.apache.spark.sql.execution.{ColumnarToRowExec, SimpleMode}
import org.apache.spark.sql.functions.{col, lit, timestamp_seconds, when}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.operator.question.Asked
import io.github.sparkbic.sql.BicExtensions

/** Inputs that Spark has as column batches, as rows, or as both. The forests take the batches where Spark would make rows of
  * them, and nowhere else. The plan tells which, before and after the plan runs.
  */
class BatchInputsSuite extends QueryTest with SharedSparkSession with ConfResults with StagePlans {
  private def hasDelta: Boolean = Try(Class.forName("io.delta.sql.DeltaSparkSessionExtension")).isSuccess

  override protected def sparkConf: SparkConf = {
    val extensions = classOf[BicExtensions].getName
    val conf = super.sparkConf.set("spark.sql.shuffle.partitions", "2")
    if (!hasDelta) conf.set("spark.sql.extensions", extensions)
    else
      conf.set("spark.sql.extensions", s"$extensions,io.delta.sql.DeltaSparkSessionExtension")
        .set("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        .set("spark.databricks.delta.snapshotPartitions", "1")
  }

  private def bothWays(test: => Unit): Unit = Seq(true, false).foreach { adaptive =>
    withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive.toString)(test)
  }

  private val wholeTable: Seq[DataFrame => DataFrame] =
    Asked.ofTables.map(asked => (edges: DataFrame) => asked.ask(edges, pairs)())

  private val windows: Seq[DataFrame => DataFrame] = {
    val oneEach = Asked.oneEach.map { asked => (edges: DataFrame) =>
      asked.ask(edges, pairs)("window" -> "1 minute", "slide" -> "20 seconds")
    }
    oneEach :+ ((edges: DataFrame) => edges.bicComponents(Seq("1 minute", "40 seconds"), "20 seconds"))
  }

  private def pairs: DataFrame =
    spark.createDataFrame(Seq((0L, 7L), (1L, 2L), (3L, 3L))).toDF("source", "target")

  private val shown = "BicPaneForests [^,]*, from (column batches|rows)".r

  private def showsBatches(plan: String): Boolean =
    shown.findFirstMatchIn(plan).get.group(1) == "column batches"

  /** Each question of `edges` has the answers that it has of the same edges as rows of the driver. */
  private def check(edges: DataFrame, takes: Boolean, questions: Seq[DataFrame => DataFrame]): Unit = {
    val asRows = spark.createDataFrame(edges.collect().toList.asJava, edges.schema)
    assert(!asRows.isEmpty)
    questions.foreach { question =>
      val answers = question(edges)
      val explained = answers.queryExecution.explainString(SimpleMode)
      assert(showsBatches(explained) == takes, s"for\n$explained")
      val rows = answers.collect()
      val run = planOf(answers)
      assert(takesBatches(run) == takes && showsBatches(run.toString) == takes, s"for\n$run")
      checkAnswer(question(asRows), rows.toSeq)
    }
  }

  /** The same for a question about the whole table, and a question about windows where the edges have a time. */
  private def check(edges: DataFrame, takes: Boolean): Unit =
    check(edges, takes, wholeTable.take(1) ++ windows.take(if (edges.columns.contains("time")) 1 else 0))

  private def numbers: DataFrame = spark.range(0, 3000, 1, 3).select(
    (col("id") % 700).as("src"),
    (col("id") % 700 + (col("id") % 2) * 700).as("dst"),
    (col("id") % 5).cast("double").as("amount")
  )

  private def timed: DataFrame = numbers.withColumn("time", timestamp_seconds(col("src")))

  private def withFolder(test: String => Unit): Unit = withTempDir(dir => test(s"${dir.getPath}/edges"))

  // Nulls in every place, in some batches alone, and vertices of dictionaries and of none.
  private def write(folder: String): Unit = {
    def unless(isNull: Column, value: Column) = when(col("id") < 15000 || !isNull, value)
    spark.range(0, 20000, 1, 2).select(
      unless(col("id") % 97 === 1, (col("id") / 7).cast("bigint")).as("src"),
      unless(col("id") % 89 === 1, col("id") % 31).as("dst"),
      unless(col("id") % 83 === 1, timestamp_seconds((col("id") / 20).cast("bigint"))).as("at"),
      (col("id") % 2).as("part"),
      (col("id") % 31).cast("int").as("small"),
      unless(col("id") % 89 === 1, -(col("id") % 7).cast("int")).as("other")
    ).write.partitionBy("part").parquet(folder)
  }

  test("Parquet and ORC: batches where the edges are columns, however named") {
    withFolder { folder =>
      write(folder)
      def edges = spark.read.parquet(folder).withColumnRenamed("at", "time")
      edges.select(col("time"), col("dst"), col("src")).write.orc(s"$folder-orc")
      // The folder's name is the vertex, one for all of a batch.
      val folders =
        spark.read.schema("src BIGINT, at TIMESTAMP, part BIGINT").parquet(folder).toDF("src", "time", "dst")
      val ints = edges.select(col("small").as("src"), col("other").as("dst"), col("time"))
      val turned = edges.select(col("dst").as("src"), col("src").as("dst"), col("time"))
      Seq(edges, turned, spark.read.orc(s"$folder-orc"), folders, ints)
        .foreach(check(_, takes = true, windows.take(1)))
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
        val byGraph = edges.bicComponents("1 minute", "20 seconds", by = Seq("small"))
        val computed = Seq(
          edges.where(col("dst") > 3),
          edges.withColumn("dst", col("dst") + 1),
          edges.withColumn("dst", col("small").cast("bigint") + 1L),
          edges.selectExpr("CAST(small AS SHORT) AS src", "CAST(small AS SHORT) AS dst", "time"),
          edges.withColumn("time", col("time") + lit("1 day").cast("interval")),
          edges.repartition(2)
        )
        (byGraph +: computed.map(windows.head)).foreach(answers => assert(!takesBatches(planOf(answers))))
        val answers = windows.head(edges)
        answers.collect()
        val toRow = planOf(answers).collectFirst { case toRow: ColumnarToRowExec => toRow }.get
        assert(toRow.metrics("numOutputRows").value == 20000)
        assert(toRow.metrics("numInputBatches").value >= 4)
      }
    }
  }

  test("strings of any bytes, of dictionaries and of none: batches have the answers of rows") {
    withFolder { folder =>
      def name(id: String) =
        s"CAST(CASE pmod($id, 4) WHEN 0 THEN unhex(concat('FF', lpad(hex($id), 8, '0'))) " +
          s"WHEN 1 THEN CAST(concat('550e8400-e29b-41d4-a716-', lpad($id, 12, '0')) AS BINARY) " +
          s"WHEN 2 THEN unhex(lpad('', 2 * ($id DIV 4), '0')) ELSE CAST(concat('account-', $id) AS BINARY) END AS STRING)"
      val edges = spark.range(0, 12000, 1, 2).selectExpr(
        s"if(id >= 9000 AND id % 97 = 1, NULL, ${name("id DIV 9")}) AS src",
        s"if(id >= 9000 AND id % 89 = 1, NULL, ${name("(id % 1201)")}) AS dst",
        "timestamp_seconds(id DIV 40) AS time"
      )
      // A dictionary of its own for each few rows of a file, and columns without dictionaries.
      edges.write.option("parquet.block.row.count.limit", 3000).parquet(folder)
      edges.write.option("parquet.enable.dictionary", false).parquet(s"$folder-plain")
      edges.write.orc(s"$folder-orc")
      def rows(file: String, vectorized: Boolean, offHeap: Boolean): Seq[Row] =
        withConf(
          SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized.toString,
          SQLConf.ORC_VECTORIZED_READER_ENABLED.key -> vectorized.toString,
          SQLConf.COLUMN_VECTOR_OFFHEAP_ENABLED.key -> offHeap.toString
        ) {
          val read = spark.read.format(if (file.endsWith("orc")) "orc" else "parquet").load(file)
          val answers = read.bicComponents("1 minute", "20 seconds")
            .selectExpr("string(window)", "hex(vertex)", "hex(component)")
          val found = answers.collect().toSeq.sortBy(_.toString)
          assert(takesBatches(planOf(answers)) == vectorized)
          found
        }
      val wanted = rows(folder, vectorized = false, offHeap = false)
      assert(wanted.size > 5000)
      for (file <- Seq(folder, s"$folder-plain", s"$folder-orc"); offHeap <- Seq(false, true))
        assert(rows(file, vectorized = true, offHeap) == wanted)
    }
  }

  test("all batches of a row group have one dictionary, so that a name is looked up once in all of them") {
    withFolder { folder =>
      spark.range(0, 12000, 1, 1).selectExpr("concat('account-', id % 100) AS src")
        .write.option("parquet.block.row.count.limit", 6000).parquet(folder)
      withConf(SQLConf.PARQUET_VECTORIZED_READER_BATCH_SIZE.key -> "1000") {
        val scan = spark.read.parquet(folder).queryExecution.sparkPlan.collectLeaves().head
        val dictionaries = scan.executeColumnar().mapPartitions { batches =>
          // Held, so that no two of them have the same place in memory.
          val seen =
            batches.map(batch => SparkInternals.dictionary(batch.column(0), batch.numRows).get._1).toSeq
          Iterator.single((seen.size, seen.distinct.size))
        }
        assert(dictionaries.collect().toSeq == Seq((12, 2)))
      }
    }
  }

  for ((src, dst) <- Seq("src" -> "dst", "small" -> "other"))
    test(s"a stream of files, by $src and $dst: the same answers, event times and counts as from rows") {
      withFolder { folder =>
        write(folder)
        def progress(vectorized: Boolean) =
          withConf(
            SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized.toString,
            SQLConf.COLUMN_VECTOR_OFFHEAP_ENABLED.key -> (src == "src").toString,
            SQLConf.FILES_MAX_PARTITION_BYTES.key -> "20000"
          ) {
            val edges = spark.readStream
              .schema("src BIGINT, dst BIGINT, at TIMESTAMP, part BIGINT, small INT, other INT")
              .option("maxFilesPerTrigger", 1).parquet(folder)
              .select(col(src).as("src"), col(dst).as("dst"), col("at").as("time"))
              .withWatermark("time", "0 seconds")
            streaming(windows.head(edges), s"batches$vectorized") { query =>
              query.processAllAvailable()
              assert(takesBatches(planOf(query)) == vectorized)
              val found = query.recentProgress.filter(_.numInputRows > 0).toSeq
              found.map(p => (p.numInputRows, p.eventTime.asScala.toMap - "watermark"))
            }
          }
        val (byRow, byBatch) = (progress(vectorized = false), progress(vectorized = true))
        assert(byBatch.size >= 2 && byBatch == byRow)
        val rows: Seq[Row] = spark.table("batchesfalse").collect().toSeq
        assert(rows.nonEmpty)
        checkAnswer(spark.table("batchestrue"), rows)
      }
    }

  /** Edges of some kind, with an empty folder and settings, and whether the forests take their batches. */
  private def testOf(what: String, conf: (String, String)*)(make: String => Seq[(DataFrame, Boolean)]): Unit =
    test(what)(withFolder { folder =>
      withSQLConf(conf: _*) {
        val inputs = make(folder)
        bothWays(inputs.foreach { case (edges, takes) => check(edges, takes) })
        spark.catalog.clearCache()
      }
    })

  testOf("unions, whose columns Spark renames input by input, and exchanges: rows") { folder =>
    timed.write.parquet(folder)
    val (all, table) = (spark.read.parquet(folder), numbers.select("src", "dst").cache())
    val files = all.select("src", "dst")
    Seq(files.union(table), table.repartition(2), files.union(files), all.repartition(3, col("src")))
      .map(_ -> false)
  }

  testOf("sources of version 2, by batches and by rows", SQLConf.USE_V1_SOURCE_LIST.key -> "") { folder =>
    def read(source: Class[_]) = spark.read.format(source.getName).load().toDF("src", "dst")
    Seq(read(classOf[ColumnarDataSourceV2]) -> true, read(classOf[SimpleDataSourceV2]) -> false) ++
      Seq("parquet", "orc").flatMap { format =>
        timed.write.format(format).save(s"$folder/$format")
        val files = spark.read.format(format).load(s"$folder/$format")
        Seq(files -> true, files.where(col("amount") > 2) -> false)
      }
  }

  test("a cached table has rows and batches: Spark takes its rows, and so does each question") {
    check(numbers.cache(), takes = false, wholeTable)
    check(timed.cache(), takes = false, windows)
    check(numbers.withColumn("time", timestamp_seconds(col("src"))), takes = false)
    numbers.createOrReplaceTempView("numbers")
    spark.sql("CACHE TABLE kept AS SELECT src, dst FROM numbers")
    check(spark.table("kept"), takes = false)
    checkAnswer(spark.sql("SELECT count(*) FROM bic_components(TABLE(kept))"), Seq(Row(1050L)))
    spark.catalog.clearCache()
  }

  // Delta Lake is a dependency of the tests on one Spark alone.
  if (hasDelta) test("Delta Lake: batches, but where a deletion vector takes rows away") {
    withFolder { folder =>
      timed.coalesce(1).write.format("delta").option("delta.enableDeletionVectors", "true").save(folder)
      def table = spark.read.format("delta").load(folder)
      bothWays(check(table, takes = true))
      spark.sql(s"DELETE FROM delta.`$folder` WHERE src % 7 = 3")
      assert(new File(folder).list().exists(_.startsWith("deletion_vector")))
      bothWays(check(table, takes = false))
    }
  }
}
