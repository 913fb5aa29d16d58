package io.github.sparkbic.index.vertices

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

class IdRangeSuite extends AnyFunSuite {
  private val random = new Random(3)

  private def sample(id: () => Long): Array[Long] = Array.fill(1000)(id())

  private def dense(first: Long): Long = first + random.nextInt(40000)

  private def holds(range: IdRange, first: Long): Boolean =
    range.offsetOf(first) >= 0 && range.offsetOf(first + 39999) >= 0

  test("dense ids have a range, at the ends of the Long range too") {
    for (first <- Seq(0L, -7L, Long.MinValue, Long.MaxValue - 39999)) {
      val range = IdRange.of(sample(() => dense(first)), 20000, 0.28)
      assert(holds(range, first) && range.length < 45000)
    }
  }

  test("ids far from all others are left out: up to half, or next to none where nearly all are wanted") {
    def mixed(part: Double) = sample(() => if (random.nextDouble() < part) random.nextLong() else dense(99))
    assert(holds(IdRange.of(mixed(0.05), 20000, 0.28), 99))
    assert(holds(IdRange.of(mixed(0.3), 20000, 0.28), 99))
    assert(IdRange.of(mixed(0.7), 20000, 0.28).isEmpty)
    assert(holds(IdRange.of(mixed(0.05), 20000, 0.28, IdRange.NearlyAll), 99))
    assert(IdRange.of(mixed(0.3), 20000, 0.28, IdRange.NearlyAll).isEmpty)
  }

  test("sparse ids have no range, and neither have few vertices of a dense run") {
    assert(IdRange.of(sample(() => random.nextLong()), 1 << 30, 0.28).isEmpty)
    assert(IdRange.of(sample(() => 5 * dense(0)), 40000, 0.28).isEmpty)
    assert(IdRange.of(sample(() => dense(0)), 8000, 0.28).isEmpty)
    assert(IdRange.of(Array.empty, 0, 0.28).isEmpty)
  }
}
