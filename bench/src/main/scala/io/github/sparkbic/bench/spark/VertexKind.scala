package io.github.sparkbic.bench.spark

/** What the numbers of a generator become: ids as users have them. */
object VertexKind {

  /** The numbers themselves, from 0 on. */
  final val Dense = "dense"

  /** Of each other kind the expression that makes an id of a number: 64 bits from anywhere, `acct-123456`, and UUIDs. */
  private val Expressions: Seq[(String, String => String)] = Seq(
    "scattered" -> (number => s"xxhash64($number)"),
    "names" -> (number => s"concat('acct-', $number)"),
    "uuids" -> (number =>
      s"regexp_replace(md5(string($number)), '(.{8})(.{4})(.{4})(.{4})(.{12})', '$$1-$$2-$$3-$$4-$$5')"
    )
  )

  val Others: Seq[String] = Expressions.map(_._1)

  val All: Seq[String] = Dense +: Others

  /** The type of the ids. */
  def sqlType(kind: String): String = if (Seq("names", "uuids").contains(kind)) "STRING" else "BIGINT"

  /** The id of the number in a column, under the name of the column. */
  def id(kind: String, column: String): String =
    Expressions.collectFirst { case (`kind`, of) => s"${of(column)} AS $column" }.getOrElse(column)
}
