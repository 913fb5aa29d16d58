package io.github.sparkbic.docs

import java.nio.file.Files

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.test.SharedSparkSession

/** What a `spark-shell` in an empty folder has: `spark`, and relative paths in that folder. The tests are made from the
  * pages of the documentation by `project/ScalaPages.scala`.
  */
abstract class ScalaPage extends QueryTest with SharedSparkSession {
  private def local = FileSystem.getLocal(spark.sessionState.newHadoopConf())
  private lazy val before = local.getWorkingDirectory

  override def beforeAll(): Unit = {
    super.beforeAll()
    before
    local.setWorkingDirectory(new Path(Files.createTempDirectory("pages").toString))
  }

  override def afterAll(): Unit = {
    local.setWorkingDirectory(before)
    super.afterAll()
  }
}
