package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.operator.keys.GraphKey

/** Pairs to ask for in every window, as they came and as the vertices are looked up.
  *
  * @param shown pairs in the type of the queries' columns, for the answers
  * @param asked the same pairs as `Long` or `UTF8String`
  */
private[sparkbic] final class Pairs(val shown: Array[(Any, Any)], val asked: Array[(Any, Any)])
    extends Serializable {
  def size: Int = shown.length
}

/** The queries of all graphs. */
private[sparkbic] sealed trait QuerySet extends Serializable {

  /** The pairs to ask of the graph with this key. */
  def of(key: Row): Pairs
}

private[sparkbic] final class SameForAll(pairs: Pairs) extends QuerySet {
  override def of(key: Row): Pairs = pairs
}

private[sparkbic] final class PerGraph private (pairs: Map[Any, Pairs]) extends QuerySet {
  override def of(key: Row): Pairs = pairs.getOrElse(GraphKey.comparable(key), Pairs.none)
}

private[sparkbic] object PerGraph {

  /** Pairs, each with the key of its graph. */
  def apply(pairs: Seq[(Row, (Any, Any))]): PerGraph =
    new PerGraph(pairs.groupMap(each => GraphKey.comparable(each._1))(_._2).view.mapValues(Pairs(_)).toMap)
}

private[sparkbic] object Pairs {
  val none: Pairs = new Pairs(Array.empty, Array.empty)

  def apply(rows: Iterable[(Any, Any)]): Pairs = {
    val shown = rows.toArray
    new Pairs(shown, shown.map { case (source, target) => (asked(source), asked(target)) })
  }

  private def asked(vertex: Any): Any = vertex match {
    case number: Number => number.longValue
    case text: String   => UTF8String.fromString(text)
    case other          => throw new IllegalArgumentException(s"$other is no vertex id")
  }
}
