package io.github.sparkbic.operator.state

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.{Indexes, Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.{EdgeSet, Panes}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.operator.block.{Names, PackedBlock}

/** The state in bytes: what is read is what was written, and anything else is refused with a reason. */
class ValueGraphSuite extends AnyFunSuite {
  private val shape = StateShape("bic", Panes(10, 5), strings = false)

  private def names(words: String*): PackedBlock =
    Names.block(0, words.indices.map(i => TimedEdge(0, 0, i.toLong)), i => words(i.toInt))

  private def sampleOf(shape: StateShape): Array[Byte] = {
    val state = new ValueGraph(shape, 7)
    val forest =
      TestEdges.forest(Seq(TimedEdge(0, 1, 2), TimedEdge(0, 2, Long.MaxValue), TimedEdge(0, -7, 1)))
    Seq(3L, 4L).foreach(pane => state.add(PackedBlock(pane, 3, EdgeSets.toBytes(forest), null)))
    assert(state.cursorToFeed().advance(state.take(4).buffered, 4))
    state.save()
  }

  private def refusal(bytes: Array[Byte], shape: StateShape): String =
    intercept[CorruptStateException](new ValueGraph(shape, 7, Some(bytes)).cursorToFeed()).getMessage

  Indexes.names.foreach { name =>
    test(s"$name: names that no window to come holds are forgotten, the others keep their numbers") {
      val strings = shape.copy(indexName = name, strings = true)
      val state = new ValueGraph(strings, 7)
      state.add(names("a", "b", "old"))
      state.add(names("b", "c").copy(pane = 2))
      assert(Names.held(state.ids) == 4)
      StoredGraph.close(state, 6)
      state.add(names("c", "new").copy(pane = 6))
      val after = new ValueGraph(strings, 7, Some(state.save()))
      assert(Names.held(after.ids) == 2)
      assert(Seq("a", "old", "b").forall(name => Names.find(after.ids, name) < 0))
      assert(Names.find(after.ids, "c") == Names.find(state.ids, "c") && Names.find(after.ids, "new") == 4)
    }

    test(s"$name: with tumbling windows the counts of panes are forgotten, though an edge always waits") {
      val tumbling = shape.copy(indexName = name, panes = Panes(10, 10))
      val block = PackedBlock(0, 1, EdgeSets.toBytes(TestEdges.forest(Seq(TimedEdge(0, 1, 2)))), null)
      var bytes = Option.empty[Array[Byte]]
      val sizes = (0L until 500L).map { pane =>
        val state = new ValueGraph(tumbling, 7, bytes)
        state.add(block.copy(pane = pane))
        // Pane `pane` is open yet, those before it are closed.
        StoredGraph.close(state, pane)
        bytes = Some(state.save())
        bytes.get.length
      }
      assert(new ValueGraph(tumbling, 7, bytes).counts.panesFrom(0).next() > 0)
      assert(sizes.last <= sizes(20) + 8)
    }
  }

  test("other windows, ids and start times, and a query that compares windows, are named in the refusal") {
    def asked(windows: String) = s"$windows, a slide of 5 microseconds and a start time of 0 seconds"
    val it = s"it belongs to ${asked("a window of 10 microseconds")}"
    Seq(
      shape.copy(strings = true) -> "its vertex ids are integral, those of the query are not",
      shape.copy(panes = Panes(20, 5)) ->
        s"$it, but the query has ${asked("a window of 20 microseconds")}",
      shape.copy(panes = Panes(10, 5, 0, Seq(5))) ->
        s"$it, but the query has ${asked("windows of 10 microseconds and 5 microseconds")}"
    ).foreach { case (other, message) => assert(refusal(sampleOf(shape), other) == message) }
    assert(refusal(sampleOf(shape), shape.copy(panes = Panes(10, 5, 2))).startsWith(it))
    // Start times that differ by slides mean the same windows.
    new ValueGraph(shape.copy(panes = Panes(10, 5, 5)), 7, Some(sampleOf(shape))).cursorToFeed(): Unit
    val does = Seq(
      Kept.Nothing -> "does not compare windows",
      Kept.Emitted -> "gives rows before their window closes, as early does",
      Kept.WindowBefore() -> "compares each window with the window before",
      Kept.WindowBefore(2) -> "gives updates_only, of components of at least 2 vertices",
      Kept.Names() -> "keeps the names of components, as stable does",
      Kept.Names(300) ->
        ("keeps the names of components, as stable does, and gives updates_only, of components of at least 300 " +
          "vertices")
    )
    for ((saved, savedTold) <- does; (asked, askedTold) <- does if saved != asked) {
      // What a query does not keep is told by what the other one keeps.
      def told(does: String, other: Kept) =
        if (does.startsWith("does not") && other == Kept.Emitted)
          "gives no row before its window closes, as without early"
        else does
      assert(refusal(sampleOf(shape.copy(kept = saved)), shape.copy(kept = asked)) ==
        s"it belongs to a query that ${told(savedTold, asked)}, but this one ${told(askedTold, saved)}")
    }
  }

  test("columns of by are themselves after a restart, in another case too; in other places refused") {
    def saved(by: String*): BinaryReader = {
      val out = new BinaryWriter
      shape.copy(by = by).save(out)
      new BinaryReader(out.toBytes)
    }
    shape.copy(by = Seq("größe", "地域")).check(saved("größe", "地域"))
    shape.copy(by = Seq("Site", "TENANT")).check(saved("site", "tenant"))
    Seq(
      Seq("größe") -> Seq("地域") -> "by 'größe', but this one is by '地域'",
      Seq("site", "tenant") -> Seq("tenant", "site") ->
        "by 'site', 'tenant', but this one is by 'tenant', 'site'"
    ).foreach { case ((before, now), told) =>
      val other = intercept[CorruptStateException](shape.copy(by = now).check(saved(before: _*)))
      assert(other.getMessage.contains(s"a query $told"))
    }
  }

  test("loose edges of a pane stay apart as long as there are few for each vertex; all are there") {
    val random = new java.util.SplittableRandom(5)
    def sparse: Seq[TimedEdge] =
      Seq.fill(1000)(TimedEdge(7, random.nextLong(100000), random.nextLong(100000)))
    def dense: Seq[TimedEdge] = Seq.tabulate(1000)(i => TimedEdge(7, i % 40L, i % 50L))
    def saved(sets: Seq[Seq[TimedEdge]]): Seq[EdgeSet] = {
      val graph = new ValueGraph(shape, 7)
      graph.begin(new Values)
      sets.foreach(edges => graph.add(PackedBlock(7, 1, EdgeSets.toBytes(TestEdges.loose(edges)), null)))
      val again = new ValueGraph(shape, 7, Some(graph.save())).pendingInputs.toSeq
      assert(again.forall(_._1 == 7))
      val links = again.flatMap(input => TestEdges.links(input._2))
      assert(Oracle.components(links) == Oracle.components(sets.flatten))
      again.map(_._2)
    }
    val four = saved(Seq.fill(4)(sparse))
    assert(four.size == 4 && four.forall(_.links == 1000))
    // As many tasks as there may be, each of which sees a small part of the vertices.
    assert(saved(Seq.fill(20)(sparse)).size == 20)
    val few = sparse.map(e => TimedEdge(7, e.src % 1500, e.dst % 1500))
    assert(saved(few.grouped(100).toSeq).size == 10)
    assert(saved(Seq.fill(20)(few)).size == 1, "their memory is bounded by the vertices of all sets")
    assert(saved(Seq.fill(2)(dense)).map(_.links) == Seq(40))
  }
}
