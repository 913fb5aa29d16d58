package io.github.sparkbic.arguments

import org.apache.spark.sql.{Column, DataFrame}
import org.apache.spark.sql.types.{DataType, StructField}

/** The columns of the edges, checked: ids as BIGINT or STRING.
  *
  * @param vertexType the type that the user gave the ids
  * @param timeField  of TIMESTAMP or TIMESTAMP_NTZ
  */
private[sparkbic] final case class EdgeColumns(
    frame: DataFrame,
    src: Column,
    dst: Column,
    time: Column,
    vertexType: DataType,
    timeField: StructField,
    by: Seq[Column],
    byFields: Seq[StructField],
    strings: Boolean
)
