package io.github.sparkbic.operator

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.Row
import org.apache.spark.sql.types.{BooleanType, DataType, LongType, StringType, StructField}

import io.github.sparkbic.index.ConnectivityIndex

/** What is asked of every window: the columns of an answer after those of the window, and its rows. */
private[sparkbic] sealed trait Question extends Serializable {
  def fields: Seq[StructField]

  /** The rows of one window of the graph with this key, each with the values of `fields`. */
  def answers(key: Row, window: AnsweredWindow): Iterator[Seq[Any]]
}

/** A window that an index is ready to answer for.
  *
  * @param start its first pane
  * @param edges edges that came for it, repeated ones counted each time
  */
private[operator] final class AnsweredWindow(
    val start: Long,
    val index: ConnectivityIndex,
    val ids: VertexIds,
    val edges: Long
)

/** Are the vertices of these pairs connected? */
private[sparkbic] final class PairsConnected(queries: Broadcast[QuerySet], queryType: DataType)
    extends Question {

  override val fields: Seq[StructField] =
    PairsConnected.columns.zip(Seq(queryType, queryType, BooleanType)).map { case (c, t) =>
      StructField(c, t)
    }

  override def answers(key: Row, window: AnsweredWindow): Iterator[Seq[Any]] = {
    val pairs = queries.value.of(key)
    val found = new Array[Boolean](pairs.size)
    var i = 0
    while (i < found.length) {
      val (source, target) = pairs.asked(i)
      found(i) = window.ids.find(source).exists { s =>
        window.ids.find(target).exists(t => window.index.connected(window.start, s, t))
      }
      i += 1
    }
    found.indices.iterator.map { i =>
      val (source, target) = pairs.shown(i)
      Seq(source, target, found(i))
    }
  }
}

private[sparkbic] object PairsConnected {
  val columns: Seq[String] = Seq("source", "target", "connected")
}

/** Which vertices are there, and in which component, named by its smallest vertex?
  *
  * @param minSize components of fewer vertices are left out
  */
private[sparkbic] final class Components(strings: Boolean, minSize: Long) extends Question {

  override val fields: Seq[StructField] =
    Components.columns.map(StructField(_, if (strings) StringType else LongType))

  override def answers(key: Row, window: AnsweredWindow): Iterator[Seq[Any]] = {
    val found = ComponentTable(window)
    found.members.collect {
      case (vertex, component) if found.size(component) >= minSize =>
        Seq(found.show(vertex), found.show(found.smallest(component)))
    }
  }
}

private[sparkbic] object Components {

  /** All of them hold vertices, in the type of the edges' columns. */
  val columns: Seq[String] = Seq("vertex", "component")
}

/** How many vertices, edges and components are there, and how large is the largest? */
private[sparkbic] object ComponentStats extends Question {

  val columns: Seq[String] = Seq("vertices", "edges", "components", "largest")

  override val fields: Seq[StructField] = columns.map(StructField(_, LongType))

  override def answers(key: Row, window: AnsweredWindow): Iterator[Seq[Any]] = {
    val found = ComponentTable(window)
    Iterator.single(Seq(found.vertices.toLong, window.edges, found.components.toLong, found.largest))
  }
}
