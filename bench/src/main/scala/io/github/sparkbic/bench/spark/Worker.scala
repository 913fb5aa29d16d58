package io.github.sparkbic.bench.spark

import java.nio.file.Paths
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, ForeachWriter, Row, SparkSession}
import org.apache.spark.sql.functions.{col, xxhash64}
import org.apache.spark.sql.streaming.DataStreamWriter

import io.github.sparkbic.bench.StateStores

/** What one run of a query did.
  *
  * @param cpuNanos time on the cores, of tasks, planning, garbage collection and compilation; zero if not known
  * @param edges    edges that it got through
  * @param windows  windows answered; zero where it answers none
  * @param rows     rows of a query about groups, once they are counted
  */
final case class Run(
    nanos: Long,
    cpuNanos: Long,
    edges: Long,
    windows: Int,
    checks: Answers.Checks,
    batchMillis: Seq[Long] = Nil,
    rows: Long = 0
)

/** Measures one query in this JVM: passes to warm up, then the runs. */
final class Worker(options: Options) {
  import Worker._

  private val files = new EdgeFiles(options)
  private val systems = new Systems(options, files)

  private val spark = SparkSession.builder()
    .master(s"local[${options.cores}]")
    .appName("bench")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", options.cores.toString)
    .config("spark.sql.session.timeZone", "UTC")
    // Small files would share an input partition.
    .config("spark.sql.files.minPartitionNum", math.max(options.cores, options.partitions).toString)
    .config("spark.sql.streaming.numRecentProgressUpdates", "10000")
    // Rivals broadcast what a pass over all windows finds.
    .config("spark.sql.broadcastTimeout", "3600")
    .config("spark.sql.warehouse.dir", Paths.get("bench/target/warehouse").toAbsolutePath.toString)
    .getOrCreate()
  spark.sparkContext.setLogLevel("ERROR")
  options.segmentWindows.foreach(windows => spark.conf.set("spark.bic.batch.segmentWindows", windows.toLong))

  private val streams = new StreamRun(spark, files, options.delayMillis)
  private val groups = new GroupWork(spark, options, files, streams)

  def prepare(): Unit = {
    if (!files.exist) files.write(spark)
    spark.stop()
  }

  def measure(name: String): Outcome = {
    val query = name.stripSuffix(Options.Panes)
    if (Options.InPanes.contains(name)) {
      spark.conf.set(StateStores.Conf, StateStores.RocksDb)
      spark.conf.set("spark.bic.stateLayout", "panes")
    }
    val total = query match {
      case "count" if !options.keyed => files.upTo(math.min(options.edges, SlowEdges))
      case _                         => options.edges
    }
    val heap = new HeapPeak
    val begun = System.nanoTime()
    val first = run(query, total)
    val runs = ArrayBuffer.empty[Run]
    // So long a pass is not much longer for what the JVM has yet to compile.
    val isLong = first.nanos > LongSeconds * 1000000000L
    if (isLong) runs += first
    while (!isLong && System.nanoTime() - begun < options.warmUp * 1000000000L) run(query, total)
    if (!isLong) heap.reset()
    val started = System.nanoTime()
    while (
      !isLong && runs.size < options.runs && (runs.isEmpty || System.nanoTime() - started < MeasuredNanos)
    ) {
      runs += run(query, total)
      if (runs.last.checks != first.checks)
        throw new IllegalStateException(s"$query answered differently in two runs")
    }
    val peak = heap.peak
    val isRival = GroupQueries.OfUnionFind.contains(query)
    val held = if (options.memory && !isRival) heap.held(run(query, total): Unit) else 0L
    val checked = groups.checked(query, median(runs.toSeq))
    spark.stop()
    Outcome(name, checked, first.nanos, runs.size, peak, held)
  }

