package io.github.sparkbic.operator.question

import scala.collection.compat._
import scala.collection.mutable
import scala.util.Random

import org.apache.spark.sql.{DataFrame, Dataset, Row}
import org.apache.spark.sql.types.{LongType, StringType, StructType}

import io.github.sparkbic.call.TableFunctions
import io.github.sparkbic.index.{NamesOracle, Oracle, TimedEdge}
import io.github.sparkbic.index.NamesOracle.Name

/** A question with arguments of its own, as the suites over all questions ask it: by the public function, by SQL, and of the
  * operator in the simulation. A new question about windows is a class here and its part in [[Asked.all]] and
  * [[Asked.draw]]; no suite names the questions.
  *
  * @param function the name in SQL
  * @param own      the arguments that other questions do not have
  */
sealed abstract class Asked(val function: String, val own: (String, Any)*) extends Product with Serializable {

  def question(queries: Queries, strings: Boolean): Question

  /** Tells the rows of one graph, from scratch. */
  def tell(graph: ScratchGraph): Unit

  /** Whether each window is compared with the window before. */
  def compares: Boolean = false

  /** Whether the state holds something for the question, so that no other can take its place. */
  def isKept: Boolean = compares

  /** Whether only the index `recency` can answer, even windows of one length. */
  def needsRecency: Boolean = false

  /** A question of the same kind whose rows take no longer from scratch than the components. */
  def simple: Asked = this

  /** @param pairs in the form that a call or a statement of SQL has */
  protected def arguments(pairs: => Any): Seq[(String, Any)] = own

  final def hasWholeTable: Boolean = called.parameters.exists(p => p.name == "window" && p.default.nonEmpty)

  final def isStable: Boolean = own.contains("stable" -> true)

  final def ask(edges: DataFrame, pairs: => DataFrame)(more: (String, Any)*): DataFrame =
    called.answers((arguments(pairs) ++ more :+ ("edges" -> edges)).toMap)

  final def sql(edges: String, pairs: Seq[(Any, Any)])(more: (String, Any)*): String = {
    val terms = (more ++ arguments(pairs)).map { case (name, value) => s"`$name` => ${Asked.literal(value)}" }
    s"SELECT * FROM $function(${(s"TABLE($edges)" +: terms).mkString(", ")})"
  }

  private def called = TableFunctions.all.find(_.name == function).get
}

final case class AskedPairs(early: Boolean = false, since: Boolean = false)
    extends Asked("bic_connectivity", "early" -> early, "since" -> since) {
  override def needsRecency: Boolean = early || since
  override def isKept: Boolean = early
  override def simple: Asked = copy(since = false)
  override protected def arguments(pairs: => Any): Seq[(String, Any)] = own :+ ("queries" -> pairs)
  override def question(queries: Queries, strings: Boolean): Question =
    PairsConnected(queries, if (strings) StringType else LongType, since, early)

  override def tell(graph: ScratchGraph): Unit = graph.windows.foreach { case (start, end, whole) =>
    // A pair has a row each time that it is in the list.
    val told = mutable.Set.empty[((Long, Long), Int)]
    def rows(batch: Int, of: Seq[TimedEdge], found: Map[Long, Long], all: Boolean): Unit = {
      // The components of the last panes of the window, from each pane on.
      val suffixes = mutable.Map.empty[Long, Map[Long, Long]]
      def latestStart(source: Long, target: Long): Long =
        Iterator.iterate(end - graph.stream.panes.length)(_ - graph.stream.panes.length)
          .takeWhile(_ >= start).find { from =>
            val suffix = suffixes.getOrElseUpdate(from, Oracle.components(of.filter(_.time >= from)))
            Oracle.connected(suffix, source, target)
          }.get
      val times = mutable.Map.empty[(Long, Long), Int].withDefaultValue(0)
      val pairs = graph.pairsIn(batch).map { pair =>
        times(pair) += 1
        pair -> times(pair)
      }
      pairs.filterNot(told).foreach { case ((source, target), time) =>
        val isConnected = Oracle.connected(found, source, target)
        if (all || isConnected) {
          told += (((source, target), time))
          def latest = if (isConnected) latestStart(source, target).toString else "null"
          val row = Seq(graph.show(source), graph.show(target), isConnected.toString)
          graph.add(batch, start, end, row ++ Option.when(since)(latest))
        }
      }
    }
    if (early) graph.whileOpen(start, end).foreach { case (batch, until) =>
      rows(batch, until, Oracle.components(until), all = false)
    }
    graph.due(end).foreach(rows(_, graph.edgesOf(start, end).map(_.edge), whole, all = true))
  }
}

