package io.github.sparkbic.bench.baseline.paper

import org.scalatest.funsuite.AnyFunSuite

/** The running example of the paper, its Figures 1 to 6, on the structures of [[BicPaper]]: window 5, slide 1.
  *
  * The figures are images that the paper's source does not contain. The text gives the edges of τ3 and τ8, some of τ7
  * and τ9, and the tree edges that τ4 and τ5 make; the other edges are chosen such that every value of the text comes
  * out. Values that the text does not give are derived by hand from the algorithms. Later figures show measurements.
  *
  * Chunk c1 is τ1 … τ5, that is panes 0 to 4, and chunk c2 is τ6 … τ10; window W2 starts with τ2, that is pane 1.
  */
class PaperExampleSuite extends AnyFunSuite {

  private val stream: Seq[Seq[String]] = Seq(
    Seq("DF"), // τ1
    Seq("AG"), // τ2
    Seq("FG", "BD"), // τ3
    Seq("BC", "BE"), // τ4
    Seq("AD", "AF"), // τ5
    Seq("AI"), // τ6
    Seq("AI", "AD", "KC", "KB"), // τ7
    Seq("LM", "KL"), // τ8
    Seq("IL"), // τ9
    Seq("CE") // τ10
  )

  private type Link = (Char, Char)

  /** BIC after τ1 … τn. */
  private def after(n: Int): BicPaper = {
    val bic = new BicPaper(5)
    stream.take(n).zipWithIndex.foreach { case (edges, pane) =>
      edges.foreach(edge => bic.insert(pane.toLong, edge(0).toLong, edge(1).toLong))
    }
    bic
  }

  private def id(chunk: Chunk)(number: Int): Char = chunk.vertices.id(number).toChar

  private def numbers(chunk: Chunk): Map[Char, Int] =
    (0 until chunk.vertices.size).map(n => id(chunk)(n) -> n).toMap

  /** The edges of the forest, as (vertex, parent). */
  private def links(chunk: Chunk, forest: Uft): Set[Link] =
    numbers(chunk).collect {
      case (name, v) if !forest.isRoot(v) => name -> id(chunk)(forest.parent(v))
    }.toSet

  /** The snapshots of b1, computed one after the other as Algorithm 2 does: the forest after `c1[4]`, …, `c1[j]`. */
  private def computed(j: Int): (Chunk, Auft) = {
    val bic = after(5)
    val b = new Auft(bic.chunk.vertices.size)
    val number = numbers(bic.chunk)
    (4 to j by -1).foreach { each =>
      stream(each).foreach(edge => b.insert(number(edge(0)), number(edge(1)), each))
    }
    (bic.chunk, b)
  }

  /** b1 as it is stored. */
  private val (c1, b1) = {
    val bic = after(6)
    (bic.chunkBefore, bic.backward)
  }
  private val inB1 = numbers(c1)

  /** The root in `b1[j]`, or none. */
  private def root(v: Char, j: Int): Option[Char] =
    inB1.get(v).map(b1.find(_, j)).filter(_ >= 0).map(id(c1))

  /** The edges of the BFBG after τ1 … τn, as (root in b1, root in f2) -> intervals. */
  private def bfbg(n: Int): Map[Link, Seq[(Int, Int)]] = {
    val bic = after(n)
    val found = for {
      (b, vb) <- numbers(bic.chunkBefore)
      (f, vf) <- numbers(bic.chunk)
      labels = bic.bfbg.labels(vb, vf)
      if labels.nonEmpty
    } yield (b, f) -> labels.toSeq.grouped(2).map(each => each(0) -> each(1)).toSeq
    found.toMap
  }

  private def components(n: Int): Set[Set[Char]] = {
    val bic = after(n)
    bic.complete(n - 5L)
    val vertices = stream.slice(n - 5, n).flatten.flatten.distinct
    vertices.map(v => vertices.filter(w => bic.connected(v.toLong, w.toLong)).toSet).toSet
  }

  private def connected(window: Int, v: Char, w: Char): Boolean = {
    val bic = after(window + 4)
    bic.complete(window - 1L)
    bic.connected(v.toLong, w.toLong)
  }

  test("Figure 1: W2 and W3 are one component and W4 is two; C and G are connected in W2 and W3 alone") {
    assert(components(6) == Set("ABCDEFGI".toSet))
    assert(components(7) == Set("ABCDEFGIK".toSet))
    assert(components(8) == Set("ADFI".toSet, "BCEKLM".toSet))
    assert((2 to 4).map(connected(_, 'C', 'G')) == Seq(true, true, false))
  }

  test("Figure 2: c1 is an array of slide intervals, and W3 is b1[2] with f2[1]") {
    val c = after(5).chunk
    assert(c.size == 5)
    // Algorithm 2 does not read c1[0].
    (1 to 4).foreach { j =>
      val edges = (c.begin(j) until c.end(j)).map(e => s"${id(c)(c.u(e))}${id(c)(c.v(e))}")
      assert(edges == stream(j))
    }
    val occur = "ABCDEFGIKLM".filter(v => root(v, 2).isDefined).toSet
    assert(occur == stream.slice(2, 5).flatten.flatten.toSet)
    assert(numbers(after(7).chunk).keySet == stream.slice(5, 7).flatten.flatten.toSet)
  }

