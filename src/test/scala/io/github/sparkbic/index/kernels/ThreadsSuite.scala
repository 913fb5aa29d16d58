package io.github.sparkbic.index.kernels

import org.scalatest.funsuite.AnyFunSuite

class ThreadsSuite extends AnyFunSuite {

  test("parts cover the range in order, and none is empty") {
    for (threads <- 1 to 5; from <- Seq(0, 7); length <- 0 to 12) {
      val parts = Threads.map(from, from + length, threads)((start, end) => start until end)
      assert(parts.flatten == (from until from + length))
      assert(parts.size == math.max(1, math.min(threads, length)))
      assert(length == 0 || parts.forall(_.nonEmpty))
    }
    val long = Threads.map(0, Int.MaxValue, 3)((start, end) => end - start)
    assert(long.sum == Int.MaxValue && long.forall(_ > Int.MaxValue / 4))
  }

  test("each part has a thread, of which the caller is the first") {
    val threads = Threads.map(0, 3, 3)((_, _) => Thread.currentThread)
    assert(threads.head == Thread.currentThread && threads.toSet.size == 3)
  }

  test("the caller gets the failure of any part") {
    (0 until 3).foreach { part =>
      val failure = intercept[NoSuchElementException] {
        Threads.map(0, 3, 3)((from, _) => if (from == part) throw new NoSuchElementException(s"of $part"))
      }
      assert(failure.getMessage == s"of $part")
    }
  }
}
