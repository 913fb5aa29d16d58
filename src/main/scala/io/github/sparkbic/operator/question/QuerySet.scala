package io.github.sparkbic.operator.question

import java.nio.ByteBuffer
import java.util.WeakHashMap

import scala.collection.mutable

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.contract.SuffixIndex
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.keys.GraphKey

/** The pairs that one graph is asked for in every window.
  *
  * @param shown pairs in the type of the queries' columns, for the answers
  * @param asked the same pairs as `Long` or `UTF8String`, by which vertices are found
  */
private[sparkbic] final class Pairs(val shown: Array[(Any, Any)], val asked: Array[(Any, Any)])
    extends Serializable {
  @transient private lazy val numbers = Pairs.numbers(asked)

  def indices: Range = asked.indices

  /** A number for pair `i`, of 64 bits, that depends on the pair alone, and on how often it came before. */
  def number(i: Int): Long = numbers(i)

  /** The answer of `find` for pair `i`; [[SuffixIndex.Never]] if no edge can have one of the vertices. */
  def connectedSince(i: Int, ids: VertexIds, find: (Long, Long) => Long): Long = {
    val (source, target) = asked(i)
    ids.find(source).fold(SuffixIndex.Never) { s =>
      ids.find(target).fold(SuffixIndex.Never)(find(s, _))
    }
  }
}

private[sparkbic] object Pairs {
  def apply(pairs: Iterable[(Any, Any)]): Pairs =
    new Pairs(pairs.toArray, pairs.map { case (source, target) => (asked(source), asked(target)) }.toArray)

  private def numbers(pairs: Array[(Any, Any)]): Array[Long] = {
    val seen = mutable.Map.empty[(Any, Any), Int]
    pairs.map { pair =>
      val repeat = seen.getOrElse(pair, 0)
      seen(pair) = repeat + 1
      Seq(pair._1, pair._2, repeat.toLong).foldLeft(0L)(hash)
    }
  }

  private def hash(seed: Long, value: Any): Long = value match {
    case text: UTF8String =>
      val bytes = text.getBytes
      XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, seed)
    case number => XXH64.hashLong(number.asInstanceOf[Long], seed)
  }

  private def asked(vertex: Any): Any = vertex match {
    case number: Number => number.longValue
    case text: String   => UTF8String.fromString(text)
    case other          => throw new IllegalArgumentException(s"$other is no vertex id")
  }
}

/** The pairs of all graphs: the same for every graph, or of each graph its own, by key. */
private[sparkbic] final class QuerySet private (forAll: Option[Pairs], perGraph: Map[Any, Pairs])
    extends Serializable {

  /** The pairs that the graph with this key is asked for. */
  def of(key: Row): Pairs = forAll.getOrElse(perGraph.getOrElse(GraphKey.comparable(key), QuerySet.none))
}

private[sparkbic] object QuerySet {
  private val none = Pairs(Nil)

  /** @param rows source and target; after them the key of a graph, where each graph has pairs of its own */
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
  */
private[sparkbic] final class SentQueries(
    @transient context: SparkContext,
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
