package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

/** How many vertices, edges and components are there, and how many vertices has the largest component?
  *
  * @param sizes whether to count the components of each size as well
  */
private[sparkbic] final case class ComponentStats(sizes: Boolean) extends Question {
  override def method: String = "bicComponentStats"

  override val fields: Seq[StructField] = {
    val ofSize = StructType(Seq("size", "components").map(StructField(_, LongType, nullable = false)))
    Seq("vertices", "edges", "components", "largest").map(StructField(_, LongType)) ++
      (if (sizes) Some(StructField("sizes", ArrayType(ofSize, containsNull = false))) else None)
  }

  override def answers(key: Row, window: AnsweredWindows): Iterator[Seq[Any]] = {
    val found = window.components
    val counts = Seq(found.vertices, window.edges, found.components.toLong, found.largest)
    Iterator.single(counts ++ (if (sizes) Some(found.sizeCounts.map(Row.fromTuple)) else None))
  }
}
