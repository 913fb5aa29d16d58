package io.github.sparkbic.faults

import java.io.File
import java.nio.file.{Files, NoSuchFileException, Path, StandardCopyOption}

import scala.collection.compat._
import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.spark.sql.{Dataset, Encoder, Encoders, Row}
import org.apache.spark.sql.bic.TestShims
import org.apache.spark.sql.bic.TestShims.SparkSession
import org.apache.spark.sql.connector.read.streaming.Offset
import org.apache.spark.sql.execution.streaming.state.StateStore
import org.apache.spark.sql.streaming.{StreamingQuery, Trigger}

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.question.{Asked, AskedPairs}
import io.github.sparkbic.operator.simulation._

/** One stream, with settings that its checkpoint keeps and others that change from run to run: `make fuzz-settings`.
  *
  * Where [[SoakRound]] looks at what a sink holds in the end, this looks at each micro-batch: its rows, and its counters.
  * All of it is in one process, in which restarts are quick: with commits that are lost, checkpoints that are put back
  * to an earlier copy, attempts that fail at any row, and runs that are stopped in the middle. The seed makes all but the
  * moment of a stop.
  */
final class SettingsRound(seed: Long, root: SparkSession) {
  import SettingsRound._

  // Seeds that follow one another would begin alike.
  private val random = new Random(seed * 0x9e3779b97f4a7c15L)
  val log = mutable.ArrayBuffer.empty[String]
  implicit private val encoder: Encoder[ArrivalRow] = Encoders.product[ArrivalRow]

  private def pick[A](some: A*): A = some(random.nextInt(some.size))
  private def chance(p: Double): Boolean = random.nextDouble() < p

  private val stores = new StoreSettings(random)
  import stores.{changing, kept, knowsCommits}

  // Microseconds.
  private val isVast = chance(0.15)
  private val unit =
    pick(1L, 333L, 1000L, 1000000L, 3600000000L, if (isVast) 60000000L else 86400000000L)

  private def drawnQuestion(): Asked = Setup.draw(random).asked match {
    // The oracle looks at each pane of each window.
    case AskedPairs(early, _) if isVast => AskedPairs(early, since = false)
    case asked                          => asked
  }
  private val first = drawnQuestion()

  private val panes: Panes = {
    val slide = if (isVast) unit << 29 else unit * (1 + random.nextInt(5))
    // As many panes as there can be, whose numbers go beyond 32 bits within a stream.
    def short = pick(slide * (1 + random.nextInt(8)), slide + unit * random.nextInt(12))
    val window =
      if (isVast) ((1L << 30) - 1) * unit else pick(slide, short, short, slide * (100 + random.nextInt(300)))
    val shorter =
      if (first.compares || window == slide || chance(0.7)) Nil
      else Seq(slide + (window - slide) / unit / 2 * unit, slide).distinct.filter(_ < window)
    Panes(window, slide, if (chance(0.3)) Math.floorMod(random.nextLong(), slide) else 0L, shorter)
  }
  private val by = pick(Seq("graph"), Seq("graph"), Seq("graph", "half"), Nil)
  private val setup = {
    val wild = chance(0.3)
    val vertices = IndexedSeq.tabulate(pick(3, 8, 30))(i => if (wild) random.nextLong() else i.toLong)
    val drawn = Setup.draw(random)
    drawn.copy(panes = panes, asked = first, graphs = pick(1, 3, 40), strings = chance(0.25)).asking(vertices)
  }
  private val asksTwo = !first.compares && chance(0.3)
  private val sources = pick(1, 1, 2)
  private var delays = Seq.fill(sources)(delay())

  /** In milliseconds. */
  private def delay(): Long =
    pick(0L, 0L, panes.slide / 1000, panes.window / 1000, panes.window * 3 / 1000 + 7)

  override def toString: String = s"seed $seed: $setup, by $by, delays of $delays ms, $kept"

