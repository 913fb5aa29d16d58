package io.github.sparkbic.operator.question

import java.util.Arrays

/** The places of all vertices whose components have at least `minSize` vertices, in chunks of bounded size: no row of
  * the operator is large.
  */
private[question] final class AnsweredPlaces(table: ComponentTable, minSize: Long)
    extends Iterator[Array[Int]] {
  private val chunk = new Array[Int](AnsweredPlaces.ChunkSize)
  private var count = 0
  private var place = 1

  override def hasNext: Boolean = {
    while (count < chunk.length && place < table.places) {
      val component = table.componentOf(place)
      if (component >= 0 && table.size(component) >= minSize) {
        chunk(count) = place
        count += 1
      }
      place += 1
    }
    count > 0
  }

  override def next(): Array[Int] =
    if (!hasNext) Iterator.empty.next()
    else {
      val filled = Arrays.copyOf(chunk, count)
      count = 0
      filled
    }
}

private[question] object AnsweredPlaces {

  /** Answers in a row: some 64 KiB for two columns of integral vertices. */
  final val ChunkSize = 4096
}
