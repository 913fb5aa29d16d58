package io.github.sparkbic.index

import scala.collection.mutable

import io.github.sparkbic.index.bic.{BicIndex, BicProbe}
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexConfig, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}
import io.github.sparkbic.index.recency.{RecencyIndex, RecencyProbe}
import io.github.sparkbic.index.vertices.VertexNumbers

/** What an index answers, in the form of the [[Oracle]], and what every index has. */
object Answers {

  /** The components of the window that starts at a pane: vertex to the smallest vertex of its component. */
  def components(index: ConnectivityIndex, windowStart: Long): Map[Long, Long] = {
    val found = mutable.HashMap.empty[Long, Long]
    index.components(windowStart) { (vertex, component) =>
      if (found.put(vertex, component).nonEmpty)
        throw new AssertionError(s"vertex $vertex was visited twice")
    }
    found.toMap
  }

  def saved(index: ConnectivityIndex): Array[Byte] = {
    val out = new BinaryWriter()
    index.save(out)
    out.toBytes
  }

  def restored(
      name: String,
      panes: Panes,
      bytes: Array[Byte],
      config: IndexConfig = IndexConfig()
  ): ConnectivityIndex = {
    val in = new BinaryReader(bytes)
    val index = Indexes.restore(name, panes, in, config)
    in.expectEnd()
    index
  }

  private[index] def numbers(index: ConnectivityIndex): VertexNumbers = index match {
    case bic: BicIndex         => bic.vertexNumbers
    case recency: RecencyIndex => recency.vertexNumbers
    case other                 => throw new IllegalArgumentException(s"no index of the product: $other")
  }

  /** The first violation of an invariant, if there is one. */
  def violation(index: ConnectivityIndex): Option[String] = index match {
    case bic: BicIndex         => BicProbe.validate(bic)
    case recency: RecencyIndex => RecencyProbe.validate(recency)
    case other                 => throw new IllegalArgumentException(s"no index of the product: $other")
  }
}
