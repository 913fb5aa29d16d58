package io.github.sparkbic.faults

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.ConfResults

/** Checkpoints of the present format are read, and answered from to the end of the stream, with either index. */
class GoldenSuite extends QueryTest with SharedSparkSession with ConfResults {

  private def file(name: String): Path = {
    val found = getClass.getResource(s"/golden/$name")
    assert(found != null, "write it by: make golden")
    Paths.get(found.toURI)
  }

  for (golden <- GoldenCheckpoints.all; index <- golden.readers)
    test(s"${golden.file}: the stream goes on from there with $index") {
      val zip = file(golden.file)
      withTempDir { dir =>
        val restored = dir.toPath
        GoldenCheckpoints.unzip(zip, restored)
        def rows(file: String) = Files.readAllLines(restored.resolve(file)).asScala.toSeq
        GoldenCheckpoints.offer(restored, files = Int.MaxValue)
        // Several micro-batches, and no graph stays alive between them: the first one reads the state of the zip, the
        // others what that was rewritten as.
        val found = withConf("spark.bic.cache.maxBytes" -> "0") {
          GoldenCheckpoints.run(spark, restored, filesPerMicroBatch = 3, index = Some(index))
        }
        assert((rows("before.rows") ++ found).sorted == rows("expected.rows"))
      }
    }

  test("there are no other checkpoints") {
    val files = file("").toFile.list().toSeq
    assert(files.sorted == GoldenCheckpoints.all.map(_.file).sorted)
  }
}
