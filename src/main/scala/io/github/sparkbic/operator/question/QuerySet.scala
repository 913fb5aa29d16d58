package io.github.sparkbic.operator.question

import java.nio.ByteBuffer
import java.util.WeakHashMap

import scala.collection.mutable

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.github.sparkbic.operator.keys.GraphKey

/** The pairs that one graph is asked for in every window.
  *
  * @param sources the source of each pair, in the form of [[VertexIds.column]]: numbers, or the bytes of strings
  * @param targets the target of each pair, in the same form
  */
private[sparkbic] final class Pairs private (val sources: Array[_], val targets: Array[_])
    extends Serializable {
  @transient private lazy val repeats = {
    val seen = mutable.Map.empty[Any, Int]
    Array.tabulate(size) { i =>
      val pair = GraphKey.comparable(Seq[Any](sources(i), targets(i)))
      val repeat = seen.getOrElse(pair, 0)
      seen(pair) = repeat + 1
      repeat
    }
  }

  def size: Int = sources.length

  /** How often pair `i` came before. */
  def repeat(i: Int): Int = repeats(i)
}

private[sparkbic] object Pairs {

  /** @param pairs each vertex as a `Long`, or as an array of bytes */
  def apply(pairs: Iterable[(Any, Any)]): Pairs =
    new Pairs(column(pairs.map(_._1).toArray), column(pairs.map(_._2).toArray))

  private def column(vertices: Array[Any]): Array[_] =
    if (vertices.headOption.exists(_.isInstanceOf[Long])) vertices.map(_.asInstanceOf[Long]) else vertices
}

/** The pairs of all graphs: the same for every graph, or of each graph its own, by key. */
private[sparkbic] final class QuerySet private (forAll: Option[Pairs], perGraph: Map[Any, Pairs])
    extends Serializable {

  /** The pairs that the graph with this key is asked for. */
  def of(key: Row): Pairs = forAll.getOrElse(perGraph.getOrElse(GraphKey.comparable(key), QuerySet.none))
}

private[sparkbic] object QuerySet {
  private val none = Pairs(Nil)

  /** @param rows source and target, of [[Pairs]]; after them the key of a graph, where each graph has pairs of its own */
  def apply(rows: Seq[Row]): QuerySet = {
    def pair(row: Row): (Any, Any) = (row.get(0), row.get(1))
    if (rows.head.size == 2) new QuerySet(Some(Pairs(rows.map(pair))), Map.empty)
    else {
      val perGraph = rows.groupBy(row => GraphKey.comparable(Row.fromSeq(row.toSeq.drop(2))))
      new QuerySet(None, perGraph.map { case (key, ofGraph) => key -> Pairs(ofGraph.map(pair)) })
    }
  }
}

/** The queries on their way from the driver to the tasks. */
private[sparkbic] trait Queries extends Serializable {

  /** Prepares the queries on the driver, before tasks are sent. */
  def send(): Unit

  /** The queries, on an executor. */
  def value: QuerySet
}

/** Sends the queries to the executors. The queries are read and broadcast once, when the first plan is executed.
  *
  * Queries are broadcast as bytes, because `spark.serializer` may refuse classes that no user has registered. Each JVM
  * reads the bytes once, as long as it holds the broadcast.
  *
  * @param source the plan that the queries are read from: two of equal plans are equal
  */
private[sparkbic] final class SentQueries(
    @transient context: SparkContext,
    @transient private val source: LogicalPlan,
    @transient readAll: () => QuerySet
) extends Queries {
  private var bytes: Broadcast[Array[Byte]] = _

  /** Reads and broadcasts the queries, by a job if need be. */
  override def send(): Unit = synchronized {
    if (bytes == null) {
      val buffer = SparkEnv.get.closureSerializer.newInstance().serialize[QuerySet](readAll())
      val copy = new Array[Byte](buffer.remaining)
      buffer.get(copy)
      bytes = context.broadcast(copy)
    }
  }

  override def value: QuerySet = SentQueries.read(bytes.value)

  // There is a plan on the driver alone, where plans are compared.
  override def equals(other: Any): Boolean = other match {
    case that: SentQueries => (this eq that) || source != null && source.sameResult(that.source)
    case _                 => false
  }

  // The hash of a plan would read all pairs that the plan holds.
  override def hashCode: Int = classOf[SentQueries].hashCode
}

private object SentQueries {
  // Keyed by the identity of the array, which all tasks share until Spark drops the broadcast.
  private val sets = new WeakHashMap[Array[Byte], QuerySet]

  private def read(bytes: Array[Byte]): QuerySet = sets.synchronized {
    sets.computeIfAbsent(
      bytes,
      _ => {
        val loader = Thread.currentThread.getContextClassLoader
        SparkEnv.get.closureSerializer.newInstance().deserialize[QuerySet](ByteBuffer.wrap(bytes), loader)
      }
    )
  }
}
