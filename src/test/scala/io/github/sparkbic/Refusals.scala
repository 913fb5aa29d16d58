package io.github.sparkbic

import java.util.regex.Pattern

import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.test.SharedSparkSession

/** Calls that are refused before a query starts, and small inputs for such calls. */
trait Refusals { this: QueryTest with SharedSparkSession =>
  import testImplicits._

  /** An edge from 1 to 2. */
  protected def edges: DataFrame = timed(Seq((1L, 2L, 0L)).toDF())

  /** A stream of edges, which needs a watermark. */
  protected def stream: DataFrame = timed(MemoryStream[(Long, Long, Long)].toDF())

  protected def inTime: DataFrame = stream.withWatermark("time", "1 minute")

  protected def pair: DataFrame = Seq((1L, 2L)).toDF("source", "target")

  /** Edges from their ends and their seconds. */
  protected def timed(rows: DataFrame): DataFrame =
    rows.toDF("src", "dst", "at").selectExpr("src", "dst", "timestamp_seconds(at) AS time")

  protected def refusal(call: => Any): String = intercept[AnalysisException](call).getMessage

  /** The messages of an error and of its causes, a line each. */
  protected def reasons(error: Throwable): String =
    Iterator.iterate(error)(_.getCause).takeWhile(_ != null).map(_.getMessage).mkString("\n")

  /** @param message of which `…` stands for any part */
  implicit final protected class Refusal(message: String) {
    def refuses(call: => Any): Unit = {
      val pattern = message.split("…", -1).map(Pattern.quote).mkString("(?s)", ".*", "")
      val found = refusal(call)
      assert(found.matches(pattern), s"instead of $message")
    }
  }
}