/** The sources of the pairs are marked. */
final case class AskedConnected(early: Boolean = false, updatesOnly: Boolean = false)
    extends Asked("bic_connected_to", "early" -> early, "updates_only" -> updatesOnly) {
  override def compares: Boolean = updatesOnly
  override def needsRecency: Boolean = early
  override protected def arguments(pairs: => Any): Seq[(String, Any)] = own :+ MarkedSources.argument(pairs)

  override def question(queries: Queries, strings: Boolean): Question =
    ConnectedTo(strings, MarkedSources.queries(queries), early, updatesOnly)

  override def tell(graph: ScratchGraph): Unit = if (updatesOnly) updates(graph)
  else
    graph.windows.foreach { case (start, end, _) =>
      val told = mutable.Set.empty[Long]
      def rows(batch: Int, of: Seq[TimedEdge]): Unit =
        connected(graph, batch, start, of).filterNot(row => told(row._1)).foreach {
          case (vertex, (since, mark)) =>
            told += vertex
            graph.add(batch, start, end, Seq(graph.show(vertex), graph.show(mark), since.toString))
        }
      if (early) graph.whileOpen(start, end).foreach { case (batch, until) => rows(batch, until) }
      graph.due(end).foreach(rows(_, graph.edgesOf(start, end).map(_.edge)))
    }

  private def updates(graph: ScratchGraph): Unit = {
    val (slide, length) = (graph.stream.panes.slide, graph.stream.panes.window)
    val full = (for ((start, end, _) <- graph.windows; batch <- graph.due(end))
      yield start -> connected(graph, batch, start, graph.edgesOf(start, end).map(_.edge))).toMap
    full.keys.flatMap(start => Seq(start, start + slide)).toSeq.distinct.foreach { start =>
      def row(values: String*): Unit = graph.close(start, start + length, values)
      val (before, now) = (full.getOrElse(start - slide, Map.empty), full.getOrElse(start, Map.empty))
      (now -- before.keys).foreach { case (vertex, (since, mark)) =>
        row(graph.show(vertex), graph.show(mark), since.toString)
      }
      (before -- now.keys).keys.foreach(vertex => row(graph.show(vertex), "null", "null"))
    }
  }

  /** Each vertex that edges of a window connect to a vertex marked in a micro-batch: since when, and to which, the smallest. */
  private def connected(graph: ScratchGraph, batch: Int, start: Long, edges: Seq[TimedEdge]) = {
    def paneStart(time: Long) = time - Math.floorMod(time - start, graph.stream.panes.length)
    Oracle.connectedTo(edges.map(e => paneStart(e.time) -> e), graph.pairsIn(batch).map(_._1).sorted)
  }
}

final case class AskedMembers(minSize: Long = 1, updatesOnly: Boolean = false, stable: Boolean = false)
    extends Asked(
      "bic_components",
      "min_size" -> minSize,
      "updates_only" -> updatesOnly,
      "stable" -> stable
    ) {
  override def compares: Boolean = updatesOnly || stable
  override def simple: Asked = AskedMembers(minSize)
  override def question(queries: Queries, strings: Boolean): Question =
    Components(strings, minSize, updatesOnly, stable)

  override def tell(graph: ScratchGraph): Unit =
    if (compares) {
      val windows = graph.named(stable)
      val updates = NamesOracle.updates(windows, graph.stream.panes.slide, minSize)
      windows.foreach { window =>
        val rows: Iterable[(Long, Option[Name])] =
          if (updatesOnly) updates(window.start)
          else window.rows(minSize).map { case (vertex, name) => vertex -> Option(name) }
        rows.foreach { case (vertex, name) =>
          val born = Option.when(stable)(name.fold("null")(_.born.toString))
          val row = Seq(graph.show(vertex), name.fold("null")(name => graph.show(name.component))) ++ born
          graph.close(window.start, window.end, row)
        }
      }
    } else graph.windows.foreach { case (start, end, found) =>
      val sizes = found.values.groupBy(identity).map { case (name, of) => name -> of.size }
      found.filter { case (_, name) => sizes(name) >= minSize }.foreach { case (vertex, name) =>
        graph.close(start, end, Seq(graph.show(vertex), graph.show(name)))
      }
    }
}

