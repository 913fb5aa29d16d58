package io.github.sparkbic.index.kernels

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class RadixSortSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  test("positions by rising number, equal ones in their order, for few and many, dense and far apart") {
    val random = new java.util.SplittableRandom(7)
    for (
      count <- Seq(0, 1, 2, 31, 32, 33, 300, 4095, 4096, 10000);
      bits <- Seq(0, 1, 7, 20, 31, 32, 33, 40, 63, 64)
    ) {
      val numbers = Array.fill(count)(if (bits == 0) 5L else random.nextLong() >> (64 - bits))
      val wanted = numbers.indices.sortBy(i => (numbers(i), i))
      assert(RadixSort(numbers).order.toSeq == wanted, s"$count numbers of $bits bits")
      assert(RadixSort(numbers).sorted.toSeq == numbers.sorted.toSeq)
    }
    forAll((numbers: Seq[Long]) =>
      assert(RadixSort(numbers.toArray).order.toSeq == numbers.indices.sortBy(i => (numbers(i), i)))
    )
  }
}
