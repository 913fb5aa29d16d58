package io.github.sparkbic.index

import java.lang.management.ManagementFactory
import java.util.SplittableRandom

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.Streams.{configAsDrawn, nameAsDrawn, shrinkStream}
import io.github.sparkbic.index.TestEdges.SingleEdges
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexConfig, IndexSize, Panes}
import io.github.sparkbic.index.forests.{Link, SavedForest}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** The saved form of every index: damaged bytes are refused, or restored to a valid index. */
class SavedFormSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 60)

  private def filled(name: String, drawn: Stream, config: IndexConfig): ConnectivityIndex = {
    val stream = drawn.numbered(config)
    val index = Indexes.create(name, stream.panes, config)
    stream.sorted.foreach(e => index.insert(stream.panes.paneOf(e.time), e.src, e.dst))
    stream.sorted.lastOption.foreach(e => index.closePane(stream.panes.paneOf(e.time)))
    index
  }

  /** The index with these bytes, or none if they are refused. */
  private def restored(
      name: String,
      panes: Panes,
      bytes: Array[Byte],
      idsAreNumbers: Boolean = false
  ): Option[ConnectivityIndex] = {
    def check(id: Long) =
      if (idsAreNumbers && (id < 0 || id >= 10000)) throw new CorruptStateException(s"no vertex has id $id")
    try
      Some(Answers.restored(name, panes, bytes, IndexConfig(seed = 5, idsAreNumbers = idsAreNumbers), check))
    catch { case _: CorruptStateException => None }
  }

  /** Whether an index is valid, and can be asked, fed and saved. */
  private def checkUsable(index: ConnectivityIndex, panes: Panes): Unit = {
    assert(Answers.violation(index).isEmpty)
    val bytes = Answers.saved(index)
    val closed = new BinaryReader(bytes).signed()
    if (panes.isNumbered(closed)) {
      Answers.components(index, closed - panes.perWindow + 1)
      (1L to 3L).foreach { i =>
        index.insert(closed + i, 1, 1 + i)
        index.closePane(closed + i)
        assert(index.connected(closed + i - panes.perWindow + 1, 1, 1 + i))
        assert(Answers.violation(index).isEmpty)
      }
    }
  }

  test("any bit of the saved form flipped, and the form cut off anywhere") {
    var refused, kept = 0
    forAll(Streams.phases, Streams.config, Streams.indexName, Gen.long) { (stream, config, name, seed) =>
      val bytes = Answers.saved(filled(name, stream, config))
      val random = new scala.util.Random(seed)
      for (_ <- 0 until 40; reader <- Indexes.names) {
        val damaged = bytes.clone()
        val at = random.nextInt(bytes.length)
        damaged(at) = (damaged(at) ^ (1 << random.nextInt(8))).toByte
        restored(reader, stream.panes, damaged, config.idsAreNumbers) match {
          case Some(index) =>
            kept += 1
            checkUsable(index, stream.panes)
          case None => refused += 1
        }
        assert(restored(reader, stream.panes, bytes.take(at)).isEmpty, s"cut off at $at of ${bytes.length}")
      }
    }
    assert(refused > 500 && kept > 500, s"$refused are refused, $kept are kept")
  }

  test("what cannot be a saved form is refused by what it is") {
    def refusal(bytes: Int*) = intercept[CorruptStateException] {
      SavedForest.restore(4, new BinaryReader(bytes.map(_.toByte).toArray))
    }.getMessage
    // The closed pane, the number of vertices, the smallest id. Then columns, each behind its width: differences of ids,
    // ages of vertices plus one, ages of links plus one, or zero, and how far away the parent of each link is.
    val good = SavedForest.restore(
      4,
      new BinaryReader(Seq(20, 3, 2, 1, 4, 9, 0, 1, 1, 0, 2, 1, 2, 0, 0, 1, 4).map(_.toByte).toArray)
    )
    assert((1 to 3).map(good.ids.applyAsLong(_)) == Seq(5L, 10L, 1L))
    assert((1 to 3).map(good.isVertex) == Seq(true, false, true))
    assert((1 to 3).map(good.isLinked) == Seq(true, false, false) && good.links(1) == Link.pack(9, 3))
    assert(good.lastClosed == 10 && good.newestEdge == 10 && good.seen(1) == 10 && good.seen(3) == 9)
    val compact = good.compact
    assert(compact.top == 2 && (1 to 2).map(compact.ids.applyAsLong(_)) == Seq(5L, 1L))
    assert(compact.links(1) == Link.pack(9, 2))
    assert(refusal(20, 2, 2, 9, 0, 0) == "numbers of 9 bytes, where 8 are the most")
    assert(refusal(20, 9, 2) == "the number of vertices is 9, but must be below 3")
    assert(refusal(20, 1, 2, 0, 1, 5, 0, 0) == "the age of a vertex is 5, but must be below 5")
    assert(refusal(20, 1, 2, 0, 1, 1, 1, 5, 0) == "the age of a link is 5, but must be below 5")
    assert(refusal(20, 2, 2, 1, 0, 4, 1, 1, 1, 1, 2, 0, 1, 4) == "a link from vertex 1 of 2 to vertex 3")
    assert(refusal(20, 2, 2, 1, 0, 4, 1, 1, 1, 1, 2, 0, 0) == "a link from vertex 1 of 2 to vertex 1")
    val newer = "the link of vertex 1 is newer than one of its ends"
    assert(refusal(20, 2, 2, 1, 0, 4, 1, 2, 1, 1, 1, 0, 1, 2) == newer)
    assert(refusal(20, 2, 2, 1, 0, 4, 1, 1, 3, 1, 2, 0, 1, 2) == newer)
    assert(refusal(20, 2, 2, 1, 0, 4, 1, 0, 1, 1, 2, 0, 1, 2) == newer)
    for (name <- Indexes.names) {
      val twice = Seq(20, 2, 2, 0, 1, 1, 1, 0, 0).map(_.toByte).toArray
      Seq(false, true).foreach { idsAreNumbers =>
        val config = IndexConfig(idsAreNumbers = idsAreNumbers)
        val refused = intercept[CorruptStateException](Answers.restored(name, Panes(4, 1), twice, config))
        assert(refused.getMessage == "vertex 1 occurs twice")
      }
    }
  }

  test("a saved form has few numbers without a vertex") {
    for (name <- Indexes.names) {
      val panes = Panes(2, 1)
      val index = Indexes.create(name, panes)
      (0L until 1000L).foreach(v => index.insert(0, v, v + 1))
      index.closePane(0)
      (0L until 100L).foreach(v => index.insert(1, v, v + 1))
      index.closePane(2)
      val bytes = Answers.saved(index)
      assert(index.save(new BinaryWriter()) == IndexSize(101, 100) && bytes.length < 700)
      for (reader <- Indexes.names)
        assert(Answers.components(Answers.restored(reader, panes, bytes), 1).size == 101)
    }
  }

  for (name <- Indexes.names)
    test(s"$name: damaged numbers do not make it take more memory than the input's size tells") {
      val threads = ManagementFactory.getThreadMXBean.asInstanceOf[com.sun.management.ThreadMXBean]
      def allocated(restore: => Any): Long = {
        val before = threads.getCurrentThreadAllocatedBytes
        restore
        threads.getCurrentThreadAllocatedBytes - before
      }
      val panes = Panes(1 << 30, 1)
      val random = new scala.util.Random(1)
      val edges = Seq.fill(20000)(TimedEdge(0, random.nextInt(5000).toLong, random.nextInt(5000).toLong))
      val bytes = Answers.saved(filled(name, Stream(edges, panes), IndexConfig(seed = 1)))
      // Once, for classes that are loaded.
      restored(name, panes, bytes)
      // The largest numbers in the place of the pane, the number of vertices, an id, and so on.
      for (huge <- Seq(10, 5); at <- (0 until 40) ++ Seq.fill(40)(random.nextInt(bytes.length))) {
        val number = Seq.fill(huge - 1)(0xff.toByte) :+ (if (huge == 10) 1 else 0x7f).toByte
        val damaged = bytes.take(at) ++ number ++ bytes.drop(at + 1)
        val taken = allocated(restored(name, panes, damaged))
        assert(taken <= 200L * damaged.length, s"with a large number at $at")
      }
    }

  // A tenth above the sizes measured.
  private val mostBytes = Seq[(String, Long => Long, Double)](
    ("dense", identity, 6.1),
    ("random", n => new SplittableRandom(n).nextLong(), 13.1)
  )

  for (name <- Indexes.names; (kind, id, most) <- mostBytes)
    test(s"$name: in the middle of a long stream, at most $most bytes a live link where ids are $kind") {
      val random = new SplittableRandom(1)
      // Squares make some vertices busier than others.
      def vertex() = id((math.pow(random.nextDouble(), 2) * 20000).toLong)
      val edges = for (pane <- 0L to 110L; _ <- 0 until 4000) yield TimedEdge(pane, vertex(), vertex())
      val out = new BinaryWriter
      val size = filled(name, Stream(edges, Panes(20, 1)), IndexConfig()).save(out)
      val each = out.size.toDouble / size.links
      info(f"${out.size}%,d bytes, ${size.vertices}%,d vertices, ${size.links}%,d links: $each%.1f a link")
      assert(size.vertices > 10000 && each <= most)
    }
}
