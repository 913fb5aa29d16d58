package io.github.sparkbic.index.vertices

import java.util.SplittableRandom

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite

class VertexNumbersSuite extends AnyFunSuite {

  private def enter(vertices: VertexNumbers, ids: Seq[Long], pane: Int): Unit =
    ids.grouped(128).foreach { some =>
      vertices.enterAll(some.toArray, 0, some.size, pane, new Array[Int](some.size))
    }

  for (peak <- Seq(100, 20000, 300000); stay <- Seq(6, 60, 600))
    test(
      s"$peak vertices become $stay: renumbered, they have the numbers from zero on, and the old ones lead there"
    ) {
      (1 to 5).foreach { seed =>
        val vertices = new VertexNumbers(new VertexKeys(seed * 7919L))
        enter(vertices, (0L until peak.toLong).filter(_ >= stay), 0)
        val staying = (0L until stay.toLong)
        enter(vertices, staying, 10)
        // A pass that is under way has left some behind.
        vertices.settle(0)
        vertices.floor = 10
        val before = staying.map(vertices.find(_, 10))
        val moved = vertices.renumber()
        val after = staying.map(vertices.find(_, 10))
        assert(vertices.size == stay && vertices.top == stay)
        assert(after.sorted == (0 until stay))
        assert(before.map(moved(_)) == after)
        assert(moved.count(_ >= 0) == stay)
      }
    }

  for (seed <- 1 to 2)
    test(s"vertices keep their numbers while a range of ids comes, goes, and is renumbered: $seed") {
      val random = new SplittableRandom(seed.toLong)
      var vertices = new VertexNumbers(new VertexKeys(random.nextLong()), smallestRanged = 256)
      // What is there: the number of each vertex, and the pane in which it was seen.
      val there = mutable.Map.empty[Long, (Int, Int)]
      var pane = random.nextInt()
      var moving = 0

      def check(): Unit = {
        there.filterInPlace { case (_, (_, seen)) => seen - vertices.floor >= 0 }
        assert(there.valuesIterator.map(_._1).toSet.size == there.size, "a number was given twice")
        val visited = mutable.Map.empty[Long, (Int, Int)]
        vertices.foreachSeen(vertices.floor) { (id, number, seen) =>
          assert(visited.put(id, (number, seen)).isEmpty, s"vertex $id was visited twice")
        }
        assert(visited == there)
        there.foreach { case (id, (number, seen)) =>
          assert(vertices.find(id, seen) == number && vertices.find(id, seen + 1) == -1)
        }
      }

      /** Panes of ids like these, until they have a range of so many, or none. */
      def phase(perPane: Int, rangedIds: Range)(id: => Long): Unit = {
        def isThere = !vertices.isMoving && rangedIds.contains(vertices.rangedIds)
        var panes = 0
        while (panes < 8 || !isThere) {
          pane += 1
          panes += 1
          assert(panes < 200, s"${vertices.rangedIds} ids like $id have a range")
          vertices.floor = pane - 4
          Seq.fill(perPane)(id).grouped(1 + random.nextInt(128)).foreach { some =>
            val numbers = new Array[Int](some.size)
            vertices.enterAll(some.toArray, 0, some.size, pane, numbers)
            some.zip(numbers).foreach { case (id, number) =>
              there.get(id).filter(_._2 - vertices.floor >= 0).foreach(was => assert(was._1 == number))
              assert(number < vertices.top)
              there(id) = (number, pane)
            }
            vertices.settle(some.size / 2)
            if (vertices.isMoving) moving += 1
          }
          if (random.nextInt(4) == 0) check()
          if (random.nextInt(8) == 0) {
            check()
            val numbers = vertices.renumber()
            there.mapValuesInPlace((_, was) => (numbers(was._1), was._2))
            check()
          }
        }
        check()
      }
      val none = 0 to 0
      def dense(first: Long, width: Int): Long = first + random.nextInt(width)

      phase(3000, 9000 to 12000)(dense(-5000, 10000))
      // Most are beyond the range, which becomes longer.
      phase(3000, 20000 to 25000)(dense(-5000, 22000))
      // A few ids far from all others.
      phase(3000, 16000 to 20000)(
        if (random.nextInt(20) == 0) random.nextLong() else dense(Long.MaxValue - 17999, 18000)
      )
      phase(3000, none)(random.nextLong())
      phase(1500, none)(dense(0, 5000) * 7)
      phase(2000, 6000 to 9000)(dense(0, 7000))
      assert(moving > 0)
      vertices = vertices.cleared
      there.clear()
      phase(1000, 2500 to 5000)(dense(Long.MinValue, 3000))
    }