final case class AskedStats(sizes: Boolean = false) extends Asked("bic_component_stats", "sizes" -> sizes) {
  override def question(queries: Queries, strings: Boolean): Question = ComponentStats(sizes)

  override def tell(graph: ScratchGraph): Unit = graph.windows.foreach { case (start, end, found) =>
    val members = found.groupBy(_._2).values.map(_.size).toSeq
    val counts = Seq(found.size, graph.edgesOf(start, end).map(_.times).sum, members.size, members.max)
    val bySize = members.groupBy(identity).toSeq.sortBy(_._1).map { case (size, of) => s"($size,${of.size})" }
    graph.close(start, end, counts.map(_.toString) ++ Option.when(sizes)(bySize.mkString("[", ",", "]")))
  }
}

final case class AskedChanges(minSize: Long = 1, stable: Boolean = false, growth: Boolean = false)
    extends Asked("bic_changes", "min_size" -> minSize, "stable" -> stable, "growth" -> growth) {
  override def compares: Boolean = true
  override def simple: Asked = AskedMembers(minSize)
  override def question(queries: Queries, strings: Boolean): Question =
    Changes(strings, minSize, stable, growth)

  override def tell(graph: ScratchGraph): Unit = {
    val windows = graph.named(stable)
    val byStart = windows.map(window => window.start -> window.names).toMap
    def shown(names: Iterable[Name]): String =
      names.toSeq.sortBy(name => (name.component, name.born)).map { name =>
        if (stable) s"(${graph.show(name.component)},${name.born})" else graph.show(name.component)
      }.mkString("[", ",", "]")
    def ofVertices(names: Map[Set[Long], Name]): Map[Long, Name] =
      for ((vertices, name) <- names; vertex <- vertices) yield vertex -> name
    def related(one: Set[Long], others: Map[Long, Name]) = one.toSeq.flatMap(others.get).distinct
    windows.foreach { window =>
      val (before, after) =
        (byStart.getOrElse(window.start - graph.stream.panes.slide, Map.empty), window.names)
      val (namesBefore, namesAfter) = (ofVertices(before), ofVertices(after))
      val sizes = before.map { case (vertices, name) => name -> vertices.size }
      def row(change: String, old: Iterable[Name], now: Iterable[Name], size: Int): Unit =
        if (size >= minSize) {
          val sizeBefore = Option.when(growth)(old.toSeq.map(sizes).sum.toString)
          val values = Seq(change, shown(old), shown(now), size.toString) ++ sizeBefore
          graph.close(window.start, window.end, values)
        }
      before.foreach { case (one, name) =>
        val now = related(one, namesAfter)
        if (now.isEmpty) row("vanished", Seq(name), Nil, one.size)
        else if (now.size > 1) row("split", Seq(name), now, one.size)
      }
      after.foreach { case (one, name) =>
        val old = related(one, namesBefore)
        if (old.isEmpty) row("appeared", Nil, Seq(name), one.size)
        else if (old.size > 1) row("merged", old, Seq(name), one.size)
        else if (growth) {
          val (vertices, _) = before.find(_._2 == old.head).get
          val isOnly = related(vertices, namesAfter).size == 1
          if (isOnly && one.size > vertices.size) row("grew", old, Seq(name), one.size)
          if (isOnly && one.size < vertices.size) row("shrank", old, Seq(name), one.size)
        }
      }
    }
  }
}

/** @param marked whether the sources of the pairs are marked */
final case class AskedLargest(
    top: Long = 10,
    minSize: Long = 1,
    members: Boolean = false,
    marked: Boolean = false
) extends Asked("bic_largest_components", "top" -> top, "min_size" -> minSize, "members" -> members) {
  override protected def arguments(pairs: => Any): Seq[(String, Any)] =
    own ++ Option.when(marked)(MarkedSources.argument(pairs))

  override def question(queries: Queries, strings: Boolean): Question =
    LargestComponents(strings, top, minSize, members, Option.when(marked)(MarkedSources.queries(queries)))

  override def tell(graph: ScratchGraph): Unit = graph.windows.foreach { case (start, end, found) =>
    val marks = graph.due(end).toSeq.flatMap(graph.pairsIn).map(_._1).toSet
    val sets = found.toSeq.groupMap(_._2)(_._1).toSeq
      .filter { case (_, of) => of.size >= minSize && (!marked || of.exists(marks)) }
    sets.sortBy { case (name, of) => (-of.size, name) }.take(top.toInt).foreach { case (name, of) =>
      val shown = of.sorted.map(graph.show).mkString("[", ",", "]")
      val counts = of.size.toString +: Option.when(marked)(of.count(marks).toString).toSeq
      graph.close(start, end, graph.show(name) +: (counts ++ Option.when(members)(shown)))
    }
  }
}

