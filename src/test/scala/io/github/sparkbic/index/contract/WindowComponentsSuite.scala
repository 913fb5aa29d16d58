package io.github.sparkbic.index.contract

import scala.collection.compat._

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Components of forests that are given as parents, against a climb from each vertex to its root. */
class WindowComponentsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** Place → place of its root, by the naive climb; places with parent 0 have no vertex. */
  private def roots(parents: Seq[Int]): Map[Int, Int] =
    parents.indices.filter(parents(_) > 0).map { place =>
      place -> Iterator.iterate(place)(parents(_)).find(p => parents(p) == p).get
    }.toMap

  private def check(parents: Seq[Int], id: Int => Long): Unit = Seq(1, 3).foreach(check(parents, id, _))

  private def check(parents: Seq[Int], id: Int => Long, threads: Int): Unit = {
    val wanted = roots(parents)
    val found = WindowComponents(parents.toArray, id(_), threads)
    val groups = wanted.toSeq.groupMap(_._2)(_._1).values.map(_.toSet).toSet
    val places = (0 until found.places).filter(found.componentOf(_) >= 0)
    assert(places.groupBy(found.componentOf).values.map(_.toSet).toSet == groups)
    assert(places.map(found.componentOf).toSet == (0 until found.components).toSet)
    assert(found.components == groups.size && found.vertices == wanted.size)
    assert(found.largest == groups.map(_.size).maxOption.getOrElse(0))
    val kept = found.keep
    val smallest = found.smallest
    places.groupBy(found.componentOf).foreach { case (c, members) =>
      assert(found.size(c) == members.size && smallest(c) == members.map(id).min)
      assert(members.forall(place => kept.componentOf(place) == c && kept.vertex(place) == id(place)))
    }
  }

  /** Of some places, the components are those of all places; no other place has a component. */
  private def checkAsked(parents: Seq[Int], asked: Seq[Int]): Unit = Seq(1, 3).foreach { threads =>
    def id(place: Int) = 7919L * place % 104729
    val all = WindowComponents(parents.toArray, id(_), threads)
    val found = WindowComponents(parents.toArray, id(_), threads, asked.toArray)
    val wanted = asked.map(all.componentOf).filter(_ >= 0).distinct
    assert(found.components == wanted.size && found.places == all.places)
    val (smallest, smallestOfAll) = (found.smallest, all.smallest)
    val same = (1 until all.places).map(place => all.componentOf(place) -> found.componentOf(place)).distinct
    assert(
      same.filter(_._2 >= 0).map(_._1).toSet == wanted.toSet && same.size == same.map(_._1).distinct.size
    )
    same.filter(_._2 >= 0).foreach { case (of, component) =>
      assert(found.size(component) == all.size(of) && smallest(component) == smallestOfAll(of))
    }
  }

  /** A random forest over places from 1 on, whose parents lie on either side of their children. */
  private val forest: Gen[Seq[Int]] = for {
    size <- Gen.oneOf(Gen.choose(0, 30), Gen.choose(1000, 3000))
    order <- Gen.long.map(seed => new scala.util.Random(seed).shuffle((1 to size).toVector))
    depth <- Gen.oneOf(1, 3, size + 1)
    choices <- Gen.listOfN(size, Gen.choose(0, Int.MaxValue - 1))
  } yield {
    val parents = new Array[Int](size + 1)
    order.indices.foreach { i =>
      val earlier = order.slice(i - depth, i).filter(parents(_) > 0)
      parents(order(i)) = choices(i) % 5 match {
        case 0                    => 0
        case 1                    => order(i)
        case _ if earlier.isEmpty => order(i)
        case _                    => earlier(choices(i) % earlier.size)
      }
    }
    parents.toSeq
  }

  test("a forest has the components that a climb from each vertex finds") {
    forAll(forest)(parents => check(parents, place => 7919L * place % 104729 - 50000))
  }

  test("the components of some places are those of all places, and other places have none") {
    forAll(forest, Gen.choose(0, 40), Gen.long) { (parents, count, seed) =>
      val random = new scala.util.Random(seed)
      checkAsked(parents, Seq.fill(count)(random.nextInt(parents.size)))
    }
    // Longer than the steps that all places take together.
    checkAsked(0 +: (1 to 5000).map(place => math.min(5000, place + 1)), Seq(3, 3, 0, 4999))
  }

  test("a window without vertices") {
    check(Seq(0), _.toLong)
    check(Seq(0, 0, 0), _.toLong)
    assert(WindowComponents.Empty.components == 0 && WindowComponents.Empty.vertices == 0)
  }

  test("work grows with the length of a path, not with its square") {
    // Were each vertex to climb to the root, a run would take hours.
    val length = 2000000
    val parents = Array.tabulate(length + 1)(place => if (place == 0) 0 else math.min(length, place + 1))
    Seq(1, 3).foreach(threads =>
      assert(WindowComponents(parents.clone(), _ => fail("no vertex is read"), threads).largest == length)
    )
  }
}
