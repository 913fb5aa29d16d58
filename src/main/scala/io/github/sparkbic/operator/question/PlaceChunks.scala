package io.github.sparkbic.operator.question

import java.util.Arrays
import java.util.function.IntPredicate

/** The places of a window that are answered, in chunks of bounded size, so that no row of the operator is large. */
private[question] final class PlaceChunks(places: Int, isAnswered: IntPredicate)
    extends Iterator[Array[Int]] {
  private val chunk = new Array[Int](PlaceChunks.Size)
  private var count = 0
  private var place = 0

  override def hasNext: Boolean = {
    while (count == 0 && place < places) fill()
    count > 0
  }

  override def next(): Array[Int] =
    if (!hasNext) Iterator.empty.next()
    else {
      val filled = Arrays.copyOf(chunk, count)
      count = 0
      filled
    }

  private def fill(): Unit =
    while (count < chunk.length && place < places) {
      if (isAnswered.test(place)) {
        chunk(count) = place
        count += 1
      }
      place += 1
    }
}

private[question] object PlaceChunks {

  /** Answers in a row: some 64 KiB of two columns of integral vertices. */
  final val Size = 4096
}
