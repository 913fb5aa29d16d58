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
  def queries(pairs: Queries[Pairs]): Queries[MarkedVertices] = new LocalQueries(
    QuerySet(pairs.value.of(Row()).sources.map(Row(_)).toSeq, 1)(MarkedVertices(_))
      .copy(readAt = pairs.value.readAt)
  )
}

/** Queries of a test, which are nowhere to be read. */
private[operator] final class LocalQueries[A](made: => QuerySet[A]) extends Queries[A] {
  override def send(): Unit = ()
  override def value: QuerySet[A] = made
}
