package io.github.sparkbic.operator.keys

import scala.collection.immutable.ArraySeq

import org.apache.spark.sql.Row

/** Keys of graphs, by which graphs are told apart outside of Spark's own groups. */
private[operator] object GraphKey {

  /** What is equal, and has an equal hash, if and only if the keys are of one graph. A `Row` will not do: its arrays of
    * bytes are equal to others, if at all, by a hash of their own; and integral columns may differ in width.
    */
  def comparable(value: Any): Any = value match {
    case row: Row                 => row.toSeq.map(comparable)
    case bytes: Array[Byte]       => ArraySeq.unsafeWrapArray(bytes)
    case items: collection.Seq[_] => items.map(comparable)
    case n: Byte                  => n.toLong
    case n: Short                 => n.toLong
    case n: Int                   => n.toLong
    case x: Float                 => java.lang.Float.floatToIntBits(if (x == 0) 0f else x)
    case x: Double                => java.lang.Double.doubleToLongBits(if (x == 0) 0d else x)
    case other                    => other
  }
}