  private val spark = root.newSession().asInstanceOf[SparkSession]
  private val inputs = Seq.fill(sources)(new KeptStream(random.nextInt(), spark))
  private val added = Seq.fill(sources)(mutable.ArrayBuffer.empty[Seq[ArrivalRow]])
  // Windows that end in the first millisecond of 1970 would be answered a millisecond later with the layout `value`.
  private val last = Seq(253402300799000000L - 5 * panes.window, 9200000000000000000L)
  private var clock = 2000L + pick(Seq(0L, panes.window, -panes.window / 2, 1714521600000000L) ++ last: _*)
  private var newest = clock
  // An edge is in many windows, each of which is answered.
  private val mostEdges = math.max(12L, math.min(250L, 12000L / (panes.window / panes.slide))).toInt
  private var edgesLeft = mostEdges

  private def someRows(): Seq[ArrivalRow] = {
    val count = if (chance(0.15)) 0 else math.min(edgesLeft, 1 + random.nextInt(math.max(1, mostEdges / 8)))
    edgesLeft -= count
    val spread = pick(1L, unit, panes.slide, panes.window)
    def part(of: Long): Long = (random.nextDouble() * of.toDouble).toLong
    def vertex = if (chance(0.02)) None else Some(setup.vertices(random.nextInt(setup.vertices.size)))
    Seq.fill(count) {
      clock += part(panes.slide / 3)
      if (chance(0.02)) clock += pick(panes.window, 10 * panes.window, 3 * panes.slide)
      if (isVast && chance(0.2)) clock += part(panes.window)
      val time = clock - part(if (chance(0.06)) 4 * panes.window else spread)
      newest = math.max(newest, time)
      val graph = if (chance(0.5)) 0 else random.nextInt(setup.graphs)
      val key = if (chance(0.03)) None else Some(graph)
      ArrivalRow(key, vertex, vertex, if (chance(0.01)) None else Some(time))
    }
  }

  private def add(source: Int, rows: Seq[ArrivalRow]): Unit = {
    inputs(source).addData(rows)
    added(source) += rows
  }

  private def addSome(): Unit = {
    val parts = someRows().groupBy(_ => random.nextInt(sources))
    inputs.indices.foreach(s => if (sources == 1 || chance(0.7)) add(s, parts.getOrElse(s, Nil)))
  }

  /** Rows with a null that move the watermark beyond all windows, and leave nothing behind. */
  private def addFlush(turn: Int): Unit = inputs.indices.foreach { s =>
    val at = newest + turn * (2 * panes.window + panes.slide) + 1000 * delays.max + 2000000L
    add(s, Seq(ArrivalRow(Some(0), None, Some(1L), Some(at))))
  }

  private def query(questions: Seq[Asked]): Dataset[String] = {
    val edges = inputs.zip(delays).map { case (input, delay) =>
      OnSpark.edges(setup, input.toDF(), delay)
    }.reduce(_ union _)
    PlannedFault.failing(questions.zipWithIndex.map { case (asked, i) =>
      val index = if (setup.copy(asked = asked).needsRecency) "recency" else pick(Indexes.names: _*)
      val answers = OnSpark.ask(setup, asked, index, edges, by, setup.lists.head)
      OnSpark.lines(answers).map(s"$i|" + _)(Encoders.STRING)
    }.reduce(_ union _))(Encoders.STRING)
  }

  private val folder: Path = Files.createTempDirectory("spark-bic-settings")
  private val checkpoint = folder.resolve("checkpoint")
  private val ran = mutable.TreeMap.empty[Long, RanBatch]
  private val counters = mutable.Map.empty[Long, Seq[Row]]
  private var rowsOfState = -1L

  /** Copies of the checkpoint, and the last micro-batch in each. */
  private val copies = mutable.ArrayBuffer.empty[(Path, Long)]

