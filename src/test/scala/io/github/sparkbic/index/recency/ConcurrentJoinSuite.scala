package io.github.sparkbic.index.recency

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Indexes, Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.Answers.{components, restored, saved}
import io.github.sparkbic.index.contract.{IndexConfig, Panes}
import io.github.sparkbic.index.forests.Link.{paneOf, parentOf}

/** Several threads join edges at once: under every schedule with few interruptions, under random schedules in which
  * threads also read links that have been replaced, and on the cores of this machine.
  */
class ConcurrentJoinSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import ConcurrentJoinSuite._

  test("every schedule with at most two interruptions") {
    val runs = (0L until 60L).map { seed =>
      Schedule.all(most = 2)(schedule =>
        Case(seed, threads = 2, vertices = 5, edges = 2).check(schedule, _ => 0)
      )
    }
    info(s"${runs.sum} schedules")
    assert(runs.sum > 10000)
  }

  test("random schedules, and reads of links that have been replaced") {
    forAll(
      Gen.choose(0L, 1L << 40),
      Gen.choose(2, 4),
      Gen.choose(3, 16),
      Gen.choose(1, 12),
      minSuccessful(4000)
    ) {
      (seed, threads, vertices, edges) =>
        val random = new Random(seed)
        // Threads that go on for long, and threads that take turns.
        val often = 1 + random.nextInt(6)
        val schedule = new Schedule(count => if (random.nextInt(often) == 0) random.nextInt(count) else 0)
        Case(seed, threads, vertices, edges)
          .check(schedule, count => if (random.nextInt(3) == 0) random.nextInt(count) else 0)
    }
  }

  test("many edges, in panes in any order, by several threads of this machine") {
    forAll(Gen.choose(0L, 1L << 40), Gen.choose(2, 4), Gen.oneOf(500, 20000), minSuccessful(12)) {
      (seed, threads, vertices) =>
        val random = new Random(seed)
        val perWindow = 6
        val config = IndexConfig(
          seed,
          smallestDense = if (random.nextBoolean()) 16 else 1 << 20,
          largestPrefetched = if (random.nextBoolean()) 0 else 1 << 20,
          smallestConcurrent = 1,
          threads = threads
        )
        val index = RecencyIndex(perWindow, config)
        var edges = Vector.empty[TimedEdge]
        (0 until 12).foreach { step =>
          val newest = step / 2L
          val pane = math.max(0L, newest - random.nextInt(perWindow) / 2)
          // Drifting ids, so that vertex numbers are used again, and their arrays grow.
          def vertex() = step * vertices / 20L + random.nextInt(vertices)
          val added = Vector.fill(8000)(TimedEdge(pane, vertex(), vertex()))
          index.insert(pane, TestEdges.any(step.toLong, added))
          edges = (edges ++ added).filter(_.time > newest - perWindow)
          assert(index.validate().isEmpty)
          Seq(index.firstHeld, pane, newest).foreach { start =>
            val wanted = Oracle.components(edges.filter(_.time >= start))
            // Pairs first: they shorten paths, which components would hide.
            assert(connected(index, start, added) == added.map(e =>
              Oracle.connected(wanted, e.src, e.dst + 1)
            ))
            assert(components(index, start) == wanted)
          }
        }
        index.closePane(5)
        val wanted = Oracle.components(edges)
        Indexes.names.foreach { name =>
          val again = restored(name, Panes(perWindow.toLong, 1), saved(index))
          assert(components(again, 0) == wanted, name)
        }
        assert(helpers.isEmpty)
    }
  }

  /** Whether the first end of each edge is connected with the vertex after the other end. */
  private def connected(index: RecencyIndex, start: Long, edges: Seq[TimedEdge]): Seq[Boolean] =
    index.ask(edges.size)(i => if (index.connected(start, edges(i).src, edges(i).dst + 1)) 1 else 0)
      .toSeq.map(_ == 1)

  test("an edge that cannot be joined fails the caller, and helpers end") {
    (1 to 20).foreach { _ =>
      val links = new LinkForest(IndexConfig())
      links.reserve(10)
      val join = new ConcurrentJoin(links, new EdgeJoin(links), threads = 3)
      (1 to 40).foreach(i =>
        join.add(Array.fill(256)(if (i == 20) 10 else 1 + i % 9), 256, 0, areTrees = false)
      )
      intercept[ArrayIndexOutOfBoundsException](join.finish())
      assert(helpers.isEmpty && !links.isShared)
    }
  }

  private def helpers =
    Thread.getAllStackTraces.keySet.asScala.filter(t => t.getName == "bic-join" && t.isAlive)
}

