package io.github.sparkbic.operator.question

import java.util.Arrays

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.contract.WindowComponents

/** How many vertices, edges and components are there, and how many vertices has the largest component?
  *
  * @param sizes whether to count the components of each size as well
  */
private[sparkbic] final case class ComponentStats(sizes: Boolean) extends WindowQuestion {
  override def method: String = "bicComponentStats"

  override val fields: Seq[StructField] = {
    val ofSize = StructType(Seq("size", "components").map(StructField(_, LongType, nullable = false)))
    Seq("vertices", "edges", "components", "largest").map(StructField(_, LongType)) ++
      (if (sizes) Some(StructField("sizes", ArrayType(ofSize, containsNull = false))) else None)
  }

  override def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]] = {
    val found = window.components.found
    val counts = Seq(found.vertices, window.edges, found.components.toLong, found.largest.toLong)
    Iterator.single(counts ++ (if (sizes) Some(sizeCounts(found)) else None))
  }

  /** Each size that occurs, with the number of components of this size, by rising size. */
  private def sizeCounts(found: WindowComponents): Seq[Row] = {
    val sizes = Array.tabulate(found.components)(found.size)
    Arrays.sort(sizes)
    val counts = Seq.newBuilder[Row]
    var from = 0
    while (from < sizes.length) {
      var until = from + 1
      while (until < sizes.length && sizes(until) == sizes(from)) until += 1
      counts += Row(sizes(from).toLong, (until - from).toLong)
      from = until
    }
    counts.result()
  }
}
