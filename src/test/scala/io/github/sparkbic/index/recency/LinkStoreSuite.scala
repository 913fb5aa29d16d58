package io.github.sparkbic.index.recency

import scala.collection.mutable
import scala.util.Random

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Links against a map, while numbers come and go and the array grows, which takes many steps. */
class LinkStoreSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def run(seed: Long, operations: Int, released: Int, expected: Int): Unit = {
    val random = new Random(seed)
    val links = new LinkStore(seed, expected)
    val model = mutable.LongMap.empty[Long]
    val taken = mutable.ArrayBuffer.empty[Int]
    for (_ <- 0 until operations) {
      if (taken.nonEmpty && random.nextInt(100) < released) {
        val at = random.nextInt(taken.length)
        val n = taken(at)
        taken(at) = taken.last
        taken.remove(taken.length - 1)
        model.remove(n.toLong)
        links.release(n)
      } else {
        val n = links.allocate(floor = 7)
        assert(model.put(n.toLong, LinkStore.unlinked(n, 7)).isEmpty, s"$n was given out twice")
        taken += n
      }
      if (taken.nonEmpty) {
        val n = taken(random.nextInt(taken.length))
        val link = LinkStore.pack(8, random.nextInt(links.top))
        links(n) = link
        model(n.toLong) = link
      }
    }
    model.foreach { case (n, link) => assert(links(n.toInt) == link, s"the link of $n") }
  }

  test("links stay what they are while the array doubles") {
    forAll(Gen.long, Gen.choose(0, 3000), Gen.choose(0, 60), Gen.choose(0, 100))(run)
  }

  test("links stay what they are while a larger array takes over step by step") {
    forAll(Gen.long, Gen.choose(0, 45), Gen.choose(0, 20000), minSuccessful(20)) { (seed, released, expected) =>
      run(seed, 60000, released, expected)
    }
  }
}
