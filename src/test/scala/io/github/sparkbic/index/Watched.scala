package io.github.sparkbic.index

import scala.collection.mutable

import io.github.sparkbic.index.bic.{BicIndex, BicProbe}
import io.github.sparkbic.index.contract._
import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.vertices.VertexNumbers

/** An index that is validated after each set of edges and each closed pane, and tells what these steps have reached. */
final class Watched(val index: ConnectivityIndex, perWindow: Int, reached: Reached)
    extends ConnectivityIndex {
  private var before = new Watched.State(index, perWindow, Long.MinValue)

  override def insert(pane: Long, edges: EdgeSet): Unit = {
    index.insert(pane, edges)
    look(pane)
  }

  override def closePane(pane: Long): Unit = {
    index.closePane(pane)
    look(pane)
  }

  override def connected(windowStart: Long, source: Long, target: Long): Boolean =
    index.connected(windowStart, source, target)

  override def components(windowStart: Long): WindowComponents = index.components(windowStart)

  override def connectedTo(marked: Array[Long]): ConnectedVertices = index.connectedTo(marked)

  override def vertices(visit: Long => Unit): Unit = index.vertices(visit)

  override def save(out: BinaryWriter): IndexSize = index.save(out)

  private def look(pane: Long): Unit = {
    Answers.violation(index).foreach(violation => throw new AssertionError(violation))
    val now = new Watched.State(index, perWindow, pane)
    reached.note(before, now)
    before = now
  }
}

object Watched {

  /** What can be seen of an index after a step that reached `pane`. */
  private[index] final class State(index: ConnectivityIndex, perWindow: Int, pane: Long) {
    val vertices: VertexNumbers = Answers.numbers(index)
    val firstPane: Int = vertices.firstPane
    val denseIds: Int = Option(vertices.map).fold(0)(_.range.length)
    val tableCapacity: Int = Option(vertices.map).fold(0)(_.table.capacity)
    val seen: Array[Int] = Array.range(1, vertices.top + 1).map(vertices.seen)
    val ids: Array[Long] = Array.range(1, vertices.top + 1).map(vertices.id)
    val chunk: Long = Math.floorDiv(pane, perWindow.toLong)

    val logSize: Int = index match {
      case bic: BicIndex => BicProbe.logSize(bic)
      case _             => 0
    }

    def isLive(i: Int): Boolean = seen(i) - firstPane >= 0
  }
}

/** How often each of the things happened that an index does now and then. */
final class Reached {
  private val times = mutable.Map.empty[String, Int].withDefaultValue(0)

  private[index] def note(before: Watched.State, now: Watched.State): Unit = {
    import Reached._
    def note(what: String, happened: Boolean): Unit = if (happened) times(what) += 1
    // After a gap there are vertices of the newest pane alone.
    if (before.vertices ne now.vertices) note(BuiltAnew, now.seen.distinct.length > 1)
    else {
      note(TableGrown, now.tableCapacity > before.tableCapacity)
      note(BecameDense, before.denseIds == 0 && now.denseIds > 0)
      note(BecameSparse, before.denseIds > 0 && now.denseIds == 0)
      note(RangeMoved, before.denseIds > 0 && now.denseIds > 0 && before.denseIds != now.denseIds)
      def isReused(i: Int) = before.isLive(i) && now.isLive(i) && before.ids(i) != now.ids(i)
      note(NumberReused, before.seen.indices.exists(isReused))
      note(LogThinned, before.chunk == now.chunk && before.logSize > now.logSize)
    }
  }

  def missing(wanted: Seq[String]): Seq[String] = wanted.filter(times(_) == 0)

  override def toString: String = times.toString
}

object Reached {
  val BuiltAnew = "an index is built anew, since most of its vertices have expired"
  val TableGrown = "a table of ids grows"
  val BecameDense = "ids become dense"
  val BecameSparse = "ids become sparse"
  val RangeMoved = "dense ids get another range"
  val NumberReused = "the number of an expired vertex is given to another one"
  val LogThinned = "the edges of a chunk are thinned"

  /** What happens in every index; all but the last so often that a run of any hundred streams reaches it. */
  val OfAll: Seq[String] = Seq(BuiltAnew, TableGrown, BecameDense, RangeMoved, NumberReused, BecameSparse)
  val Often: Seq[String] = OfAll.init
}
