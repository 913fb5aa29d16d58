package io.github.sparkbic.operator.question

import org.apache.spark.sql.{Dataset, Row}

/** The sources of pairs as marked vertices, for questions that take marks in suites that have pairs. */
private[question] object MarkedSources {

  /** The argument that marks the sources of pairs. */
  def argument(pairs: Any): (String, Any) = "marked" -> (pairs match {
    case frame: Dataset[_] => frame.withColumnRenamed("source", "vertex").drop("target")
    case listed            => listed.asInstanceOf[Seq[(Any, Any)]].map(_._1)
  })

  /** The sources of pairs as the marked vertices of the operator. */
  def queries(pairs: Queries): Queries = new LocalQueries(
    QuerySet(pairs.value.of(Row()).head.map(Row(_)).toSeq, 1)(QuerySet.marked)
      .copy(readAt = pairs.value.readAt)
  )
}

/** Queries of a test, which are nowhere to be read. */
private[operator] final class LocalQueries(made: => QuerySet) extends Queries {
  override def send(): Unit = ()
  override def value: QuerySet = made
}
