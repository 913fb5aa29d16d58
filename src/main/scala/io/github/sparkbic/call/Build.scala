package io.github.sparkbic.call

import java.util.Properties

import org.apache.spark.SPARK_VERSION
import org.slf4j.LoggerFactory

/** What this jar was built from and for.
  *
  * The code of this object uses no collections of Scala: it is the first code of the jar to run, and must say clearly that
  * the jar was compiled for another version of Scala. Collections of Scala 2.12 and 2.13 have methods of other types.
  */
private[sparkbic] object Build {
  private val properties = {
    val read = new Properties
    val stream = getClass.getResourceAsStream("/io/github/sparkbic/build.properties")
    try read.load(stream)
    finally stream.close()
    read
  }

  val version: String = properties.getProperty("version")

  // The minor versions of Spark and Scala that this jar is for.
  private val spark = properties.getProperty("spark")
  private val scala = properties.getProperty("scala")

  /** The minor versions of Spark that there are jars for, rising, with a comma and a blank between. */
  private val sparks = properties.getProperty("sparks")

  private val newest = sparks.substring(sparks.lastIndexOf(' ') + 1)

  // A warning of this JVM's Spark is given once.
  private lazy val warned = LoggerFactory.getLogger(getClass).warn(
    s"Spark $SPARK_VERSION is newer than every jar of spark-bic $version, which has been tested up to Spark $newest"
  )

  /** Refuses a Spark, or a Scala, that another jar is for, before a class that is not there is missed. A Spark newer than
    * all jars gets a warning from the newest jar.
    */
  def requireSpark(): Unit = {
    val message = refusal
    if (message != null) throw new IllegalStateException(message)
    if (minorOf(SPARK_VERSION) != spark) warned
  }

  /** Why this jar cannot serve the running Spark; null if it can. */
  def refusal: String = mismatch(SPARK_VERSION, _root_.scala.util.Properties.versionNumberString)

  /** The error for running versions of Spark and Scala; null if this jar is for them. */
  private[call] def mismatch(runningSpark: String, runningScala: String): String = {
    val (minor, scalaMinor) = (minorOf(runningSpark), minorOf(runningScala))
    val isNewer = number(minor) > number(newest)
    if ((minor == spark || isNewer && spark == newest) && scalaMinor == scala) null
    else {
      val wanted = if (isNewer) newest else minor
      val fix =
        if (s", $sparks,".contains(s", $wanted,"))
          s"give --packages io.github.sparkbic:spark-bic_${wanted}_$scalaMinor:$version"
        else s"there are jars for Spark $sparks"
      s"this jar of spark-bic is for Spark $spark with Scala $scala, but Spark $runningSpark with Scala $runningScala is " +
        s"running; $fix"
    }
  }

  private def minorOf(version: String): String = version.replaceFirst("^(\\d+\\.\\d+).*", "$1")

  private def number(minor: String): Int = {
    val dot = minor.indexOf('.')
    1000 * Integer.parseInt(minor.substring(0, dot)) + Integer.parseInt(minor.substring(dot + 1))
  }
}
