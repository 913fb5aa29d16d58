package io.github.sparkbic

import org.apache.spark.sql.catalyst.plans.SQLHelper

/** Settings of the session for a block that gives a value, which `withSQLConf` of Spark 3.5 would drop. */
trait ConfResults { this: SQLHelper =>
  protected def withConf[A](pairs: (String, String)*)(block: => A): A = {
    var result = Option.empty[A]
    withSQLConf(pairs: _*) { result = Some(block) }
    result.get
  }
}
