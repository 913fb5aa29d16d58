package io.github.sparkbic.call

import java.util.Properties

import org.apache.spark.SPARK_VERSION
import org.slf4j.LoggerFactory

import io.github.sparkbic.arguments.Arguments

/** What this jar was built from and for. */
private[sparkbic] object Build {
  private val logger = LoggerFactory.getLogger(getClass.getName.stripSuffix("$"))

  private val properties = {
    val read = new Properties
    val stream = getClass.getResourceAsStream("/io/github/sparkbic/build.properties")
    try read.load(stream)
    finally stream.close()
    read
  }

  val version: String = properties.getProperty("version")

  /** The minor version of Spark that this jar is for. */
  private val spark = properties.getProperty("spark")

  /** The minor versions of Spark that there are jars for, rising. */
  private val sparks = properties.getProperty("sparks").split(',').toSeq

  private def coordinates(minor: String) =
    s"io.github.sparkbic:spark-bic_${minor}_${properties.getProperty("scala")}:$version"

  // A warning of this JVM's Spark is given once.
  private lazy val warned = logger.warn(unknown(SPARK_VERSION))

  private def unknown(running: String): String =
    s"Spark $running is newer than every jar of spark-bic $version, which has been tested up to Spark ${sparks.last}"

  /** Refuses a Spark that another jar is for, before a class that this Spark does not have is missed. A Spark newer than
    * all jars gets a warning from the newest jar.
    */
  def requireSpark(): Unit = mismatch(SPARK_VERSION) match {
    case Some(message) => throw Arguments.invalid(message)
    case None          => if (minorOf(SPARK_VERSION) != spark) warned
  }

  /** The error for a running version of Spark, if this jar is not for it. */
  private[call] def mismatch(running: String): Option[String] = {
    val minor = minorOf(running)
    val isNewest = spark == sparks.last && isAfter(minor, spark)
    lazy val fix =
      if (sparks.contains(minor)) s"give --packages ${coordinates(minor)}"
      else if (isAfter(minor, sparks.last)) s"give --packages ${coordinates(sparks.last)}"
      else s"there are jars for Spark ${sparks.mkString(", ")}"
    if (minor == spark || isNewest) None
    else Some(s"this jar of spark-bic is for Spark $spark, but Spark $running is running; $fix")
  }

  private def minorOf(running: String): String = running.split('.').take(2).mkString(".")

  private def isAfter(one: String, other: String): Boolean = {
    def numbers(minor: String) = minor.split('.').map(part => part.takeWhile(_.isDigit).toInt).toSeq
    import scala.math.Ordering.Implicits._
    numbers(one) > numbers(other)
  }
}
