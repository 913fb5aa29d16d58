package io.github.sparkbic.docs

import java.nio.file.Files

import org.apache.spark.sql.{DataFrame, QueryTest}
import org.apache.spark.sql.functions.{col, concat, lit, to_timestamp}
import org.apache.spark.sql.test.SharedSparkSession

/** What the Scala code on the pages of the documentation takes for granted; the tests are made from the pages by
  * `project/ScalaPages.scala`.
  */
abstract class ScalaPage extends QueryTest with SharedSparkSession {

  /** The edges of the first example in the README, and the site of each. */
  protected def edges: DataFrame = {
    val rows = Seq((1L, 2L, "10:05"), (2L, 3L, "10:20"), (3L, 9L, "10:40"), (1L, 2L, "11:10"))
    spark.createDataFrame(rows).toDF("src", "dst", "at").select(
      lit("north").as("site"),
      to_timestamp(concat(lit("2024-05-01 "), col("at"))).as("time"),
      col("src"),
      col("dst")
    )
  }

  /** The folder that the pages call `/data`, with the edges in it. */
  protected lazy val data: String = {
    val folder = Files.createTempDirectory("pages").toFile
    folder.deleteOnExit()
    edges.write.parquet(s"$folder/edges")
    folder.getPath
  }
}
