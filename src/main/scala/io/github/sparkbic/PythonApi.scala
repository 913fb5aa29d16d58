package io.github.sparkbic

import java.util.{List => JList}

import scala.io.Source
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.sql.{DataFrame, Observation}

/** What the Python package calls: plain types, nulls for what is not given. */
object PythonApi {

  /** The version of this jar, which must be that of the Python package. */
  lazy val version: String =
    Using.resource(Source.fromInputStream(
      getClass.getResourceAsStream("version.txt"),
      "UTF-8"
    ))(_.mkString.trim)

  /** `SlidingWindowConnectivity.bicConnectivity`; `slide`, `startTime` and `observation` may be null. */
  def connectivity(
      edges: DataFrame,
      window: String,
      slide: String,
      queries: DataFrame,
      src: String,
      dst: String,
      time: String,
      by: JList[String],
      startTime: String,
      index: String,
      observation: Observation
  ): DataFrame = new SlidingWindowConnectivity(edges).bicConnectivity(
    window,
    Option(slide).getOrElse(window),
    queries,
    src,
    dst,
    time,
    by.asScala.toSeq,
    Option(startTime).getOrElse("0 seconds"),
    index,
    Option(observation)
  )
}
