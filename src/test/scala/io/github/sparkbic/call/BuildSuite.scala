package io.github.sparkbic.call

import org.apache.spark.SPARK_VERSION
import org.scalatest.funsuite.AnyFunSuite

class BuildSuite extends AnyFunSuite {
  private val own = SPARK_VERSION.split('.').take(2).mkString(".")

  test("this jar serves every patch release of the Spark that it is tested with") {
    Seq(SPARK_VERSION, s"$own.99", s"$own.0-preview1").foreach(running =>
      assert(Build.mismatch(running).isEmpty)
    )
  }

  test("an older Spark is refused in one line") {
    assert(Build.mismatch("3.5.8").exists { message =>
      message.startsWith(
        s"this jar of spark-bic is for Spark $own, but Spark 3.5.8 is running; there are jars for Spark "
      )
    })
  }

  test("a Spark that has a jar of its own is told the coordinates of that jar") {
    val other = if (own == "4.0") "4.1" else "4.0"
    assert(Build.mismatch(s"$other.1").contains(
      s"this jar of spark-bic is for Spark $own, but Spark $other.1 is running; give --packages " +
        s"io.github.sparkbic:spark-bic_${other}_2.13:${Build.version}"
    ))
  }

  test("a Spark newer than all jars may run the newest jar, and no other") {
    val message = Build.mismatch("4.10.0")
    if (own == "4.2") assert(message.isEmpty)
    else assert(
      message.exists(_.endsWith(s"give --packages io.github.sparkbic:spark-bic_4.2_2.13:${Build.version}"))
    )
  }
}
