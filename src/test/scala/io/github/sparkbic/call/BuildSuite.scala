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

  test("this jar serves every patch release of the Spark that it is tested with") {
    Seq(SPARK_VERSION, s"$own.99", s"$own.0-preview1").foreach(running =>
      assert(Build.mismatch(running, scala) == null)
    )
  }

  test("an older Spark is refused in one line") {
    assert(Build.mismatch("3.4.4", "2.12.17") ==
      s"${jar}Spark 3.4.4 with Scala 2.12.17 is running; there are jars for Spark 3.5, 4.0, 4.1, 4.2")
  }

  test("a Spark that has a jar of its own is told the coordinates of that jar") {
    val other = if (own == "4.0") "4.1" else "4.0"
    assert(Build.mismatch(s"$other.1", "2.13.16") ==
      s"${jar}Spark $other.1 with Scala 2.13.16 is running; ${fix(other, "2.13")}")
  }

  test("Spark 3.5 comes with two versions of Scala, each with a jar") {
    val other = if (own == "3.5" && minorOf(scala) == "2.12") "2.13.8" else "2.12.18"
    assert(Build.mismatch("3.5.9", other) ==
      s"${jar}Spark 3.5.9 with Scala $other is running; ${fix("3.5", minorOf(other))}")
  }

  test("a Spark newer than all jars may run the newest jar, and no other") {
    val message = Build.mismatch("4.10.0", "2.13.18")
    if (own == "4.2") assert(message == null)
    else assert(message.endsWith(fix("4.2", "2.13")))
  }
}
