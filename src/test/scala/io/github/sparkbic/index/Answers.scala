package io.github.sparkbic.index

import scala.collection.compat._

import io.github.sparkbic.index.bic.{BicIndex, BicProbe}
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexConfig, Panes}
import io.github.sparkbic.index.forests.NumberedIndex
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}
import io.github.sparkbic.index.recency.{RecencyIndex, RecencyProbe}
import io.github.sparkbic.index.vertices.VertexNumbers

/** What an index answers, in the form of the [[Oracle]], and what every index has. */
object Answers {

  /** The components of the window that starts at a pane: vertex to the smallest vertex of its component. */
  def components(index: ConnectivityIndex, windowStart: Long): Map[Long, Long] = {
    val found = index.components(windowStart)
    val places = (0 until found.places).filter(found.componentOf(_) >= 0)
    val smallest = found.smallest
    val all = places.map(place => found.vertex(place) -> smallest(found.componentOf(place))).toMap
    Predef.assert(all.size == places.size && found.vertices == places.size, s"a vertex is there twice: $all")
    val sizes = places.groupMapReduce(found.componentOf)(_ => 1)(_ + _)
    Predef.assert(sizes == (0 until found.components).map(c => c -> found.size(c)).toMap)
    Predef.assert(found.largest == sizes.values.maxOption.getOrElse(0))
    all
  }

  /** The vertices of the window from a pane on that are connected with a mark: since which pane, and with which mark. */
  def connectedTo(index: ConnectivityIndex, windowStart: Long, marks: Seq[Long]): Map[Long, (Long, Long)] = {
    val found = index.connectedTo(marks.toArray)
    val rows = (0 until found.size).filter(found.since(_) >= windowStart)
    val all = rows.map(i => found.vertex(i) -> (found.since(i) -> marks(found.mark(i)))).toMap
    Predef.assert(all.size == rows.size, "a vertex is there twice")
    all
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
      config: IndexConfig = IndexConfig(),
      check: Long => Unit = _ => ()
  ): ConnectivityIndex = {
    val in = new BinaryReader(bytes)
    val index = Indexes.restore(name, panes, in, config, check)
    in.expectEnd()
    index
  }

  private[index] def numbers(index: ConnectivityIndex): VertexNumbers = index match {
    case numbered: NumberedIndex => numbered.vertices
    case other                   => throw new IllegalArgumentException(s"no index of the product: $other")
  }

  def violation(index: ConnectivityIndex): Option[String] = index match {
    case bic: BicIndex         => BicProbe.violation(bic)
    case recency: RecencyIndex => RecencyProbe.violation(recency)
    case other                 => throw new IllegalArgumentException(s"no index of the product: $other")
  }
}