/** Each row of the input is an event, too. No list has this question, since its answers are not of windows. */
final case class AskedAsOf(marked: Boolean, pair: Boolean, waits: Boolean)
    extends Asked("bic_as_of", "wait" -> waits, "source" -> "source") {
  override def needsRecency: Boolean = true
  override protected def arguments(pairs: => Any): Seq[(String, Any)] =
    own ++ Option.when(pair)("target" -> "target") ++ Option.when(marked)(MarkedSources.argument(pairs))

  override def question(queries: Queries, strings: Boolean): Question = {
    val vertex = if (strings) StringType else LongType
    val columns = new StructType().add("at", LongType).add("source", vertex).add("target", vertex)
    val marks = if (marked) Some(MarkedSources.queries(queries)) else None
    AsOf(strings, columns, 1, if (pair) Some(2) else None, marks, waits, Seq(0))
  }
  override def tell(graph: ScratchGraph): Unit = ()
}

object Asked {

  /** Questions of every kind, each different from all others. */
  val all: Seq[Asked] =
    Seq(AskedPairs(), AskedPairs(since = true), AskedPairs(early = true), AskedPairs(true, true)) ++
      Seq(AskedConnected(), AskedConnected(early = true), AskedConnected(updatesOnly = true)) ++
      Seq(AskedMembers(), AskedMembers(2), AskedMembers(updatesOnly = true)) ++
      Seq(AskedMembers(stable = true), AskedMembers(2, updatesOnly = true, stable = true)) ++
      Seq(AskedStats(), AskedStats(sizes = true)) ++
      Seq(AskedChanges(), AskedChanges(stable = true), AskedChanges(growth = true)) ++
      Seq(AskedChanges(2, stable = true, growth = true)) ++
      Seq(AskedLargest(), AskedLargest(3, 2), AskedLargest(members = true)) ++
      Seq(AskedLargest(2, 2, members = true, marked = true))

  /** A question of each function, with most of its arguments. */
  val oneEach: Seq[Asked] =
    all.map(_.function).distinct.map(function => all.filter(_.function == function).last)

  /** The questions that a call about a whole table may ask. */
  val ofTables: Seq[Asked] = all.filter(asked => asked.hasWholeTable && !asked.compares)

  /** @param stable whether names are, where a question knows them */
  def draw(random: Random, stable: Boolean): Asked = random.nextInt(8) match {
    case 0 => AskedPairs(early = random.nextBoolean(), since = random.nextInt(3) == 0)
    case 1 =>
      val (early, updatesOnly) = (random.nextBoolean(), random.nextInt(3) == 0)
      AskedConnected(early && !updatesOnly, updatesOnly)
    case 2     => AskedMembers(1L + random.nextInt(3))
    case 3 | 4 => AskedMembers(1L + random.nextInt(3), updatesOnly = random.nextBoolean(), stable)
    case 5     => AskedStats(sizes = random.nextBoolean())
    case 6     => AskedChanges(1L + random.nextInt(3), stable, growth = random.nextBoolean())
    case _ =>
      val (top, minSize) = (1L + random.nextInt(3), 1L + random.nextInt(3))
      AskedLargest(top, minSize, members = random.nextBoolean(), marked = random.nextBoolean())
  }

  private def literal(value: Any): String = value match {
    case text: String   => s"'$text'"
    case items: Seq[_]  => items.map(literal).mkString("array(", ", ", ")")
    case (one, another) => s"(${literal(one)}, ${literal(another)})"
    case other          => other.toString
  }
}

/** The sources of pairs as marked vertices, for questions that take marks in suites that have pairs. */
private[question] object MarkedSources {

  def argument(pairs: Any): (String, Any) = "marked" -> (pairs match {
    case frame: Dataset[_] => frame.withColumnRenamed("source", "vertex").drop("target")
    case listed            => listed.asInstanceOf[Seq[(Any, Any)]].map(_._1)
  })

  /** The sources of pairs as the marked vertices of the operator. */
  def queries(pairs: Queries): Queries = new LocalQueries(
    QuerySet(pairs.value.of(Row()).head.map(Row(_)).toSeq, 1)(QuerySet.marked)
      .copy(readAt = pairs.value.readAt)
  )
}

/** Queries of a test, which are nowhere to be read. */
private[operator] final class LocalQueries(made: => QuerySet) extends Queries {
  override def send(): Unit = ()
  override def value: QuerySet = made
}
