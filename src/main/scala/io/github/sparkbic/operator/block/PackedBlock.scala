package io.github.sparkbic.operator.block

import org.apache.spark.sql.{Encoder, Encoders}
import org.apache.spark.sql.types.StructField

/** The edges of one pane of one graph, or events of the pane, from one input task to the window operator. The fields are
  * columns of the shuffle.
  * @param pane    the pane; [[PackedBlock.NoPane]] in a block that only counts dropped rows, and of events without a time
  * @param edges   rows of the block that are edges: none in a block of events, which thus sorts before the edges of its pane
  * @param edgeSet the bytes of an `EdgeSet`; null in a block that only counts dropped rows, and in a block of events. Its
  *                vertices are vertex ids; or, with `names`, positions in `names` or in the dictionary
  * @param names   vertex ids that are strings, as [[PackedNames.toBytes]] writes them; else null
  * @param dictionary in a batch query, the number of a dictionary that `names` are appended to ([[DictionaryWriter]]);
  *                   [[PackedBlock.OwnNames]] if `names` are those of the block alone
  * @param events  the rows of [[EventRows]]; null in a block of edges
  */
final case class PackedBlock(
    pane: Long,
    edges: Long,
    edgeSet: Array[Byte],
    names: Array[Byte],
    dictionary: Long = PackedBlock.OwnNames,
    events: Array[Byte] = null
) {

  /** Whether the block only counts rows that were dropped for a null endpoint or time. */
  def countsNulls: Boolean = edgeSet == null && events == null
}

object PackedBlock {

  /** Sorts before all other panes; only a pane of a single microsecond can have the same number. */
  val NoPane: Long = Long.MinValue

  /** No number of a dictionary. */
  final val OwnNames = 0L

  /** Made once: Scala's reflection would take a fifth of the time in which a call builds its plan. */
  val encoder: Encoder[PackedBlock] = Encoders.product[PackedBlock]

  val fields: Seq[StructField] = encoder.schema.fields.toSeq
}
