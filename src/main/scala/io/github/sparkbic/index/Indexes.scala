package io.github.sparkbic.index

import io.github.sparkbic.index.bic.BicIndex
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexConfig, Panes}
import io.github.sparkbic.index.format.BinaryReader
import io.github.sparkbic.index.forests.WindowForest
import io.github.sparkbic.index.recency.RecencyIndex

/** The indexes by the name that the public API gives them. */
object Indexes {

  val Default: String = BicIndex.Name

  val names: Seq[String] = Seq(BicIndex.Name, RecencyIndex.Name)

  /** An empty index for windows of `panes.perWindow` panes. */
  def create(name: String, panes: Panes, config: IndexConfig = IndexConfig()): ConnectivityIndex = name match {
    case BicIndex.Name     => BicIndex(panes.perWindow, config)
    case RecencyIndex.Name => RecencyIndex(panes.perWindow, config)
    case other             => unknown(other)
  }

  /** The index with the form that `in` has, saved by any index for windows of as many panes. */
  def restore(
      name: String,
      panes: Panes,
      in: BinaryReader,
      config: IndexConfig = IndexConfig()
  ): ConnectivityIndex = {
    val forest = WindowForest.restore(panes.perWindow, in)
    name match {
      case BicIndex.Name     => BicIndex.of(panes.perWindow, forest, config)
      case RecencyIndex.Name => RecencyIndex.of(panes.perWindow, forest, config)
      case other             => unknown(other)
    }
  }

  private def unknown(name: String) =
    throw new IllegalArgumentException(s"unknown index '$name'; there is: ${names.mkString(", ")}")
}
