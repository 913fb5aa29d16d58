package io.github.sparkbic.bench.state

import org.scalatest.funsuite.AnyFunSuite

class StateBenchSuite extends AnyFunSuite {

  test("arguments that choose nothing are refused, with what there is") {
    assert(Main.unknown(Seq("cache", "bic", "of")).startsWith(
      "no setting of cache has all of 'bic of' in its name; there is: recency value cache on; recency value cache off"
    ))
    assert(Main.unknown(Seq("speed")) == "unknown experiment 'speed'; there is: cache, empty, layouts")
    assert(Main.unknown(Nil) == "an experiment is wanted: cache, empty, layouts")
  }
}
