package io.github.sparkbic.operator.state

import org.apache.spark.util.SizeEstimator
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.contract.{ConnectedVertices, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Emitted windows, and names of components: bytes that are none, and what emitted windows take. The simulator shows that
  * each row comes once, and that names are read as they were written.
  */
class EmittedRowsSuite extends AnyFunSuite {
  private def sizeOf(emitted: EmittedRows): Int = {
    val out = new BinaryWriter
    emitted.save(out)
    out.size
  }

  test("what is no emitted windows, or no names of components, is refused") {
    def refused(rows: KeptPart, numbers: Long*): String = {
      val out = new BinaryWriter
      // Counts are as small as they are when written with a sign: twice as large.
      numbers.foreach(out.unsigned)
      intercept[CorruptStateException](rows.restore(new BinaryReader(out.toBytes))).getMessage
    }
    def vertices = new EmittedRows(Panes(10, 4), ofPairs = false)
    // The number of vertices; of each the vertex, its runs, and of each run the last window and its distance to the first;
    // in zigzag code, where 2 is 1, 4 is 2 and 1 is -1.
    Seq(
      Seq(1L, 10, 0) -> "a vertex has no emitted window",
      Seq(1L, 10, 1, 6, 0) -> "an emitted window does not start at a multiple of the slide",
      Seq(1L, 10, 1, 8, 3) -> "the emitted windows of a vertex are not in falling order",
      Seq(1L, 10, 2, 12, 0, 3, 0) -> "the emitted windows of a vertex are not in falling order",
      Seq(2L, 10, 1, 8, 0, 0, 1, 0, 0) -> "an emitted vertex is there twice",
      Seq(9L, 10) -> "the number of emitted rows is 9, but must be below 3"
    ).foreach { case (numbers, message) => assert(refused(vertices, numbers: _*) == message) }
    // Source, target, repeat, one run of the longer window, and none of the shorter window.
    val twice = 2L +: Seq.fill(2)(Seq(0L, 0L, 0L, 1L, 2L, 0L, 0L)).flatten.updated(11, 0L)
    assert(refused(new EmittedRows(Panes(12, 3, 1, Seq(7)), ofPairs = true), twice: _*) ==
      "an emitted pair is there twice")
    // The number of names; of each the differences of its component, vertex and birth.
    assert(refused(KeptNames.none, 2, 4, 0, 0, 0, 0, 0) == "the named components are not in rising order")
  }

  test("rows take few bytes in memory and in the state, and none once forgotten") {
    val vertices = new EmittedRows(Panes(20, 1), ofPairs = false)
    val zeros = new Array[Int](1000000)
    val found = new ConnectedVertices(1000000, 0L, Array.range(1, 1000001), zeros, zeros, _ - 1L)
    for (slot <- vertices.slotsOf(found, from = 0); window <- 0L until 10L) vertices.add(slot, 0, window)
    val pairs = new EmittedRows(Panes(20, 1), ofPairs = true)
    for (i <- 0L until 10000L; slot = pairs.enter(i, i + 7, 0); window <- 0L to 9 + i % 3)
      pairs.add(slot, 0, window)
    Seq((vertices, 1000000, 80, 10), (pairs, 10000, 130, 7)).foreach {
      case (rows, count, inMemory, inState) =>
        assert(SizeEstimator.estimate(rows) < inMemory.toLong * count)
        assert(sizeOf(rows) < inState * count)
    }
    pairs.forgetBefore(30)
    assert(pairs.size == 3333)
    Seq(vertices, pairs).foreach { rows =>
      rows.forgetBefore(32)
      assert(rows.size == 0 && sizeOf(rows) == 1 && SizeEstimator.estimate(rows) < 10000L)
    }
  }
}
