package io.github.sparkbic.index.vertices

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite

/** Which range is chosen for which vertices. */
class RangeSuite extends AnyFunSuite {

  test("ids that are spread evenly have one range of them all") {
    val ids = 1 << 20
    val parts = (1 to 300).map { seed =>
      val random = new SplittableRandom(seed.toLong)
      val sample = new IdSample(IdSample.Enough, 0)
      while (!sample.isFull) sample.add(random.nextInt(ids).toLong, random.nextInt(20))
      val range = sample.range(ids / 3, 1)
      assert(range.length < 1.03 * ids)
      range.length.toDouble / ids
    }
    // One that ends at a gap leaves many out, and is soon given up for another one.
    assert(parts.count(_ < 0.98) <= 8)
  }

  test("a window that fills is taken for twice as full, but for no fuller than it will be") {
    val watch = new RangeWatch(16)
    assert(watch.isFull && watch.expected(1000) == 1000)
    for ((filled, expected) <- Seq(0.01 -> 2000, 0.5 -> 2000, 0.8 -> 1250, 1.0 -> 1000)) {
      watch.filled = filled
      assert(watch.expected(1000) == expected && watch.isFull == filled >= 1)
    }
    watch.filled = 0.1
    assert(watch.expected(1 << 30) == Int.MaxValue)
  }

  test("ids are looked at when enough vertices were added, and long after some were moved") {
    val watch = new RangeWatch(100)
    assert(!watch.isDue(99, 99) && watch.isDue(100, 100))
    watch.waitAWhile(100, 100)
    assert(!watch.isDue(199, 199) && watch.isDue(200, 200) && !watch.isDue(200, 99))
    watch.waitAWhile(200, 16000)
    assert(!watch.isDue(1199, 5000) && watch.isDue(1200, 5000))
    watch.waitLong(1200, 1000)
    assert(!watch.isDue(1300, 5000))
    watch.pass(3999)
    assert(!watch.isDue(1300, 5000))
    watch.pass(1)
    assert(watch.isDue(1300, 5000) && !watch.isDue(1299, 5000))
    watch.restart()
    assert(watch.isDue(0, 100))
  }
}
