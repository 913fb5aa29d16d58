package io.github.sparkbic.index.contract

import org.scalatest.funsuite.AnyFunSuite

/** What `IndexLawSuite` does not show of components: their cost, and components of some places alone. */
class WindowComponentsSuite extends AnyFunSuite {

  test("work grows with the length of a path, not with its square") {
    // Were each vertex to climb to the root, a run would take hours.
    val length = 2000000
    val parents = Array.tabulate(length + 1)(place => if (place == 0) 0 else math.min(length, place + 1))
    for (threads <- Seq(1, 3); places <- Seq(null, Array(3, 3, 0, length - 1))) {
      val found = WindowComponents(parents.clone(), _ => fail("no vertex is read"), threads, places)
      assert(found.largest == length && found.components == 1)
    }
  }
}