private object ConcurrentJoinSuite {

  /** Edges of one pane for each thread, and edges of any panes before them, from a seed. */
  final case class Case(seed: Long, threads: Int, vertices: Int, edges: Int) {
    private val random = new Random(seed)
    private val panes = 2 + random.nextInt(3)
    private val config = IndexConfig(seed = random.nextLong(), largestPrefetched = 1 << 20)

    private def edge(pane: Int) =
      TimedEdge(pane.toLong, 1L + random.nextInt(vertices), 1L + random.nextInt(vertices))

    private val before = Seq.fill(random.nextInt(3 * vertices))(edge(random.nextInt(panes)))
    private val pane = if (random.nextBoolean()) panes - 1 else random.nextInt(panes)
    private val added = Seq.fill(threads)(Seq.fill(edges)(edge(pane)))
    private val areTrees = random.nextBoolean()

    /** @param older picks one of so many values of a link: 0 is the last */
    def check(schedule: Schedule, older: Int => Int): Unit = {
      val links = new SteppedForest(config, schedule, older)
      links.reserve(vertices + 1)
      val join = new EdgeJoin(links)
      before.foreach(e => join.joinAll(Array(e.src.toInt, e.dst.toInt), 2, e.time.toInt))
      links.isShared = true
      schedule.run(added.map { own => () =>
        val numbers = own.flatMap(e => Seq(e.src.toInt, e.dst.toInt)).toArray
        val join = new EdgeJoin(links)
        if (areTrees) join.joinTrees(numbers, numbers.length, pane)
        else join.joinAll(numbers, numbers.length, pane)
      })
      links.isShared = false
      checkForest(links)
    }

    private def checkForest(links: LinkForest): Unit = {
      val all = before ++ added.flatten
      val lastSeen =
        all.flatMap(e => Seq(e.src -> e.time, e.dst -> e.time)).groupMapReduce(_._1)(_._2)(math.max)
      (1 to vertices).foreach { v =>
        val link = links.all(v)
        if (links.isLive(link)) {
          val parent = parentOf(link)
          assert(links.rank(parent) > links.rank(v), s"the link of $v leads to $parent")
          assert(
            Seq(v, parent).forall(end => paneOf(link) <= lastSeen(end.toLong)),
            s"the link of $v is too new"
          )
        }
      }
      (0 until panes).foreach { start =>
        val wanted = Oracle.components(all.filter(_.time >= start))
        val trees = wanted.keys.toSeq.groupBy(v => links.find(v.toInt, start))
        val found = trees.values.flatMap(tree => tree.map(_ -> tree.min)).toMap
        assert(found == wanted, s"from pane $start on: $before, then $added")
      }
    }
  }

  /** A forest whose links are read and replaced in steps of a schedule. A read may give what a link was before. */
  final class SteppedForest(config: IndexConfig, schedule: Schedule, older: Int => Int)
      extends LinkForest(config) {
    private val history = mutable.HashMap.empty[Int, List[Long]]

    override protected def load(links: Array[Long], number: Int): Long = {
      schedule.step()
      val values = links(number) :: history.getOrElse(number, Nil)
      if (isShared && values.size > 1) values(older(values.size)) else values.head
    }

    override protected def swap(links: Array[Long], number: Int, before: Long, after: Long): Boolean = {
      schedule.step()
      val isSwapped = super.swap(links, number, before, after)
      if (isSwapped) history(number) = before :: history.getOrElse(number, Nil)
      isSwapped
    }
  }
}
