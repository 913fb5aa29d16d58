package io.github.sparkbic.operator.question

import java.nio.ByteBuffer
import java.util.{Arrays, UUID, WeakHashMap}

import scala.collection.mutable

import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.github.sparkbic.operator.keys.GraphKey

/** The pairs that one graph is asked for in every window. Vertices are numbers, or the bytes of strings, as in
  * [[io.github.sparkbic.operator.block.VertexIds.find]].
  */
private[sparkbic] final class Pairs private (val sources: Array[_], val targets: Array[_])
    extends Serializable {
  @transient private lazy val repeats = {
    val seen = mutable.Map.empty[Any, Int].withDefaultValue(0)
    Array.tabulate(size) { i =>
      val pair = GraphKey.comparable(Seq[Any](sources(i), targets(i)))
      seen(pair) += 1
      seen(pair) - 1
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

/** The marked vertices of one graph: each once, in the user's order of vertices, in the form of [[Pairs]]. */
private[sparkbic] final class MarkedVertices private (val vertices: Array[_]) extends Serializable

private[sparkbic] object MarkedVertices {

  /** @param rows a vertex each, as a `Long` or as an array of bytes, and maybe more columns */
  def apply(rows: Seq[Row]): MarkedVertices = Pairs.column(rows.map(_.get(0))) match {
    case numbers: Array[Long] => new MarkedVertices(numbers.distinct.sorted)
    case strings =>
      val sorted = strings.map(_.asInstanceOf[Array[Byte]]).sortWith(Arrays.compareUnsigned(_, _) < 0)
      def isNew(i: Int): Boolean = i == 0 || !Arrays.equals(sorted(i - 1), sorted(i))
      new MarkedVertices(sorted.indices.filter(isNew).map(sorted(_)).toArray)
  }
}

/** What is asked for: the same of every graph, or of each graph its own, by key.
  *
  * @param others what a graph is asked for that has nothing of its own
  * @param rows   how many pairs or vertices there are, in all graphs
  * @param readAt when they were read, in milliseconds since 1970; two readings of one query differ in it
  */
private[sparkbic] final case class QuerySet[A](perGraph: Map[Any, A], others: A, rows: Int, readAt: Long) {
  def of(key: Row): A =
    if (perGraph.isEmpty) others else perGraph.getOrElse(GraphKey.comparable(key), others)
}

private[sparkbic] object QuerySet {

  /** @param rows   vertices; after them the key of a graph, where each graph is asked for its own
    * @param width  how many columns have vertices
    * @param gather what rows ask for, which may be none
    */
  def apply[A](rows: Seq[Row], width: Int)(gather: Seq[Row] => A): QuerySet[A] = {
    val (forAll, own) = if (rows.forall(_.size == width)) (rows, Nil) else (Nil, rows)
    val perGraph = own.groupBy(row => GraphKey.comparable(Row.fromSeq(row.toSeq.drop(width))))
    new QuerySet(perGraph.map { case (key, of) => key -> gather(of) }, gather(forAll), rows.size, 0)
  }
}

/** The queries on their way from the driver, where they are prepared before tasks are sent, to the tasks. */
private[sparkbic] trait Queries[A] extends Serializable {
  def send(): Unit
  def value: QuerySet[A]
}

/** Sends the queries to the executors.
  *
  * A batch reads the queries once, when the first plan is executed. A streaming query reads them in its first micro-batch,
  * and again in the first micro-batch after `refresh`. A micro-batch has the queries of one reading: it may be planned several
  * times, but only its first plan reads. A reading takes the place of the reading before when it is whole and checked. Where
  * several streaming queries are made of one DataFrame, each of them has a reading of its own.
  *
  * Queries are broadcast as bytes, because `spark.serializer` may refuse classes that no user has registered.
  *
  * @param session     that starts the streaming queries
  * @param isStreaming whether streaming queries ask
  * @param refresh     microseconds from one reading to the next in a run of a streaming query; None to read once a run
  * @param source      the plan that the queries are read from: two of equal plans are equal
  */
private[sparkbic] final class SentQueries[A](
    @transient session: SparkSession,
    isStreaming: Boolean,
    refresh: Option[Long],
    @transient private val source: LogicalPlan,
    @transient readAll: () => QuerySet[A]
) extends Queries[A] {
  import SentQueries._

  // By the id of the streaming query. Spark writes them into tasks by a thread of its own.
  @volatile private var readings = Map.empty[String, Reading]

  /** Reads and broadcasts the queries, by a job if need be. */
  override def send(): Unit = synchronized {
    def property(name: String): String =
      if (isStreaming) Option(session.sparkContext.getLocalProperty(name)).getOrElse("") else ""
    val (query, batch) = (property(QueryId), property(BatchId))
    val (run, nanos) = (runOf(query), System.nanoTime())
    val before = readings.get(query)
    def isValid(reading: Reading) = reading.run == run &&
      (reading.batch == batch || refresh.forall(micros => (nanos - reading.nanos) / 1000 < micros))
    val now = before.filter(isValid).map(_.copy(batch = batch)).getOrElse {
      // Later than the reading before, even if the clock was set back.
      val millis = before.fold(0L)(_.millis + 1).max(System.currentTimeMillis())
      Reading(run, batch, nanos, millis, broadcast(readAll().copy(readAt = millis)))
    }
    val old = readings
    readings = old.filter { case (other, _) => runOf(other).nonEmpty }.updated(query, now)
    // A task that was left behind may still fetch the bytes from the driver, until no object there refers to them.
    val inUse = readings.values.map(_.bytes).toSet
    old.values.map(_.bytes).filterNot(inUse).foreach(_.unpersist())
  }

  /** The run of an active streaming query. */
  private def runOf(query: String): Option[UUID] =
    if (query.isEmpty) None else Option(session.streams.get(query)).map(_.runId)

  private def broadcast(queries: QuerySet[A]): Broadcast[Array[Byte]] = {
    val buffer = SparkEnv.get.closureSerializer.newInstance().serialize(queries)
    val copy = new Array[Byte](buffer.remaining)
    buffer.get(copy)
    session.sparkContext.broadcast(copy)
  }

  override def value: QuerySet[A] = {
    def query = Option(TaskContext.get()).flatMap(task => Option(task.getLocalProperty(QueryId)))
    // Threads that a user starts in foreachBatch may not have the id of the query.
    val reading =
      if (readings.size == 1) readings.head._2
      else query.flatMap(readings.get).getOrElse(throw new IllegalStateException(
        "several streaming queries are made of one DataFrame, and a thread started in foreachBatch runs tasks of one of " +
          "them; make a DataFrame for each query"
      ))
    read(reading.bytes.value).asInstanceOf[QuerySet[A]]
  }

  // There is a plan on the driver alone, where plans are compared.
  override def equals(other: Any): Boolean = other match {
    case that: SentQueries[_] => (this eq that) || source != null && source.sameResult(that.source)
    case _                    => false
  }

  // The hash of a plan would read all pairs that the plan holds.
  override def hashCode: Int = classOf[SentQueries[_]].hashCode
}

private object SentQueries {

  // The local properties by which Spark names the streaming query and the micro-batch of a thread.
  private val QueryId = "sql.streaming.queryId"
  private val BatchId = "streaming.sql.batchId"

  /** @param run   of the streaming query; a query that is started again has another
    * @param batch the micro-batch that was planned last
    * @param nanos when the queries were read, by a clock that is never set
    */
  final case class Reading(
      run: Option[UUID],
      batch: String,
      nanos: Long,
      millis: Long,
      bytes: Broadcast[Array[Byte]]
  )

  // Keyed by the identity of the array, which all tasks of a JVM share until Spark drops the broadcast.
  private val sets = new WeakHashMap[Array[Byte], QuerySet[_]]

  private def read(bytes: Array[Byte]): QuerySet[_] = sets.synchronized {
    def loader = Thread.currentThread.getContextClassLoader
    def made =
      SparkEnv.get.closureSerializer.newInstance().deserialize[QuerySet[_]](ByteBuffer.wrap(bytes), loader)
    sets.computeIfAbsent(bytes, _ => made)
  }
}
