package io.github.sparkbic

import org.apache.spark.sql.{AnalysisException, DataFrame, Row}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types.{StringType, StructField}

import io.github.sparkbic.operator.{EdgeColumns, KeyRows}
import io.github.sparkbic.operator.question.{Pairs, PerGraph, Queries, QuerySet, SameForAll}

/** Checks the pairs to ask for, and reads them. */
private[sparkbic] object QueryArguments {
  import ColumnTypes.show

  def queries(frame: DataFrame, edges: EdgeColumns): Queries = {
    if (frame.isStreaming)
      throw Arguments.invalid(
        "queries must be a static DataFrame, but it is a streaming one; collect the pairs first"
      )
    val columns = new NamedColumns("queries", frame)
    val source = columns.field("source", "source")
    val target = columns.field("target", "target")
    Seq(source, target).foreach { field =>
      ColumnTypes.requireVertex(field)
      if (field.dataType.isInstanceOf[StringType] != edges.strings)
        throw Arguments.invalid(
          s"queries have ${show(field)}, but the vertices of the edges are ${if (edges.strings) "STRING"
            else "integral"}; " +
            "give both the same kind of ids"
        )
    }
    if (source.dataType != target.dataType)
      throw Arguments.invalid(
        s"queries have ${show(source)} and ${show(target)}, which must have the same type; cast one of them"
      )

    val keys = keysOf(columns, edges).map(own => columns.of(own).cast(KeyRows.exactType(own.dataType)))
    val asked = frame.select(columns.of(source) +: columns.of(target) +: keys: _*)
    val rows = asked.as(KeyRows.encoder(asked.schema)).collect()
    if (rows.isEmpty) throw empty
    rows.find(row => row.isNullAt(0) || row.isNullAt(1)).foreach(row => throw withNull(row.toSeq.take(2)))
    Queries(querySet(rows, keys.size), source.dataType)
  }

  def empty: AnalysisException =
    Arguments.invalid("queries are empty; give at least one pair (source, target)")

  def withNull(pair: Seq[Any]): AnalysisException = Arguments.invalid(
    s"queries hold the pair ${pair.mkString("(", ", ", ")")}; neither source nor target may be null"
  )

  /** The columns of `by` among those of the queries: all of them or none. */
  private def keysOf(columns: NamedColumns, edges: EdgeColumns): Seq[StructField] = {
    val (present, missing) = edges.byFields.partition(field => columns.find(field.name).isDefined)
    if (present.nonEmpty && missing.nonEmpty)
      throw Arguments.invalid(
        s"queries have the column ${present.map(f => s"'${f.name}'").mkString(", ")} of by, but not " +
          s"${missing.map(f => s"'${f.name}'").mkString(", ")}; give all of them, to ask each graph for its own pairs, or none"
      )
    present.map { field =>
      val own = columns.field(field.name, "by")
      val areComparable = DataTypeUtils.equalsIgnoreNullability(own.dataType, field.dataType) ||
        Seq(own, field).forall(f => ColumnTypes.isIntegral(f.dataType))
      if (!areComparable)
        throw Arguments.invalid(
          s"queries have ${show(own)}, but the edges have ${show(field)}; cast one of them"
        )
      own
    }
  }

  private def querySet(rows: Array[Row], keys: Int): QuerySet =
    if (keys == 0) new SameForAll(Pairs(rows.map(pair)))
    else PerGraph(rows.toSeq.map(row => Row.fromSeq(row.toSeq.drop(2)) -> pair(row)))

  private def pair(row: Row): (Any, Any) = (row.get(0), row.get(1))
}