  private def start(questions: Seq[Asked], trigger: Trigger): StreamingQuery = {
    val sink = (batch: Dataset[String], id: Long) => {
      val logged = Files.readAllLines(checkpoint.resolve(s"offsets/$id")).asScala.toSeq
      val watermark = "\"batchWatermarkMs\":(\\d+)".r.findFirstMatchIn(logged(1)).get.group(1).toLong
      val ends = logged.drop(2).take(sources).map(_.toIntOption.fold(0)(_ + 1))
      val lines = batch.collect().toSeq
      synchronized(ran.put(id, RanBatch(watermark, ends, questions, lines))): Unit
    }
    query(questions).writeStream.foreachBatch(sink).option("checkpointLocation", checkpoint.toString)
      .trigger(trigger).start()
  }

  private def stop(query: StreamingQuery): Unit = {
    query.stop()
    query.recentProgress.filterNot(_.observedMetrics.isEmpty).foreach { progress =>
      counters.put(progress.batchId, progress.observedMetrics.values.asScala.toSeq)
      rowsOfState = progress.stateOperators.map(_.numRowsTotal).sum
    }
  }

  private def planFault(): Unit = {
    PlannedFault.plan = Option.when(chance(0.25))((pick(0, 0, 1, 3, 20, 1000000), 1 + random.nextInt(2)))
    log += s"  fault ${PlannedFault.plan}"
  }

  private def runOnce(isLast: Boolean): Unit = {
    val settings = changing
    log += s"run $settings"
    (kept ++ settings).foreach { case (conf, value) => spark.conf.set(conf, value) }
    if (!isLast && chance(0.2)) delays = Seq.fill(sources)(delay())
    def any = if (first.isKept) first else Iterator.continually(drawnQuestion()).filterNot(_.isKept).next()
    val questions = Seq.fill(if (asksTwo) 2 else 1)(any)
    def running(trigger: Trigger)(work: StreamingQuery => Unit): Unit = {
      val query = start(questions, trigger)
      try work(query)
      finally stop(query)
    }
    random.nextInt(if (isLast) 1 else 3) match {
      case 0 =>
        running(Trigger.ProcessingTime(0)) { query =>
          (0 to random.nextInt(6)).foreach { _ =>
            planFault()
            addSome()
            query.processAllAvailable()
          }
          if (isLast) (1 to 3).foreach { turn =>
            addFlush(turn)
            query.processAllAvailable()
          }
        }
      case 1 =>
        planFault()
        (0 to random.nextInt(3)).foreach(_ => addSome())
        running(Trigger.AvailableNow())(_.processAllAvailable())
      case 2 =>
        planFault()
        running(Trigger.ProcessingTime(0)) { query =>
          addSome()
          Thread.sleep(random.nextInt(600).toLong)
          query.exception.foreach(throw _)
        }
    }
    log += s"  ran to micro-batch ${ran.lastOption.fold(-1L)(_._1)}"
  }

  private def betweenRuns(): Unit = {
    StateStore.stop()
    if (chance(0.3)) {
      val to = folder.resolve(s"copy${copies.size}-${ran.size}-${random.nextInt()}")
      copy(checkpoint.toFile, to.toFile)
      copies += to -> ran.lastOption.fold(-1L)(_._1)
    }
    if (copies.nonEmpty && chance(0.3)) {
      val (from, last) = copies(random.nextInt(copies.size))
      ChildDriver.delete(checkpoint)
      copy(from.toFile, checkpoint.toFile)
      copies --= copies.filter(_._2 > last)
      ran.keys.filter(_ > last).toSeq.foreach { id =>
        ran.remove(id)
        counters.remove(id)
      }
      log += s"back to micro-batch $last"
    } else if (!knowsCommits && chance(0.15)) {
      val commits = checkpoint.resolve("commits").toFile
      Option(commits.list).toSeq.flatten.flatMap(_.toLongOption).maxOption.foreach { last =>
        Seq(s"$last", s".$last.crc").foreach(new File(commits, _).delete())
        log += s"commit $last lost"
      }
    }
  }

