package io.github.sparkbic.call

import org.apache.spark.sql.{AnalysisException, DataFrame, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types.{StringType, StructField}

import io.github.sparkbic.arguments.{Arguments, ColumnTypes, EdgeColumns, NamedColumns}
import io.github.sparkbic.operator.keys.KeyRows
import io.github.sparkbic.operator.question.{
  Pairs,
  PairsConnected,
  PerGraph,
  QuerySet,
  SameForAll,
  SentQueries
}

/** Checks the pairs to ask for. Pairs that are at hand are read at once, so that an error in them is told at once; reading
  * others takes a job, which has to wait until answers are asked for.
  */
private[sparkbic] object QueryArguments {
  import ColumnTypes.show

  def question(frame: DataFrame, edges: EdgeColumns): PairsConnected = {
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
    val encoder = KeyRows.encoder(asked.schema)
    def set(rows: Seq[Row]): QuerySet = {
      if (rows.isEmpty) throw empty
      rows.find(row => row.isNullAt(0) || row.isNullAt(1)).foreach(row => throw withNull(row.toSeq.take(2)))
      querySet(rows, keys.size)
    }
    val atHand = SparkInternals.rowsAtHand(asked, encoder).map(set)
    def read(): QuerySet = atHand.getOrElse(set(asked.as(encoder).collect().toSeq))
    val queries = new SentQueries(frame.sparkSession.sparkContext, () => read())
    new PairsConnected(queries, source.dataType)
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

  private def querySet(rows: Seq[Row], keys: Int): QuerySet =
    if (keys == 0) new SameForAll(Pairs(rows.map(pair)))
    else PerGraph(rows.map(row => Row.fromSeq(row.toSeq.drop(2)) -> pair(row)))

  private def pair(row: Row): (Any, Any) = (row.get(0), row.get(1))
}
