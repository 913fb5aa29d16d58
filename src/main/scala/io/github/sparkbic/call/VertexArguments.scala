package io.github.sparkbic.call

import java.util.{List => JList}

import scala.util.Try

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.Row
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.{DataType, LongType, StringType, StructField}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.arguments._
import io.github.sparkbic.operator.keys.{GraphKey, KeyRows}
import io.github.sparkbic.operator.question.{Queries, QuerySet, Question, SentQueries}

/** Checks the vertices that a call gives: a table, or a list. A list is read at once, so that a bad vertex fails the call.
  * Reading a table takes a job, which waits for the first action on the answers.
  *
  * @param parameter the parameter of the call
  * @param what      its value in errors
  * @param item      one of them
  * @param names     the columns with vertices
  * @param form      what a call may give
  */
private[call] final class VertexArguments(
    parameter: String,
    what: String,
    item: String,
    names: Seq[String],
    form: String
) {

  /** The type in which users get the vertices, and what is asked for.
    *
    * @param gather what the rows of one graph ask for
    */
  def asked(options: Options, edges: EdgeColumns)(gather: Seq[Row] => Seq[Array[_]]): (DataType, Queries) = {
    val (session, isStreaming) = (edges.frame.sparkSession, edges.frame.isStreaming)
    val plan = options.tableOr(parameter, form)(table)
    val refresh = options.duration("refresh").map(text => text -> Durations.positive("refresh", text))
    val columns = new NamedColumns(what, SparkInternals.standIn(plan, session))
    columns.requireStatic()
    val vertices = names.map(columns.vertex(_, edges))
    val keys = keysOf(columns, edges)
    requireRead(columns, vertices ++ keys, edges)
    val selected = columns.frame.select(
      vertices.map(columns.of(_).cast(Question.vertex(edges.strings))) ++
        keys.map(key => columns.of(key).cast(KeyRows.exactType(key.dataType))): _*
    )
    val asked = SparkInternals.replaceStandIn(selected, plan)
    def checked(rows: Seq[Row]): QuerySet = {
      // A table that another job writes may be empty for a while.
      if (rows.isEmpty && refresh.isEmpty) throw empty
      check(rows, edges)
      QuerySet(rows, names.size)(gather)
    }
    val encoder = KeyRows.encoder(selected.schema)
    val atHand = SparkInternals.rowsAtHand(asked, encoder).map(checked)
    refresh.foreach { case (text, _) => requireChanging(text, isStreaming, SparkInternals.readsTable(plan)) }
    def read(): QuerySet = atHand.getOrElse {
      if (isStreaming) SparkInternals.refresh(asked)
      checked(SparkInternals.frame(asked, session).as(encoder).collect().toSeq)
    }
    val queries = new SentQueries(session, isStreaming, refresh.map(_._2), asked, () => read())
    (vertices.map(_.dataType).reduce(ColumnTypes.common(_, _).get), queries)
  }

  private def empty = Arguments.invalid(s"$what are empty; give at least one $item")

  private def requireChanging(refresh: String, isStreaming: Boolean, readsTable: Boolean): Unit = {
    val reason = s"refresh '$refresh' has $parameter read anew while a stream runs, but"
    if (!isStreaming)
      throw Arguments.invalid(
        s"$reason edges is a static DataFrame, which is answered at once; leave refresh out"
      )
    if (!readsTable)
      throw Arguments.invalid(
        s"$reason $parameter reads no table, so it never changes; give a DataFrame of a table, such as " +
          "spark.read.parquet(...), or leave refresh out"
      )
  }

  private def requireRead(columns: NamedColumns, read: Seq[StructField], edges: EdgeColumns): Unit =
    columns.frame.schema.find(field => !read.exists(_.name == field.name)).foreach { extra =>
      val valid = names ++ edges.byFields.map(_.name)
      val by = if (edges.columns.has(extra.name)) s" give it in by too, for $what of each graph, or" else ""
      val fix = Arguments.nearest(extra.name, valid) match {
        case ""   => s";$by leave it out, as with $parameter.select(${valid.mkString("\"", "\", \"", "\"")})"
        case near => near
      }
      val only = s"only ${valid.mkString(", ")} ${if (valid.size == 1) "is" else "are"} read"
      throw Arguments.invalid(s"$what have a column '${extra.name}', but $only$fix")
    }

  /** @param rows vertices, and after them the key of a graph, where each graph is asked for its own */
  private def check(rows: Seq[Row], edges: EdgeColumns): Unit = {
    val width = names.size
    rows.foreach(row => requireNoNull(row.toSeq.take(width)))
    for (
      (field, i) <- edges.byFields.zipWithIndex if ColumnTypes.isIntegral(field.dataType);
      row <- rows if row.size > width && !row.isNullAt(width + i)
    ) {
      val key = row.getAs[Number](width + i).longValue
      val (least, greatest) = ColumnTypes.range(field.dataType)
      if (key < least || key > greatest)
        throw Arguments.invalid(
          s"$what hold the key $key, but the edges have ${ColumnTypes.show(field)}, which holds numbers from $least to " +
            s"$greatest; correct the key"
        )
    }
  }

  private def requireNoNull(vertices: Seq[Any]): Unit = if (vertices.contains(null)) {
    val shown = vertices.map(GraphKey.show(_)).mkString("(", ", ", ")")
    throw Arguments.invalid(s"$what hold $shown; leave out nulls, as with $parameter.dropna()")
  }

  /** The columns of `by` among the columns of the frame: all of them or none. */
  private def keysOf(columns: NamedColumns, edges: EdgeColumns): Seq[StructField] = {
    val (present, missing) = edges.byFields.partition(field => columns.find(field.name).isDefined)
    def names(fields: Seq[StructField]) = fields.map(field => s"'${field.name}'").mkString(", ")
    if (present.nonEmpty && missing.nonEmpty)
      throw Arguments.invalid(
        s"$what have the column ${names(present)} of by, but not ${names(missing)}; " +
          s"give all of them, to ask each graph for its own $what, or none"
      )
    present.map(columns.key)
  }

  /** A list as a table with integral ids as BIGINT; None if an item is none of the items. A list is an array of SQL, or the
    * ids in JSON, one pair after the other, which the Python package sends: Spark and Py4J would make an object of each
    * vertex several times. A pair is a struct, as in `array((1, 2), (3, 9))` of SQL, or an array. An id is a number, a
    * string or its bytes.
    */
  private def table(value: Any): Option[LogicalPlan] = value match {
    case json: String =>
      Try(new ObjectMapper().readValue(json, classOf[Array[AnyRef]])).toOption.flatMap(ids =>
        table(ids.grouped(names.size).map(_.toSeq).toSeq)
      )
    case Seq() => throw empty
    case listed: Seq[_] =>
      val rows = listed.map {
        case pair: Row                     => pair.toSeq
        case pair: scala.collection.Seq[_] => pair.toSeq
        case pair: JList[_]                => pair.toArray.toSeq
        case vertex                        => Seq(vertex)
      }
      val ids = rows.map(_.map {
        case number @ (_: Byte | _: Short | _: Int) => number.asInstanceOf[Number].longValue
        case text: Array[Byte]                      => UTF8String.fromBytes(text)
        case text: String                           => UTF8String.fromString(text)
        case other                                  => other
      })
      // Nulls are refused along with those of tables.
      def are(of: Any => Boolean) =
        ids.forall(row => row.size == names.size && row.forall(id => id == null || of(id)))
      val idType =
        if (are(_.isInstanceOf[Long])) Some(LongType)
        else if (are(_.isInstanceOf[UTF8String])) Some(StringType)
        else None
      idType.map(SparkInternals.table(names, _, ids.map(InternalRow.fromSeq)))
    case _ => None
  }
}

private[call] object VertexArguments {
  val Pairs: VertexArguments = new VertexArguments(
    "queries",
    "queries",
    "pair (source, target)",
    Seq("source", "target"),
    "TABLE(…) with the columns source and target, or as an array of pairs such as array((1, 2), (3, 9))"
  )

  val Marked: VertexArguments = new VertexArguments(
    "marked",
    "marked vertices",
    "vertex",
    Seq("vertex"),
    "TABLE(…) with the column vertex, or as an array of vertices such as array(1, 9)"
  )
}
