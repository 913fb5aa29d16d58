package io.github.sparkbic.operator.question

import java.nio.ByteBuffer
import java.util.{Arrays, UUID, WeakHashMap}

import scala.collection.mutable

import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.github.sparkbic.operator.keys.GraphKey

/** What is asked for in every window: the same of every graph, or of each graph its own, by key. It comes in columns: of
  * vertices, as numbers or as the bytes of strings ([[io.github.sparkbic.operator.block.VertexIds.find]]), and of [[repeats]].
  *
  * @param others what a graph is asked for that has nothing of its own
  * @param rows   how many pairs or vertices there are, in all graphs
  * @param readAt when they were read, in milliseconds since 1970; two readings of one query differ in it
  */
private[sparkbic] final case class QuerySet(
    perGraph: Map[Any, Seq[Array[_]]],
    others: Seq[Array[_]],
    rows: Int,
    readAt: Long
) {
  def of(key: Row): Seq[Array[_]] =
    if (perGraph.isEmpty) others else perGraph.getOrElse(GraphKey.comparable(key), others)
}

private[sparkbic] object QuerySet {

  /** @param rows   vertices, each a `Long` or an array of bytes; after them the key of a graph, where each has its own
    * @param width  how many columns have vertices
    * @param gather what rows ask for, which may be none
    */
  def apply(rows: Seq[Row], width: Int)(gather: Seq[Row] => Seq[Array[_]]): QuerySet = {
    val (forAll, own) = if (rows.forall(_.size == width)) (rows, Nil) else (Nil, rows)
    val perGraph = own.groupBy(row => GraphKey.comparable(Row.fromSeq(row.toSeq.drop(width))))
    new QuerySet(perGraph.map { case (key, of) => key -> gather(of) }, gather(forAll), rows.size, 0)
  }

  /** Sources and targets; and, where rows may come early, how often each pair came before. */
  def pairs(early: Boolean)(rows: Seq[Row]): Seq[Array[_]] = {
    val times = mutable.Map.empty[Any, Int].withDefaultValue(-1)
    def repeat(row: Row): Int = {
      val pair = GraphKey.comparable(Seq(row.get(0), row.get(1)))
      times(pair) += 1
      times(pair)
    }
    Seq(column(rows, 0), column(rows, 1)) ++ (if (early) Some(rows.map(repeat).toArray) else None)
  }

  /** How often each of these [[pairs]] came before. */
  def repeats(pairs: Seq[Array[_]]): Array[Int] = pairs(2).asInstanceOf[Array[Int]]

  /** Marked vertices, each once, in the user's order of vertices. */
  def marked(rows: Seq[Row]): Seq[Array[_]] = Seq(column(rows, 0) match {
    case numbers: Array[Long] => numbers.distinct.sorted
    case strings =>
      val sorted = strings.map(_.asInstanceOf[Array[Byte]]).sortWith(Arrays.compareUnsigned(_, _) < 0)
      def isNew(i: Int): Boolean = i == 0 || !Arrays.equals(sorted(i - 1), sorted(i))
      sorted.indices.filter(isNew).map(sorted(_)).toArray
  })

  private def column(rows: Seq[Row], i: Int): Array[_] =
    if (rows.headOption.exists(_.get(i).isInstanceOf[Long])) rows.map(_.getLong(i)).toArray
    else rows.map(_.get(i)).toArray
}

/** The queries on their way from the driver, where they are prepared before tasks are sent, to the tasks. */
private[sparkbic] trait Queries extends Serializable {
  def send(): Unit
  def value: QuerySet
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
  * @param source      the plan that the queries are read from: two of equal plans are equal, while their tables have the
  *                    same files
  */
private[sparkbic] final class SentQueries(
    @transient session: SparkSession,
    isStreaming: Boolean,
    refresh: Option[Long],
    @transient private val source: LogicalPlan,
    @transient readAll: () => QuerySet
) extends Queries {
  import SentQueries._

  // By the id of the streaming query. Spark writes them into tasks by a thread of its own.
  @volatile private var readings = Map.empty[String, Reading]
  // Of the tables of the source, when a batch read them; null before.
  @transient @volatile private var filesRead: Seq[Option[Set[(String, Long, Long)]]] = _

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
      if (!isStreaming) filesRead = SparkInternals.files(source)
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

  private def broadcast(queries: QuerySet): Broadcast[Array[Byte]] = {
    val buffer = SparkEnv.get.closureSerializer.newInstance().serialize(queries)
    val copy = new Array[Byte](buffer.remaining)
    buffer.get(copy)
    session.sparkContext.broadcast(copy)
  }

  override def value: QuerySet = {
    def query = Option(TaskContext.get()).flatMap(task => Option(task.getLocalProperty(QueryId)))
    // Threads that a user starts in foreachBatch may not have the id of the query.
    val reading =
      if (readings.size == 1) readings.head._2
      else query.flatMap(readings.get).getOrElse(throw new IllegalStateException(
        "several streaming queries are made of one DataFrame, and a thread started in foreachBatch runs tasks of one of " +
          "them; make a DataFrame for each query"
      ))
    read(reading.bytes.value)
  }

  // There is a plan on the driver alone, where plans are compared. Spark finds cached answers by equal plans, so a table
  // that may have changed since it was read makes another plan.
  override def equals(other: Any): Boolean = other match {
    case that: SentQueries => (this eq that) || source != null && source.sameResult(that.source) && {
        val files = this.files
        files.forall(_.nonEmpty) && files == that.files
      }
    case _ => false
  }

  private def files = if (filesRead == null) SparkInternals.files(source) else filesRead

  // The hash of a plan would read all pairs that the plan holds.
  override def hashCode: Int = classOf[SentQueries].hashCode
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
  private val sets = new WeakHashMap[Array[Byte], QuerySet]

  private def read(bytes: Array[Byte]): QuerySet = sets.synchronized {
    def loader = Thread.currentThread.getContextClassLoader
    def made =
      SparkEnv.get.closureSerializer.newInstance().deserialize[QuerySet](ByteBuffer.wrap(bytes), loader)
    sets.computeIfAbsent(bytes, _ => made)
  }
}
