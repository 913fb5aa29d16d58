package io.github.sparkbic.call

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.apache.spark.sql.types.{LongType, StringType, StructField, StructType}

/** Queries written as an array: of structs, as `array((1, 2), (3, 9))` is in SQL, or of arrays of two. */
private object QueryArray {

  /** The queries as a table, with integral ids as BIGINT; None if the value is no array of pairs of ids. */
  def frame(value: Any): Option[DataFrame] = value match {
    case pairs: Seq[_] =>
      val rows = pairs.map {
        case pair: Row                     => pair.toSeq.map(widened)
        case pair: scala.collection.Seq[_] => pair.toSeq.map(widened)
        case _                             => Nil
      }
      if (rows.isEmpty) throw QueryArguments.empty
      rows.find(row => row.size == 2 && row.contains(null)).foreach(row => throw QueryArguments.withNull(row))
      val ids = rows.flatten
      val idType = if (ids.forall(_.isInstanceOf[String])) StringType else LongType
      val fits = ids.forall(_.isInstanceOf[Long]) || ids.forall(_.isInstanceOf[String])
      Option.when(rows.forall(_.size == 2) && fits) {
        val schema = StructType(Seq("source", "target").map(StructField(_, idType)))
        SparkSession.active.createDataFrame(rows.map(Row.fromSeq).asJava, schema)
      }
    case _ => None
  }

  private def widened(id: Any): Any = id match {
    case number @ (_: Byte | _: Short | _: Int) => number.asInstanceOf[Number].longValue
    case other                                  => other
  }
}
