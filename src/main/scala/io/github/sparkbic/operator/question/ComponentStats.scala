package io.github.sparkbic.operator.question

import java.util.Arrays

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.contract.WindowComponents

/** How many vertices, edges and components are there, and how many vertices has the largest component?
  *
  * @param sizes whether to count the components of each size as well
  */
private[sparkbic] final case class ComponentStats(sizes: Boolean)
    extends Question(
      "bicComponentStats",
      Question.numbers("vertices", "edges", "components", "largest") ++
        Question.when(sizes) {
          val ofSize = StructType(Question.numbers("size", "components").map(_.copy(nullable = false)))
          StructField("sizes", ArrayType(ofSize, containsNull = false))
        }
    )
    with WindowQuestion {

  override def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]] = {
    val found = window.components.found
    val counts = Seq(found.vertices, window.edges, found.components.toLong, found.largest.toLong)
    Iterator.single(counts ++ Question.when(sizes)(sizeCounts(found)))
  }

  /** Each size that occurs, with the number of components of this size, by rising size. */
  private def sizeCounts(found: WindowComponents): Seq[Row] = {
    val sizes = Array.tabulate(found.components)(found.size)
    Arrays.sort(sizes)
    val lasts = sizes.indices.filter(i => i + 1 == sizes.length || sizes(i + 1) != sizes(i))
    lasts.zip(-1 +: lasts).map { case (last, before) => Row(sizes(last).toLong, (last - before).toLong) }
  }
}
