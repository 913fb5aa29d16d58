package io.github.sparkbic.faults

import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.index.ConnectivityIndex
import io.github.sparkbic.operator.state.StateVersion

/** Every format of the state that there ever was is still read, and answered from to the end of the stream. */
class GoldenSuite extends QueryTest with SharedSparkSession {
  private val folder = Paths.get(getClass.getResource("/golden").toURI)
  private val names = folder.toFile.list().toSeq.sorted

  test("there are checkpoints of the present format, of each index, kind of ids and layout") {
    val wanted =
      for (
        index <- ConnectivityIndex.names; ids <- GoldenCheckpoints.Ids; layout <- GoldenCheckpoints.Layouts
      )
        yield s"v${StateVersion.current}-$index-$ids-$layout.zip"
    assert(wanted.forall(names.contains), "write them by: make golden")
  }

  names.foreach { name =>
    test(s"$name: the stream goes on from there") {
      withTempDir { dir =>
        val restored = dir.toPath
        GoldenCheckpoints.unzip(folder.resolve(name), restored)
        def rows(file: String) = Files.readAllLines(restored.resolve(file)).asScala.toSeq
        GoldenCheckpoints.offer(restored, files = Int.MaxValue)
        // Several micro-batches, and no graph stays alive between them: the first one reads the old state, the others
        // what it was rewritten as.
        val found = withSQLConf("spark.bic.cache.maxBytes" -> "0") {
          GoldenCheckpoints.run(spark, restored, filesPerMicroBatch = 3)
        }
        assert((rows("before.rows") ++ found).sorted == rows("expected.rows"))
      }
    }
  }
}
