package io.github.sparkbic.index

import io.github.sparkbic.index.bic.BicIndex
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexConfig, Panes}
import io.github.sparkbic.index.forests.{NumberedIndex, SavedForest, TableIndex}
import io.github.sparkbic.index.format.BinaryReader
import io.github.sparkbic.index.recency.RecencyIndex

/** The indexes by the name that the public API gives them. */
object Indexes {

  /** The name that leaves the choice of the index to the question. */
  val Auto: String = "auto"

  val names: Seq[String] = Seq(BicIndex.Name, RecencyIndex.Name)

  /** An empty index for windows of `panes.perWindow` panes. A whole table has an index of its own, whatever the name. */
  def create(name: String, panes: Panes, config: IndexConfig = IndexConfig()): ConnectivityIndex =
    if (panes == Panes.Whole) new TableIndex else empty(name, panes, config)

  /** The index with the form that `in` has, saved by any index for windows of as many panes.
    * @param check refuses an id that no vertex has, where ids are numbers
    */
  def restore(
      name: String,
      panes: Panes,
      in: BinaryReader,
      config: IndexConfig = IndexConfig(),
      check: Long => Unit = _ => ()
  ): ConnectivityIndex = empty(name, panes, config).restore(SavedForest.restore(panes.perWindow, in), check)

  private def empty(name: String, panes: Panes, config: IndexConfig): NumberedIndex = name match {
    case BicIndex.Name     => new BicIndex(panes.perWindow, config)
    case RecencyIndex.Name => new RecencyIndex(panes.perWindow, config)
    case other =>
      throw new IllegalArgumentException(s"unknown index '$other'; there is: ${names.mkString(", ")}")
  }
}
