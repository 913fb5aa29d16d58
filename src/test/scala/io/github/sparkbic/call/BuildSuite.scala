package io.github.sparkbic.call

import org.apache.spark.SPARK_VERSION
import org.scalatest.funsuite.AnyFunSuite

class BuildSuite extends AnyFunSuite {
  private val own = minorOf(SPARK_VERSION)
  private val scala = _root_.scala.util.Properties.versionNumberString

  private def minorOf(version: String) = version.split('.').take(2).mkString(".")

  private def jar = s"this jar of spark-bic is for Spark $own with Scala ${minorOf(scala)}, but "

  private def fix(minor: String, scala: String) =
    s"give --packages io.github.sparkbic:spark-bic_${minor}_$scala:${Build.version}"

  private val otherMinor = if (own == "4.0") "4.1" else "4.0"
  private val otherScala = if (own == "3.5" && minorOf(scala) == "2.12") "2.13.8" else "2.12.18"

  // Versions of Spark and Scala that run, and the end of the refusal.
  Seq(
    ("an older Spark", "3.4.4", "2.12.17", "there are jars for Spark 3.5, 4.0, 4.1, 4.2"),
    ("a Spark that has a jar of its own", s"$otherMinor.1", "2.13.16", fix(otherMinor, "2.13")),
    ("Spark 3.5, with the other version of Scala", "3.5.9", otherScala, fix("3.5", minorOf(otherScala)))
  ).foreach { case (what, spark, scala, fix) =>
    test(s"$what is refused in one line") {
      assert(Build.mismatch(spark, scala) == s"${jar}Spark $spark with Scala $scala is running; $fix")
    }
  }

  test("this jar serves every patch release of its Spark; the newest, and no other, serves a newer Spark") {
    Seq(SPARK_VERSION, s"$own.99", s"$own.0-preview1").foreach(running =>
      assert(Build.mismatch(running, scala) == null)
    )
    val message = Build.mismatch("4.10.0", "2.13.18")
    if (own == "4.2") assert(message == null)
    else assert(message.endsWith(fix("4.2", "2.13")))
  }
}
