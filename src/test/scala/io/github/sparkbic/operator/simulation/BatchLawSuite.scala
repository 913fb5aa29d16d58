package io.github.sparkbic.operator.simulation

import scala.util.Random

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.{ConfResults, Observed}
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.operator.Settings
import io.github.sparkbic.operator.question.{Asked, AskedAsOf}
import io.github.sparkbic.operator.state.Counters

/** The law over static tables: each question has the rows and the counters of the oracle, by either index, for numbers and
  * strings of any bytes, with windows of one length or two, with graphs cut into segments or whole, and with times before 1970.
  */
class BatchLawSuite extends QueryTest with SharedSparkSession with ConfResults {
  import testImplicits._

  private val Rounds = 2

  // In a batch all is there: events that do not wait are a test of AsOfSuite.
  private val ofEvents =
    for (marked <- Seq(true, false); pair <- Seq(true, false)) yield AskedAsOf(marked, pair, waits = true)

  (Asked.all ++ ofEvents).zipWithIndex.foreach { case (asked, i) =>
    test(s"$asked") {
      val first = FaultRun.seed + i * Rounds
      (first until first + Rounds).foreach(seed => withClue(s"SPARK_BIC_SEED=$seed: ")(check(asked, seed)))
    }
  }

  private def check(asked: Asked, seed: Long): Unit = {
    val random = new Random(seed)
    def pick[A](of: A*): A = of(random.nextInt(of.size))
    val drawn = Setup.draw(random)
    // Of each question one round is of strings.
    val setup = drawn.copy(panes = panes(drawn, asked, random), asked = asked, strings = seed % Rounds == 0)
    val arrivals = new Arrivals(setup, random)
    val shift = random.nextInt(150) * setup.unit
    val rows = Seq.fill(8)(arrivals.small()).flatten.map(row => row.copy(time = row.time - shift))
    val pairs = setup.lists(random.nextInt(setup.lists.size))
    val by = if (setup.graphs > 1) Seq("graph") else pick(Nil, Seq("graph"))
    val index = if (setup.needsRecency) "recency" else pick(Indexes.names: _*)
    val (segments, partitions) = (pick("0", "1", "3"), 1 + random.nextInt(3))

    val (lines, counters) = withConf(Settings.SegmentWindows -> segments) {
      val table = random.shuffle(rows).map(ArrivalRow.of).toDS().repartition(partitions)
      val answers = OnSpark.answers(setup, index, table, 0, by, pairs)
      val lines = answers.collect().toSeq.sorted
      (lines, Observed.of(answers.toDF()).map(Counters.OfBatch.map(_)))
    }

    // No edge is late, and all windows close with the second of these micro-batches.
    val batches =
      Seq(OracleBatch(rows, -(1L << 50), Seq(asked), pairs), OracleBatch(Nil, 1L << 50, Seq(asked), pairs))
    val expected = new SimulationOracle(setup, batches, graph => by.map(_ => graph.toString)).expected
    val told = s"$setup, index $index, segments of $segments windows, $partitions partitions"
    assert(lines == expected.flatMap(_._1.head).sorted, told)
    assert(counters == Seq(expected.map(_._2).transpose.map(_.sum)), told)
  }

  /** Windows of another length too, which is no multiple of the slide as a rule, where the question allows for some. */
  private def panes(setup: Setup, asked: Asked, random: Random) = {
    val (window, slide) = (setup.panes.window / setup.unit, setup.panes.slide / setup.unit)
    val shorter =
      if (asked.compares || window == slide || random.nextBoolean()) Nil
      else Seq((slide + random.nextInt((window - slide).toInt)) * setup.unit)
    val all = setup.panes.copy(shorter = shorter)
    // Every pane may end a window of an event.
    if (asked.isInstanceOf[AskedAsOf]) all.copy(slide = all.length) else all
  }
}
