package io.github.sparkbic.call

import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Arrays => JArrays}

import org.apache.spark.sql.{AnalysisException, DataFrame, Row, SparkSession}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.types.{StringType, StructField, StructType}

import io.github.sparkbic.arguments.{Arguments, ColumnTypes, EdgeColumns, NamedColumns, Nearest, PairColumns}
import io.github.sparkbic.operator.keys.{GraphKey, KeyRows}
import io.github.sparkbic.operator.question.{PairsConnected, QuerySet, Question, SentQueries}

/** Checks the queries: a table of pairs, or an array. Pairs that the plan holds are read at once, so that a bad pair fails
  * the call. Reading other pairs takes a job, which waits for the first action on the answers.
  */
private[sparkbic] object QueryArguments {
  def question(frame: DataFrame, edges: EdgeColumns, early: Boolean, since: Boolean): PairsConnected = {
    val columns = new NamedColumns("queries", frame)
    val pairs = new PairColumns("queries", columns, edges)
    val keys = keysOf(pairs, edges)
    requireRead(columns, Seq(pairs.source, pairs.target) ++ keys, edges)
    val ends = Seq(pairs.source, pairs.target).map(columns.of(_).cast(Question.vertex(edges.strings)))
    val asked =
      frame.select(ends ++ keys.map(own => columns.of(own).cast(KeyRows.exactType(own.dataType))): _*)
    val checked = this.checked(_: Seq[Row], edges)
    val encoder = KeyRows.encoder(asked.schema)
    val atHand = SparkInternals.rowsAtHand(asked, encoder).map(checked)
    def read(): QuerySet = atHand.getOrElse(checked(asked.as(encoder).collect().toSeq))
    val sent = new SentQueries(frame.sparkSession.sparkContext, SparkInternals.analyzed(asked), () => read())
    new PairsConnected(sent, pairs.vertexType, since, early)
  }

  private def requireRead(columns: NamedColumns, read: Seq[StructField], edges: EdgeColumns): Unit =
    columns.frame.schema.find(field => !read.exists(_.name == field.name)).foreach { extra =>
      val valid = Seq("source", "target") ++ edges.byFields.map(_.name)
      val by = if (edges.columns.has(extra.name)) " give it in by too, for pairs of each graph, or" else ""
      val fix = Nearest.hint(extra.name, valid) match {
        case ""   => s";$by leave it out, as with queries.select(${valid.mkString("\"", "\", \"", "\"")})"
        case near => near
      }
      throw Arguments.invalid(
        s"queries have a column '${extra.name}', but only ${valid.mkString(", ")} are read$fix"
      )
    }

  private def checked(rows: Seq[Row], edges: EdgeColumns): QuerySet = {
    if (rows.isEmpty) throw empty
    rows.find(row => row.isNullAt(0) || row.isNullAt(1)).foreach(row => throw withNull(row.toSeq.take(2)))
    for (
      row <- rows; i <- 2 until row.size
      if ColumnTypes.isIntegral(edges.byFields(i - 2).dataType) && !row.isNullAt(i)
    ) {
      val (field, key) = (edges.byFields(i - 2), row.getAs[Number](i).longValue)
      val (least, greatest) = ColumnTypes.range(field.dataType)
      if (key < least || key > greatest)
        throw Arguments.invalid(
          s"queries hold the key $key, but the edges have ${ColumnTypes.show(field)}, which holds numbers from $least to " +
            s"$greatest; correct the key"
        )
    }
    QuerySet(rows)
  }

  private def empty: AnalysisException =
    Arguments.invalid("queries are empty; give at least one pair (source, target)")

  private def withNull(pair: Seq[Any]): AnalysisException = Arguments.invalid(
    s"queries hold the pair ${pair.map(GraphKey.show(_)).mkString("(", ", ", ")")}; neither source nor target may be null"
  )

  /** The columns of `by` among the columns of the queries: all of them or none. */
  private def keysOf(pairs: PairColumns, edges: EdgeColumns): Seq[StructField] = {
    val (present, missing) = edges.byFields.partition(field => pairs.columns.find(field.name).isDefined)
    def names(fields: Seq[StructField]) = fields.map(field => s"'${field.name}'").mkString(", ")
    if (present.nonEmpty && missing.nonEmpty)
      throw Arguments.invalid(
        s"queries have the column ${names(present)} of by, but not ${names(missing)}; " +
          "give all of them, to ask each graph for its own pairs, or none"
      )
    present.map(pairs.key)
  }

  /** An array of pairs as a table with integral ids as BIGINT; None if the value is no array of pairs of ids. A pair is a
    * struct, as in `array((1, 2), (3, 9))` of SQL, or an array of two ids. An id is a number, a string or its bytes.
    */
  def frame(value: Any): Option[DataFrame] = Option(value).collect { case pairs: Seq[_] =>
    val rows = pairs.map {
      case pair: Row                     => pair.toSeq.map(widened)
      case pair: scala.collection.Seq[_] => pair.toSeq.map(widened)
      case _                             => Nil
    }
    if (rows.isEmpty) throw empty
    rows.find(row => row.size == 2 && row.contains(null)).foreach(row => throw withNull(row))
    val ids = rows.flatten
    val strings = ids.forall(_.isInstanceOf[Array[Byte]])
    if (rows.forall(_.size == 2) && (strings || ids.forall(_.isInstanceOf[Long]))) {
      val schema = StructType(Seq("source", "target").map(StructField(_, Question.vertex(strings))))
      val exact = SparkSession.active.createDataFrame(JArrays.asList(rows.map(Row.fromSeq): _*), schema)
      Some(if (strings) exact.select(schema.map(f => col(f.name).cast(StringType).as(f.name)): _*) else exact)
    } else None
  }.flatten

  private def widened(id: Any): Any = id match {
    case text: String                           => text.getBytes(UTF_8)
    case number @ (_: Byte | _: Short | _: Int) => number.asInstanceOf[Number].longValue
    case other                                  => other
  }
}
