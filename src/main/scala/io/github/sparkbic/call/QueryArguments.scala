package io.github.sparkbic.call

import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Arrays => JArrays}

import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.types.{StringType, StructField, StructType}

import io.github.sparkbic.arguments.{
  Arguments,
  ColumnTypes,
  EdgeColumns,
  NamedColumns,
  Nearest,
  VertexColumns
}
import io.github.sparkbic.operator.keys.{GraphKey, KeyRows}
import io.github.sparkbic.operator.question._

/** Checks the vertices that a call gives: a table, or an array. Vertices that the plan holds are read at once, so that a bad
  * vertex fails the call. Reading other vertices takes a job, which waits for the first action on the answers.
  *
  * @param parameter the parameter of the call
  * @param what      its value in errors
  * @param items     the same without the word for the parameter
  * @param names     the columns with vertices
  * @param form      what a call may give
  */
private[sparkbic] sealed abstract class VertexArguments(
    val parameter: String,
    what: String,
    items: String,
    names: Seq[String],
    val form: String
) {
  protected def empty: String
  protected def withNull(vertices: Seq[Any]): String

  /** The vertices of an item of an array. */
  protected def verticesOf(item: Any): Seq[Any]

  protected final def columnsOf(frame: DataFrame, edges: EdgeColumns): VertexColumns =
    new VertexColumns(what, new NamedColumns(what, frame), edges, names)

  /** @param gather what the rows of one graph ask for */
  protected final def sent[A](
      columns: VertexColumns,
      edges: EdgeColumns
  )(gather: Seq[Row] => A): Queries[A] = {
    val own = columns.columns
    val frame = own.frame
    val keys = keysOf(columns, edges)
    requireRead(own, columns.vertices ++ keys, edges)
    val ends = columns.vertices.map(own.of(_).cast(Question.vertex(edges.strings)))
    val asked = frame.select(ends ++ keys.map(key => own.of(key).cast(KeyRows.exactType(key.dataType))): _*)
    def checked(rows: Seq[Row]): QuerySet[A] = {
      check(rows, edges)
      QuerySet(rows, names.size)(gather)
    }
    val encoder = KeyRows.encoder(asked.schema)
    val atHand = SparkInternals.rowsAtHand(asked, encoder).map(checked)
    def read(): QuerySet[A] = atHand.getOrElse(checked(asked.as(encoder).collect().toSeq))
    new SentQueries(frame.sparkSession.sparkContext, SparkInternals.analyzed(asked), () => read())
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
    if (rows.isEmpty) throw Arguments.invalid(empty)
    rows.map(_.toSeq.take(names.size)).find(_.contains(null)).foreach { vertices =>
      throw Arguments.invalid(withNull(vertices))
    }
    for (
      row <- rows; (field, i) <- edges.byFields.zip(names.size until row.size)
      if ColumnTypes.isIntegral(field.dataType) && !row.isNullAt(i)
    ) {
      val key = row.getAs[Number](i).longValue
      val (least, greatest) = ColumnTypes.range(field.dataType)
      if (key < least || key > greatest)
        throw Arguments.invalid(
          s"$what hold the key $key, but the edges have ${ColumnTypes.show(field)}, which holds numbers from $least to " +
            s"$greatest; correct the key"
        )
    }
  }

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

  /** An array as a table with integral ids as BIGINT; None if the value is no array of the items. An id is a number, a string
    * or its bytes.
    */
  final def frame(value: Any): Option[DataFrame] = Option(value).collect { case listed: Seq[_] =>
    val rows = listed.map(verticesOf(_).map(widened))
    if (rows.isEmpty) throw Arguments.invalid(empty)
    rows.find(row => row.size == names.size && row.contains(null)).foreach { row =>
      throw Arguments.invalid(withNull(row))
    }
    val ids = rows.flatten
    val strings = ids.forall(_.isInstanceOf[Array[Byte]])
    if (rows.forall(_.size == names.size) && (strings || ids.forall(_.isInstanceOf[Long]))) {
      val schema = StructType(names.map(StructField(_, Question.vertex(strings))))
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

/** The pairs to ask for. In an array a pair is a struct, as in `array((1, 2), (3, 9))` of SQL, or an array of two ids. */
private[sparkbic] object QueryArguments
    extends VertexArguments(
      "queries",
      "queries",
      "pairs",
      Seq("source", "target"),
      "TABLE(…) with the columns source and target, or as an array of pairs such as array((1, 2), (3, 9))"
    ) {

  override protected def empty: String = "queries are empty; give at least one pair (source, target)"

  override protected def withNull(pair: Seq[Any]): String =
    s"queries hold the pair ${pair.map(GraphKey.show(_)).mkString("(", ", ", ")")}; neither source nor target may be null"

  override protected def verticesOf(item: Any): Seq[Any] = item match {
    case pair: Row                     => pair.toSeq
    case pair: scala.collection.Seq[_] => pair.toSeq
    case _                             => Nil
  }

  def question(frame: DataFrame, edges: EdgeColumns, early: Boolean, since: Boolean): PairsConnected = {
    val columns = columnsOf(frame, edges)
    new PairsConnected(sent(columns, edges)(Pairs(_)), columns.vertexType, since, early)
  }
}

/** The marked vertices. */
private[sparkbic] object MarkedArguments
    extends VertexArguments(
      "marked",
      "marked vertices",
      "marked vertices",
      Seq("vertex"),
      "TABLE(…) with the column vertex, or as an array of vertices such as array(1, 9)"
    ) {

  override protected def empty: String = "marked holds no vertex; give at least one"

  override protected def withNull(vertex: Seq[Any]): String =
    "marked vertices hold a null; leave it out, as with marked.dropna()"

  override protected def verticesOf(item: Any): Seq[Any] = Seq(item)

  def question(frame: DataFrame, edges: EdgeColumns, early: Boolean, updatesOnly: Boolean): ConnectedTo =
    new ConnectedTo(
      edges.strings,
      sent(columnsOf(frame, edges), edges)(MarkedVertices(_)),
      early,
      updatesOnly
    )
}
