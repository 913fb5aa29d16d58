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

  /** @param rows source and target, each as a `Long` or as an array of bytes, and maybe more columns */
  def apply(rows: Seq[Row]): Pairs = new Pairs(column(rows.map(_.get(0))), column(rows.map(_.get(1))))

  private[question] def column(vertices: Seq[Any]): Array[_] =
    if (vertices.headOption.exists(_.isInstanceOf[Long])) vertices.map(_.asInstanceOf[Long]).toArray
    else vertices.toArray
}

/** What is asked for: the same of every graph, or of each graph its own, by key.
  *
  * @param none what a graph is asked for that has nothing of its own
  */
private[sparkbic] final class QuerySet[A] private (forAll: Option[A], perGraph: Map[Any, A], none: A)
    extends Serializable {

  /** What the graph with this key is asked for. */
  def of(key: Row): A = forAll.getOrElse(perGraph.getOrElse(GraphKey.comparable(key), none))
}

private[sparkbic] object QuerySet {

  /** @param rows   vertices; after them the key of a graph, where each graph is asked for its own
    * @param width  how many columns have vertices
    * @param gather what rows ask for, which may be none
    */
  def apply[A](rows: Seq[Row], width: Int)(gather: Seq[Row] => A): QuerySet[A] =
    if (rows.head.size == width) new QuerySet(Some(gather(rows)), Map.empty, gather(Nil))
    else {
      val perGraph = rows.groupBy(row => GraphKey.comparable(Row.fromSeq(row.toSeq.drop(width))))
      new QuerySet(None, perGraph.map { case (key, ofGraph) => key -> gather(ofGraph) }, gather(Nil))
    }
}

/** The queries on their way from the driver to the tasks. */
private[sparkbic] trait Queries[A] extends Serializable {

  /** Prepares the queries on the driver, before tasks are sent. */
  def send(): Unit

  /** The queries, on an executor. */
  def value: QuerySet[A]
}

/** Sends the queries to the executors. The queries are read and broadcast once, when the first plan is executed.
  *
  * Queries are broadcast as bytes, because `spark.serializer` may refuse classes that no user has registered. Each JVM
  * reads the bytes once, as long as it holds the broadcast.
  *
  * @param source the plan that the queries are read from: two of equal plans are equal
  */
private[sparkbic] final class SentQueries[A](
    @transient context: SparkContext,
    @transient private val source: LogicalPlan,
    @transient readAll: () => QuerySet[A]
) extends Queries[A] {
  private var bytes: Broadcast[Array[Byte]] = _

  /** Reads and broadcasts the queries, by a job if need be. */
  override def send(): Unit = synchronized {
    if (bytes == null) {
      val buffer = SparkEnv.get.closureSerializer.newInstance().serialize[QuerySet[A]](readAll())
      val copy = new Array[Byte](buffer.remaining)
      buffer.get(copy)
      bytes = context.broadcast(copy)
    }
  }

  override def value: QuerySet[A] = SentQueries.read(bytes.value).asInstanceOf[QuerySet[A]]

  // There is a plan on the driver alone, where plans are compared.
  override def equals(other: Any): Boolean = other match {
    case that: SentQueries[_] => (this eq that) || source != null && source.sameResult(that.source)
    case _                    => false
  }

  // The hash of a plan would read all pairs that the plan holds.
  override def hashCode: Int = classOf[SentQueries[_]].hashCode
}

private object SentQueries {
  // Keyed by the identity of the array, which all tasks share until Spark drops the broadcast.
  private val sets = new WeakHashMap[Array[Byte], QuerySet[_]]

  private def read(bytes: Array[Byte]): QuerySet[_] = sets.synchronized {
    sets.computeIfAbsent(
      bytes,
      _ => {
        val loader = Thread.currentThread.getContextClassLoader
        SparkEnv.get.closureSerializer.newInstance().deserialize[QuerySet[_]](ByteBuffer.wrap(bytes), loader)
      }
    )
  }
}
