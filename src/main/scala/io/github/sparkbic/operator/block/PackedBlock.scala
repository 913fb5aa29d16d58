package io.github.sparkbic.operator.block

import org.apache.spark.sql.Encoders
import org.apache.spark.sql.types.StructField

/** The edges of one pane of one graph, from one input task to the window operator. The fields are columns of the shuffle.
  * @param pane    the pane; [[PackedBlock.NoPane]] in a block that only counts dropped rows
  * @param edges   rows of the block
  * @param edgeSet the bytes of an `EdgeSet`; null in a block that only counts dropped rows. Its vertices are vertex ids; or,
  *                with `names`, positions in `names`; or, with `delta`, numbers of the dictionary that the delta extends
  * @param names   vertex ids that are strings, as [[VertexNames.pack]] writes them; else null
  * @param delta   in a batch query, how `names` extend a dictionary that blocks of the task share ([[NameDelta]]); else null
  */
final case class PackedBlock(
    pane: Long,
    edges: Long,
    edgeSet: Array[Byte],
    names: Array[Byte],
    delta: Array[Byte] = null
) {

  /** Whether the block only counts rows that were dropped for a null endpoint or time. */
  def countsNulls: Boolean = edgeSet == null
}

object PackedBlock {

  /** Sorts before all other panes; only a pane of a single microsecond can have the same number. */
  val NoPane: Long = Long.MinValue
  val fields: Seq[StructField] = Encoders.product[PackedBlock].schema.fields.toSeq
}