  test("Figure 3: the forests of f2") {
    def f2(j: Int) = {
      val bic = after(6 + j)
      links(bic.chunk, bic.forward)
    }
    val first = Set('I' -> 'A')
    assert(f2(0) == first)
    // (A, I) comes again and changes nothing.
    val second = first ++ Set('D' -> 'A', 'C' -> 'K', 'B' -> 'K')
    assert(f2(1) == second)
    val third = second ++ Set('M' -> 'L', 'L' -> 'K')
    assert(f2(2) == third)
    // A's tree has fewer vertices than K's tree.
    assert(f2(3) == third + ('A' -> 'K'))
    assert(f2(4) == third ++ Set('A' -> 'K', 'E' -> 'K'))
  }

  test("Figure 3: the forests of b1") {
    def forest(j: Int) = (links _).tupled(computed(j))
    val b4 = Set('D' -> 'A', 'F' -> 'A')
    assert(forest(4) == b4)
    val b3 = b4 ++ Set('C' -> 'B', 'E' -> 'B')
    assert(forest(3) == b3)
    val b2 = b3 ++ Set('G' -> 'A', 'B' -> 'A')
    assert(forest(2) == b2)
    assert(forest(1) == b2)
    assert(links(c1, b1) == b2)
  }

  test("Figure 4: b1 is stored as one forest, whose edges are labelled with snapshot indexes") {
    val labels = links(c1, b1).map { case link @ (v, _) => link -> b1.edgeLabel(inB1(v)) }.toMap
    assert(labels == Map(
      ('D' -> 'A') -> 4,
      ('F' -> 'A') -> 4,
      ('C' -> 'B') -> 3,
      ('E' -> 'B') -> 3,
      ('G' -> 'A') -> 2,
      ('B' -> 'A') -> 2
    ))
    (1 to 4).foreach(j => assert(links(c1, b1).filter(labels(_) >= j) == (links _).tupled(computed(j))))
    // Section 5.3: six edges with six labels, where the snapshots b1[0], …, b1[4] one by one have 24 edges.
    val f1 = after(5)
    assert(links(f1.chunk, f1.forward).size + (1 to 4).map(j => labels.values.count(_ >= j)).sum == 24)
  }

  test("Figure 4: find stops at an edge of an older snapshot") {
    assert((1 to 4).map(root('C', _)) == Seq(Some('A'), Some('A'), Some('B'), None))
    assert((1 to 4).map(root('G', _)) == Seq(Some('A'), Some('A'), None, None))
    assert((1 to 4).map(root('D', _)) == Seq.fill(4)(Some('A')))
  }

  test("Figure 5: the snapshots of the BFBG of b1 and f2") {
    assert(bfbg(6) == Map(('A' -> 'A') -> Seq(1 -> 4)))
    val second = Map(('A' -> 'A') -> Seq(1 -> 4), ('A' -> 'K') -> Seq(2 -> 2), ('B' -> 'K') -> Seq(3 -> 3))
    assert(bfbg(7) == second)
    assert(bfbg(8) == second)
    // A is a child of K in f2[3], so the edge moves to K, and [2, 2] is subsumed by [1, 4].
    assert(bfbg(9) == Map(('A' -> 'K') -> Seq(1 -> 4), ('B' -> 'K') -> Seq(3 -> 3)))
  }

  test("Figure 6: vertex labels and root intervals of the AUFTs, snapshot by snapshot") {
    def labels(j: Int) = {
      val (chunk, b) = computed(j)
      val number = numbers(chunk)
      val vertices = number.map { case (v, n) => v -> b.vertexLabel(n) }.filter(_._2 > 0)
      val roots = number.collect { case (v, n) if b.hasInterval(n) => v -> (b.rootStart(n) -> b.rootEnd(n)) }
      (vertices, roots)
    }
    val b4 = Map('A' -> 4, 'D' -> 4, 'F' -> 4)
    assert(labels(4) == (b4, Map('A' -> (1 -> 4))))
    val b3 = b4 ++ Map('B' -> 3, 'C' -> 3, 'E' -> 3)
    assert(labels(3) == (b3, Map('A' -> (1 -> 4), 'B' -> (1 -> 3))))
    val b2 = (b3 + ('G' -> 2), Map('A' -> (1 -> 4), 'B' -> (3 -> 3)))
    assert(labels(2) == b2)
    assert(labels(1) == b2)
  }

  test("Section 6.3: C and B have root B in b1[3] and root A in b1[2]") {
    def list(v: Char, j: Int) = {
      val list = new RootIntervals
      list.compute(b1, j, inB1(v))
      (0 until list.size).map(i => (id(c1)(list.root(i)), list.start(i) -> list.end(i)))
    }
    Seq('C', 'B').foreach(v => assert(list(v, 2) == Seq('B' -> (3 -> 3), 'A' -> (2 -> 2)), v))
    assert(list('A', 1) == Seq('A' -> (1 -> 4)))
    assert(list('D', 2) == Seq('A' -> (2 -> 4)))
  }

  test(
    "Sections 6.1 and 6.2: C and G meet in b1[2]; I and C in W3 need both buffers and A, not the edge [3, 3] of B"
  ) {
    assert(root('C', 2) == root('G', 2))
    val bic = after(7)
    val number = numbers(bic.chunk)
    def inF2(v: Char) = id(bic.chunk)(bic.forward.find(number(v)))
    assert("ICDB".map(inF2) == "AKAK")
    assert(root('I', 2).isEmpty && root('D', 2) == root('B', 2))
    assert((3 to 5).map(connected(_, 'I', 'C')) == Seq(true, false, true))
  }
}
