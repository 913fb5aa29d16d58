package io.github.sparkbic.faults

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.ConfResults

/** Checkpoints of this version, and of all released versions, are read, and answered from to the end of the stream. */
class GoldenSuite extends QueryTest with SharedSparkSession with ConfResults {
  private val folder = Paths.get(getClass.getResource("/golden").toURI)
  private val files = folder.toFile.list().toSeq.sorted
  private val kept = files.flatMap(GoldenCheckpoints.ofFile)

  private def released: Seq[String] = {
    val heading = "## \\[(\\d[^\\]]*)\\].*".r
    Files.readAllLines(Path.of("CHANGELOG.md")).asScala.toSeq.collect { case heading(version) => version }
  }

  for (golden <- kept; index <- golden.readers)
    test(s"${golden.file}: the stream goes on from there with $index") {
      withTempDir { dir =>
        val restored = dir.toPath
        GoldenCheckpoints.unzip(folder.resolve(golden.file), restored)
        def rows(file: String) = Files.readAllLines(restored.resolve(file)).asScala.toSeq
        GoldenCheckpoints.offer(restored, files = Int.MaxValue)
        // Several micro-batches, and no graph stays alive between them: the first one reads the state of the zip, and the
        // others the state that the first one wrote.
        val found = withConf("spark.bic.cache.maxBytes" -> "0") {
          GoldenCheckpoints.run(spark, restored, golden.query.copy(index = index), filesPerMicroBatch = 3)
        }
        assert((rows("before.rows") ++ found).sorted == rows("expected.rows"))
      }
    }

  test("this version has all checkpoints, each released version has some, and there are no other files") {
    val missing = GoldenCheckpoints.all.map(_.file).diff(files)
    assert(missing.isEmpty, "write them by: make golden")
    val versions = released :+ GoldenCheckpoints.all.head.version
    assert(kept.map(_.version).toSet == versions.toSet, "released versions, and no others")
    assert(files == kept.map(_.file).sorted)
  }
}