  private def run(query: String, edges: Int): Run = (options.mode, query) match {
    case (_, query) if GroupQueries.All.contains(query) => groups.run(query, edges)
    case ("batch", "scan") =>
      timed(edges)(require(systems.scan(table(edges)).count() == 0, "the scan found what is not there"))
    case ("batch", "rows") => timed(edges)(systems.rows(table(edges)).collect())
    case ("batch", "count") =>
      timed(edges) {
        val counted = systems.counted(systems.windowCount(table(edges)))
        val wanted = systems.wanted(edges)
        require(counted == wanted, s"$counted edges counted in all windows instead of $wanted")
      }
    case ("batch", "bic" | "recency") if options.keyed =>
      timedChecks(edges)(systems.ours(table(edges), query))(Answers.checkOfAll)
    case ("batch", "bic" | "recency") =>
      timedChecks(edges)(systems.ours(table(edges), query)) { answers =>
        val checks = Answers.checks(Answers.rows(answers).collect().toSeq, files.pairs)
        (checks, checks.size)
      }
    case ("batch", "union-find")  => perWindow(systems.unionFind(spark))
    case ("batch", "graphframes") => perWindow(systems.graphFrames(spark))
    case ("stream", "scan")       => streamed(edges)(systems.scan)
    case ("stream", "rows")       => streamed(edges)(systems.rows(_).toDF())
    case ("stream", "count")      => streamed(edges)(systems.windowCount)
    case ("stream", "bic" | "recency") if options.keyed =>
      val run = streamed(edges)(systems.ours(_, query))
      val (checks, windows) = HashedRows.check
      run.copy(windows = windows, checks = checks)
    case ("stream", "bic" | "recency") =>
      val run = streamed(edges)(frame => Answers.rows(systems.ours(frame, query)))
      val checks = Answers.checks(StreamedRows.all, files.pairs)
      run.copy(windows = checks.size, checks = checks)
    case _ => throw new IllegalArgumentException(s"the query $query has no ${options.mode} mode")
  }

  private def table(edges: Int): DataFrame = files.table(spark, edges)

  private def timed(edges: Int)(work: => Unit): Run = {
    val clock = new Clock
    work
    clock.run(edges.toLong, Map.empty)
  }

  /** @param check the checks of the answers, and how many windows these are */
  private def timedChecks(edges: Int)(answers: => DataFrame)(check: DataFrame => (Answers.Checks, Int))
      : Run = {
    val clock = new Clock
    val (checks, windows) = check(answers)
    clock.run(edges.toLong, checks).copy(windows = windows)
  }

  /** A rival that recomputes windows: each takes one slide of edges further. */
  private def perWindow(answers: => Seq[(Long, Array[Boolean])]): Run = {
    val clock = new Clock
    val found = answers
    val run = clock.run(found.size.toLong * options.slideEdges, Map.empty)
    val checks = found.map { case (window, connected) => window -> Answers.check(connected) }.toMap
    run.copy(windows = checks.size, checks = checks)
  }

  /** What comes out of all queries of a setting goes the same way: to memory, or, if it is of very many graphs, as
    * hashes, of which nothing is kept but one for all.
    */
  private def sink(frame: DataFrame): DataStreamWriter[Row] =
    if (options.keyed)
      frame.select(xxhash64(frame.columns.toSeq.map(col): _*)).writeStream.foreach(HashedRows.Writer)
    else frame.writeStream.foreach(StreamedRows.Writer)

  /** What comes out is in [[StreamedRows]] or [[HashedRows]]. */
  private def streamed(edges: Int)(build: DataFrame => DataFrame): Run = {
    StreamedRows.clear()
    HashedRows.clear()
    streams.run(edges)(frame => sink(build(frame)))
  }
}

/** The rows that came out of the last streaming query: the master is local, so its tasks find this here. */
private object StreamedRows {
  private val rows = new ConcurrentLinkedQueue[Row]

  def clear(): Unit = rows.clear()

  def all: Seq[Row] = rows.asScala.toSeq

  object Writer extends ForeachWriter[Row] {
    override def open(partition: Long, epoch: Long): Boolean = true
    override def process(row: Row): Unit = rows.add(row): Unit
    override def close(error: Throwable): Unit = ()
  }
}

/** The hashes of the rows that came out of the last streaming query, exclusive-ored, and how many they were. */
private object HashedRows {
  private val all = new AtomicLong
  private val rows = new AtomicLong

  def clear(): Unit = {
    all.set(0)
    rows.set(0)
  }

  def check: (Answers.Checks, Int) = Answers.checkOfHashes(all.get, rows.get)

  object Writer extends ForeachWriter[Row] {
    override def open(partition: Long, epoch: Long): Boolean = true
    override def process(row: Row): Unit = {
      all.accumulateAndGet(row.getLong(0), _ ^ _)
      rows.incrementAndGet(): Unit
    }
    override def close(error: Throwable): Unit = ()
  }
}

object Worker {

  /** Edges of what needs longer than a scan by more than an order of magnitude. */
  private val SlowEdges = 4000000

  /** A first pass that takes longer is measured, and no other. */
  val LongSeconds = 100L

  /** No further run is begun after this: three of the runs that last some twenty seconds, so that a median is one. */
  private val MeasuredNanos = 45000000000L

  private def median(runs: Seq[Run]): Run =
    runs.sortBy(run => run.nanos.toDouble / run.edges).apply(runs.size / 2)
}
