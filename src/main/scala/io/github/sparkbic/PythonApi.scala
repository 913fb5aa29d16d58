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
      window: JList[String],
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
    window.asScala.toSeq,
    slide,
    queries,
    src,
    dst,
    time,
    by.asScala.toSeq,
    startTime,
    index,
    Option(observation)
  )

  /** `SlidingWindowConnectivity.bicComponents`; `slide`, `startTime` and `observation` may be null. */
  def components(
      edges: DataFrame,
      window: JList[String],
      slide: String,
      minSize: Long,
      src: String,
      dst: String,
      time: String,
      by: JList[String],
      startTime: String,
      index: String,
      observation: Observation
  ): DataFrame = new SlidingWindowConnectivity(edges).bicComponents(
    window.asScala.toSeq,
    slide,
    minSize,
    src,
    dst,
    time,
    by.asScala.toSeq,
    startTime,
    index,
    Option(observation)
  )

  /** `SlidingWindowConnectivity.bicComponentStats`; `slide`, `startTime` and `observation` may be null. */
  def componentStats(
      edges: DataFrame,
      window: JList[String],
      slide: String,
      sizes: Boolean,
      src: String,
      dst: String,
      time: String,
      by: JList[String],
      startTime: String,
      index: String,
      observation: Observation
  ): DataFrame = new SlidingWindowConnectivity(edges).bicComponentStats(
    window.asScala.toSeq,
    slide,
    sizes,
    src,
    dst,
    time,
    by.asScala.toSeq,
    startTime,
    index,
    Option(observation)
  )

  /** `SlidingWindowConnectivity.bicChanges`; `slide`, `startTime` and `observation` may be null. */
  def changes(
      edges: DataFrame,
      window: JList[String],
      slide: String,
      minSize: Long,
      src: String,
      dst: String,
      time: String,
      by: JList[String],
      startTime: String,
      index: String,
      observation: Observation
  ): DataFrame = new SlidingWindowConnectivity(edges).bicChanges(
    window.get(0),
    slide,
    minSize,
    src,
    dst,
    time,
    by.asScala.toSeq,
    startTime,
    index,
    Option(observation)
  )
}