  test("from a range to a longer one the way is not interrupted") {
    val vertices = new VertexNumbers(new VertexKeys(3), smallestRanged = 256)
    val random = new SplittableRandom(3)
    def enterSome(width: Int, pane: Int): Unit = {
      enter(vertices, Seq.fill(100)(random.nextInt(width).toLong), pane)
      vertices.settle(50)
    }
    (0 until 2000).foreach(enterSome(10000, _))
    val first = vertices.rangedIds
    assert(first > 0 && !vertices.isMoving)
    (2000 until 8000).foreach { pane =>
      enterSome(40000, pane)
      assert(vertices.rangedIds > 0)
    }
    assert(vertices.rangedIds > 3 * first && !vertices.isMoving)
  }

  test("a sample has as many of a range as there are, however many of its ids have no vertex") {
    val range = new IdRange(-1000L, 90000)
    val table = new RangeTable(range)
    (0 until 30000).foreach(i => table.add(-1000L + 3 * i, i, 1))
    val directory = new VertexDirectory
    val keys = new VertexKeys(11)
    (0 until 10000).foreach(i => directory.bring(keys.keyOf(1000000L + i), 30000 + i, 1))
    val sample = new IdSample(IdSample.Enough, 0)
    sample.fill(table.size, table.visit, directory, keys)
    assert(sample.isFull && math.abs(sample.within(range) - sample.size * 3 / 4) <= sample.size / 20)
  }

  test("swept at once, a range has no vertex left that expired") {
    val vertices = new VertexNumbers(new VertexKeys(5), smallestRanged = 256)
    val ids = 0L until 40000L
    (0 until 8).foreach { pane =>
      enter(vertices, ids, pane)
      vertices.settle(20000)
    }
    assert(vertices.rangedIds >= 40000 && vertices.size == 40000)
    vertices.floor = 8
    enter(vertices, Seq(7L, 20000L), 8)
    vertices.sweepAll()
    assert(vertices.size == 2 && ids.filter(vertices.find(_, Int.MinValue / 2) >= 0) == Seq(7L, 20000L))
  }

  test("ids that are handed out one after the other have no range: they would soon have left it") {
    val vertices = new VertexNumbers(new VertexKeys(1), smallestRanged = 256)
    for (pane <- 0 until 100) {
      vertices.floor = pane - 4
      enter(vertices, (pane * 1000L until pane * 1000L + 1000L), pane)
      vertices.settle(1000)
      // At first nobody can know.
      if (pane > 20) assert(vertices.rangedIds == 0)
    }
  }

  for (count <- Seq(5000, 200000)) test(s"the tables of $count vertices that are gone become few and small") {
    val keys = new VertexKeys(7919L)
    val directory = new VertexDirectory
    val noted = new VertexSweep {
      override def expired(node: Int): Unit = ()
    }

    /** Sweeps all tables, and counts their places. */
    def places(floor: Int): Int = {
      val swept = Iterator.continually(directory.sweep(floor, noted))
      swept.scanLeft((0, true)) { case ((sum, _), places) => (sum + math.abs(places), places > 0) }
        .find(!_._2).get._1
    }
    (0 until count).foreach { i =>
      val key = keys.keyOf(i.toLong)
      assert(directory.touchNewest(key, 0) < 0)
      directory.add(key, i, 0)
    }
    val full = directory.places
    assert(places(0) == full && full > count && directory.size == count)
    // Those that are taken elsewhere leave smaller tables behind.
    val taker: VertexTaker = (_, node, _) => node % 4 > 0
    Iterator.iterate(0L)(directory.takeFromTable(_, taker)).drop(1).takeWhile(_ != 0).foreach(_ => ())
    val rest = directory.places
    assert(places(0) == rest && rest < full && directory.size == count / 4)
    // Each pass merges tables that are side by side.
    (1 to 10).foreach(places(_))
    assert(directory.size == 0 && directory.places <= 64 && places(10) == directory.places)
  }
}