  private def copy(from: File, to: File): Unit =
    if (from.isDirectory) {
      to.mkdirs()
      from.listFiles.foreach(file => copy(file, new File(to, file.getName)))
    } else
      try Files.copy(from.toPath, to.toPath, StandardCopyOption.COPY_ATTRIBUTES): Unit
      catch {
        // Of a task that was stopped, and is still about to clean up.
        case _: NoSuchFileException =>
      }

  /** Throws what was found wrong, or tells what was done. */
  def run(): String = {
    val runs = 2 + random.nextInt(6)
    (1 to runs).foreach { n =>
      runOnce(isLast = n == runs)
      if (n < runs) betweenRuns()
    }
    PlannedFault.plan = None
    check()
    ChildDriver.delete(folder)
    val back = log.count(_.startsWith("back"))
    s"${ran.size} micro-batches in $runs runs, ${ran.values.map(_.lines.size).sum} rows, $back times back; $this"
  }

  private def keyOf(graph: Int): Seq[String] =
    (if (graph == ArrivalRow.NoGraph) Seq("null", "null") else Seq(s"$graph", s"${graph % 2}")).take(by.size)

  private def arrival(row: ArrivalRow): Arrival =
    if (by.isEmpty) row.arrival.copy(graph = 0) else row.arrival

  private def check(): Unit = {
    val batches = ran.values.toSeq
    def require(holds: Boolean, message: => String): Unit = if (!holds) throw new AssertionError(message)
    require(ran.keys.toSeq == batches.indices.map(_.toLong), s"micro-batches ${ran.keys}")
    val all = added.map(_.size)
    require(batches.last.ends == all, s"only ${batches.last.ends} of $all were read")
    val read = batches.zip(Seq.fill(sources)(0) +: batches.map(_.ends)).map { case (batch, from) =>
      val rows = added.indices.flatMap(s => added(s).slice(from(s), batch.ends(s)).flatten)
      OracleBatch(rows.map(arrival), batch.watermark, batch.asked, setup.lists.head)
    }
    val expected = new SimulationOracle(setup, read, keyOf).expected
    batches.zip(expected).zipWithIndex.foreach { case ((batch, (ofQuestions, wantedCounters)), id) =>
      val wanted = ofQuestions.zipWithIndex.flatMap { case (lines, i) => lines.map(s"$i|" + _) }
      val (missing, surplus) = (wanted.diff(batch.lines), batch.lines.diff(wanted))
      def told =
        s"${missing.size} rows missing, such as ${missing.take(3)}, and ${surplus.size} too many, such as " +
          s"${surplus.take(3)}"
      val isRight = missing.isEmpty && surplus.isEmpty
      require(isRight, s"micro-batch $id, ${batch.asked}, watermark ${batch.watermark}: $told")
      counters.getOrElse(id.toLong, Nil).foreach { row =>
        val found = (0 until 4).map(i => if (row.isNullAt(i)) 0L else row.getLong(i))
        require(found == wantedCounters, s"micro-batch $id: counters $found instead of $wantedCounters")
      }
    }
    require(rowsOfState == 0, s"$rowsOfState rows of state are left")
  }
}

/** A source that forgets nothing, so that it can be read from any earlier place. */
private final class KeptStream(id: Int, spark: SparkSession)(implicit encoder: Encoder[ArrivalRow])
    extends TestShims.OwnMemoryStream[ArrivalRow](id, spark) {
  override def commit(end: Offset): Unit = ()
}

private object SettingsRound {

  /** One micro-batch as it ran.
    *
    * @param watermark in milliseconds
    * @param ends      of each source, how many lots of rows had come
    * @param lines     what came out: the number of the question, and the line of the oracle
    */
  final case class RanBatch(watermark: Long, ends: Seq[Int], asked: Seq[Asked], lines: Seq[String])
}
