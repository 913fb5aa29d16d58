package io.github.sparkbic.call

import org.apache.spark.sql.{AnalysisException, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.{DataType, LongType, StringType, StructField}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.arguments._
import io.github.sparkbic.operator.keys.{GraphKey, KeyRows}
import io.github.sparkbic.operator.question.{Queries, QuerySet, Question, SentQueries}

/** Checks the vertices that a call gives: a table, or an array. Vertices that the plan holds are read at once, so that a bad
  * vertex fails the call. Reading other vertices takes a job, which waits for the first action on the answers.
  *
  * @param parameter the parameter of the call
  * @param what      its value in errors
  * @param items     the same without the word for the parameter
  * @param names     the columns with vertices
  * @param form      what a call may give
  * @param empty     the error of no row
  * @param withNull  the error of a row with a null
  */
private[call] final class VertexArguments(
    parameter: String,
    what: String,
    items: String,
    names: Seq[String],
    form: String,
    empty: String,
    withNull: Seq[Any] => String
) {

  /** The type in which users get the vertices, and what is asked for.
    *
    * @param gather what the rows of one graph ask for
    */
  def asked[A](options: Options, edges: EdgeColumns)(gather: Seq[Row] => A): (DataType, Queries[A]) = {
    val (session, plan) = (edges.frame.sparkSession, options.tableOr(parameter, form)(table))
    val frame = SparkInternals.standIn(plan, session)
    val refresh = options.positive("refresh")
    val own = new NamedColumns(what, frame)
    own.requireStatic()
    val columns = new VertexColumns(what, own, edges, names)
    val keys = keysOf(columns, edges)
    requireRead(own, columns.vertices ++ keys, edges)
    val exact = Question.vertex(edges.strings)
    val ends =
      columns.vertices.map(end => if (end.dataType == exact) own.of(end) else own.of(end).cast(exact))
    val selected =
      frame.select(ends ++ keys.map(key => own.of(key).cast(KeyRows.exactType(key.dataType))): _*)
    val asked = SparkInternals.replaceStandIn(selected, plan)
    def checked(rows: Seq[Row]): QuerySet[A] = {
      // A table that another job writes may be empty for a while.
      if (rows.isEmpty && refresh.isEmpty) throw Arguments.invalid(empty)
      check(rows, edges)
      QuerySet(rows, names.size)(gather)
    }
    val encoder = KeyRows.encoder(selected.schema)
    val atHand = SparkInternals.rowsAtHand(asked, encoder, session).map(checked)
    val isStreaming = edges.frame.isStreaming
    refresh.foreach(requireChanging(_, isStreaming, atHand.nonEmpty))
    def read(): QuerySet[A] = atHand.getOrElse {
      if (isStreaming) SparkInternals.refresh(asked)
      checked(SparkInternals.frame(asked, session).as(encoder).collect().toSeq)
    }
    val queries = new SentQueries(session, isStreaming, refresh, asked, () => read())
    (columns.vertexType, queries)
  }

  private def requireChanging(refresh: Long, isStreaming: Boolean, isAtHand: Boolean): Unit = {
    val reason = s"refresh '${Durations.show(refresh)}' has $parameter read anew while a stream runs, but"
    if (!isStreaming)
      throw Arguments.invalid(
        s"$reason edges is a static DataFrame, which is answered at once; leave refresh out"
      )
    if (isAtHand)
      throw Arguments.invalid(
        s"$reason $parameter is a list, which never changes; give a DataFrame of a table, such as " +
          "spark.read.parquet(...), or leave refresh out"
      )
  }

  private def requireRead(columns: NamedColumns, read: Seq[StructField], edges: EdgeColumns): Unit =
    columns.frame.schema.find(field => !read.exists(_.name == field.name)).foreach { extra =>
      val valid = names ++ edges.byFields.map(_.name)
      val by = if (edges.columns.has(extra.name)) s" give it in by too, for $items of each graph, or" else ""
      val fix = Nearest.hint(extra.name, valid) match {
        case ""   => s";$by leave it out, as with $parameter.select(${valid.mkString("\"", "\", \"", "\"")})"
        case near => near
      }
      val only = s"only ${valid.mkString(", ")} ${if (valid.size == 1) "is" else "are"} read"
      throw Arguments.invalid(s"$what have a column '${extra.name}', but $only$fix")
    }

  private def check(rows: Seq[Row], edges: EdgeColumns): Unit = {
    val width = names.size
    rows.find(row => (0 until width).exists(row.isNullAt)).foreach(row => throw ofNull(row.toSeq.take(width)))
    val keys = if (rows.forall(_.size == width)) Nil else edges.byFields.zipWithIndex
    for (
      (field, i) <- keys if ColumnTypes.isIntegral(field.dataType); row <- rows if !row.isNullAt(width + i)
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

  private def ofNull(row: Seq[Any]): AnalysisException = Arguments.invalid(withNull(row))

  /** The columns of `by` among the columns of the frame: all of them or none. */
  private def keysOf(columns: VertexColumns, edges: EdgeColumns): Seq[StructField] = {
    val (present, missing) = edges.byFields.partition(field => columns.columns.find(field.name).isDefined)
    def names(fields: Seq[StructField]) = fields.map(field => s"'${field.name}'").mkString(", ")
    if (present.nonEmpty && missing.nonEmpty)
      throw Arguments.invalid(
        s"$what have the column ${names(present)} of by, but not ${names(missing)}; " +
          s"give all of them, to ask each graph for its own $items, or none"
      )
    present.map(columns.key)
  }

  private def table(value: Any): Option[LogicalPlan] = value match {
    case packed: Array[Byte] => PackedVertices.table(names, packed)
    case listed: Seq[_]      => tableOf(listed)
    case _                   => None
  }

  /** An array as a table with integral ids as BIGINT; None if an item is none of the items. A pair is a struct, as in
    * `array((1, 2), (3, 9))` of SQL, or an array of two ids. An id is a number, or the bytes of a string.
    */
  private def tableOf(listed: Seq[Any]): Option[LogicalPlan] = {
    if (listed.isEmpty) throw Arguments.invalid(empty)
    val rows = listed.map {
      case pair: Row                     => pair.toSeq
      case pair: scala.collection.Seq[_] => pair.toSeq
      case vertex                        => Seq(vertex)
    }
    if (!rows.forall(_.size == names.size)) None
    else {
      rows.find(_.contains(null)).foreach(row => throw ofNull(row))
      val ids = rows.map(_.map {
        case number @ (_: Byte | _: Short | _: Int) => number.asInstanceOf[Number].longValue
        case text: Array[Byte]                      => UTF8String.fromBytes(text)
        case other                                  => other
      })
      def are(of: Any => Boolean) = ids.forall(_.forall(of))
      val idType =
        if (are(_.isInstanceOf[Long])) Some(LongType)
        else if (are(_.isInstanceOf[UTF8String])) Some(StringType)
        else None
      idType.map(SparkInternals.table(names, _, ids.map(InternalRow.fromSeq)))
    }
  }
}

private[call] object VertexArguments {
  val Pairs: VertexArguments = new VertexArguments(
    "queries",
    "queries",
    "pairs",
    Seq("source", "target"),
    "TABLE(…) with the columns source and target, or as an array of pairs such as array((1, 2), (3, 9))",
    "queries are empty; give at least one pair (source, target)",
    pair =>
      s"queries hold the pair ${pair.map(GraphKey.show(_)).mkString("(", ", ", ")")}; neither source nor target may be null"
  )

  val Marked: VertexArguments = new VertexArguments(
    "marked",
    "marked vertices",
    "marked vertices",
    Seq("vertex"),
    "TABLE(…) with the column vertex, or as an array of vertices such as array(1, 9)",
    "marked holds no vertex; give at least one",
    _ => "marked vertices hold a null; leave it out, as with marked.dropna()"
  )
}
