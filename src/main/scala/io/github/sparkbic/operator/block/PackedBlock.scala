package io.github.sparkbic.operator.block

import org.apache.spark.sql.Encoders
import org.apache.spark.sql.types.StructField

/** What an input task sends to the window operator: its edges of one pane of one graph, thinned to a
  * forest where that pays.
  *
  * The names of the fields are column names of the shuffled rows.
  *
  * @param pane    the pane; [[PackedBlock.NoPane]] in a block that only counts dropped rows
  * @param edges   rows that went into the block
  * @param edgeSet an `EdgeSet` of these, in bytes; null in a block that only counts dropped rows. Its vertices are the
  *                vertex ids, or, if `names` is given, positions in there, or, if `delta` is given too, numbers of the
  *                dictionary that it adds to
  * @param names   the vertex ids where they are strings, as [[VertexNames.pack]] writes them; else null
  * @param delta   in a batch query, what `names` are to a dictionary that blocks of the task share ([[NameDelta]]); else
  *                null
  */
final case class PackedBlock(
    pane: Long,
    edges: Long,
    edgeSet: Array[Byte],
    names: Array[Byte],
    delta: Array[Byte] = null
) {

  /** Whether this only tells how many rows were dropped for a null endpoint or time. */
  def countsNulls: Boolean = edgeSet == null
}

object PackedBlock {

  /** Sorts before all others; only panes of a single microsecond go so far back that one has the same number. */
  val NoPane: Long = Long.MinValue

  val fields: Seq[StructField] = Encoders.product[PackedBlock].schema.fields.toSeq
}
