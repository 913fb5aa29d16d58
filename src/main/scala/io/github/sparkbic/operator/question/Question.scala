package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.{
  ArrayType,
  BooleanType,
  DataType,
  LongType,
  StringType,
  StructField,
  StructType
}

/** What is asked of every window: the columns of an answer after those of the window, and its rows. */
private[sparkbic] trait Question extends Serializable {

  /** The user's method that asks it, by which the counters in the UI and the log call it. */
  def method: String

  def fields: Seq[StructField]

  /** Those that hold vertices in the type of the edges' columns, which the operator has widened. */
  def verticesOfEdges: Seq[String] = Nil

  /** Whether it asks for the components of the window before as well. */
  def comparesWindows: Boolean = false

  /** What is to be done on the driver each time that a query which asks this is executed, before its tasks. */
  def beforeTasks(): Unit = ()

  /** The rows of one window of the graph with this key, each with the values of `fields`. */
  def answers(key: Row, window: AnsweredWindow): Iterator[Seq[Any]]
}

/** Are the vertices of these pairs connected? */
private[sparkbic] final class PairsConnected(queries: SentQueries, queryType: DataType) extends Question {
  // Spark gives each task a question of its own.
  @transient private lazy val asked = queries.value

  override def method: String = "bicConnectivity"

  override val fields: Seq[StructField] =
    PairsConnected.columns.zip(Seq(queryType, queryType, BooleanType)).map { case (c, t) =>
      StructField(c, t)
    }

  override def beforeTasks(): Unit = queries.send()

  override def answers(key: Row, window: AnsweredWindow): Iterator[Seq[Any]] = {
    val pairs = asked.of(key)
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

  override def method: String = "bicComponents"

  override val fields: Seq[StructField] =
    Components.columns.map(StructField(_, if (strings) StringType else LongType))

  override def verticesOfEdges: Seq[String] = Components.columns

  override def answers(key: Row, window: AnsweredWindow): Iterator[Seq[Any]] = {
    val found = window.components
    found.members.collect {
      case (vertex, component) if found.size(component) >= minSize =>
        Seq(found.show(vertex), found.show(found.smallest(component)))
    }
  }
}

private[sparkbic] object Components {

  val columns: Seq[String] = Seq("vertex", "component")
}

/** How many vertices, edges and components are there, and how large is the largest?
  *
  * @param sizes whether to tell how many components there are of each size as well
  */
private[sparkbic] final class ComponentStats(sizes: Boolean) extends Question {

  override def method: String = "bicComponentStats"

  override val fields: Seq[StructField] = {
    val counts = ComponentStats.columns(sizes = false).map(StructField(_, LongType))
    if (sizes) counts :+ StructField(ComponentStats.Sizes, ComponentStats.sizesType) else counts
  }

  override def answers(key: Row, window: AnsweredWindow): Iterator[Seq[Any]] = {
    val found = window.components
    val counts = Seq(found.vertices.toLong, window.edges, found.components.toLong, found.largest)
    Iterator.single(if (sizes) counts :+ found.sizeCounts.map(Row.fromTuple) else counts)
  }
}

private[sparkbic] object ComponentStats {
  private val Sizes = "sizes"

  def columns(sizes: Boolean): Seq[String] =
    Seq("vertices", "edges", "components", "largest") ++ (if (sizes) Seq(Sizes) else Nil)

  private val sizesType = ArrayType(
    StructType(Seq("size", "components").map(StructField(_, LongType, nullable = false))),
    containsNull = false
  )
}
