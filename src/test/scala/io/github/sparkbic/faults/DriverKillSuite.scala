package io.github.sparkbic.faults

import java.nio.file.Files

import scala.collection.compat._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** A driver that is killed at any moment, again and again, loses no row and writes none twice.
  *
  * Four queries run in it at once over the same files: one on each state store, and one that keeps its state by panes.
  * They write to parquet and Delta Lake. Rows of two of them come early. Each start changes what Spark allows to
  * change: the number of cores, how many files make a
  * micro-batch, and `spark.sql.shuffle.partitions`, which has no effect any more. If all have come to their end before
  * the last kill, others follow, over another stream.
  *
  * `SPARK_BIC_KILLS` sets the number of kills, `SPARK_BIC_SEED` the seed.
  */
class DriverKillSuite extends AnyFunSuite {
  private val Kills = sys.env.get("SPARK_BIC_KILLS").fold(5)(_.toInt)

  test("killed while it logged the first micro-batch: it starts over") {
    val query = JobQuery("only", "parquet", "bic", FaultRun.settingsOf("panes"))
    val run = new FaultRun(new FaultStream(FaultRun.seed, files = 4, edgesPerFile = 25))
    val offsets = Files.createDirectories(run.folder.resolve(s"${query.name}/checkpoint/offsets"))
    Files.writeString(offsets.resolve(".0.6e1d6a1e-93c5-4a0e-8c61-6b0a4c1d2f3e.tmp"), "v1")
    val driver = run.start(run.job(Seq(query)))
    assert(driver.awaitEnd(900000) && driver.finished, driver.output)
    run.check(Seq(query))
    run.delete()
  }

  test("killed before a micro-batch without data: its windows are answered with the next edges") {
    val query = JobQuery("only", "parquet", "bic", FaultRun.settingsOf("hdfs"))
    val run = new FaultRun(new FaultStream(FaultRun.seed, files = 4, edgesPerFile = 25))
    def finish(): Unit = {
      val driver = run.start(run.job(Seq(query)).copy(filesPerTrigger = 3))
      assert(driver.awaitEnd(900000) && driver.finished, driver.output)
      run.check(Seq(query))
    }
    finish()
    val last = run.lastIn(query, "commits")
    assert(last == 2, "two micro-batches of three files each, and one without data")
    Seq("checkpoint/offsets", "checkpoint/commits", "sink/_spark_metadata").foreach { log =>
      Files.delete(run.folder.resolve(s"${query.name}/$log/$last"))
      Files.deleteIfExists(run.folder.resolve(s"${query.name}/$log/.$last.crc"))
    }
    finish()
    run.delete()
  }

  test(s"$Kills kills at random moments, four queries at a time: every row, each once") {
    val seed = FaultRun.seed
    val random = new Random(seed)
    val kinds = random.shuffle(Seq("bic" -> false, "recency" -> false, "recency" -> true, "recency" -> true))
    val queries = FaultRun.providers.zip(Seq("delta", "parquet", "delta", "parquet")).zip(kinds).map {
      case (((provider, settings), format), (index, early)) =>
        JobQuery(s"$provider-$format", format, index, settings, early)
    }
    var streams = 0
    var kills = 0
    var underWay = 0
    var committed = 0
    while (kills < Kills) {
      val stream = new FaultStream(seed + streams, files = 40, edgesPerFile = 25)
      streams += 1
      info(stream.toString)
      val run = new FaultRun(stream)
      var ended = false
      while (!ended && kills < Kills) {
        val job = run.job(queries, s"local[${1 + random.nextInt(4)}]").copy(
          filesPerTrigger = 1 + random.nextInt(3),
          shufflePartitions = 1 + random.nextInt(3)
        )
        // The first micro-batch takes longer than any later one: most of the drivers live until one of their queries, any of
        // them, has committed one more, or else all would die in their first, and none would ever read a state.
        val awaited = Option.when(random.nextInt(4) > 0)(queries(random.nextInt(queries.size)))
          .map(query => query -> run.lastIn(query, "commits"))
        val driver = run.start(job)
        assert(driver.awaitRunning(), driver.output)
        awaited.foreach { case (query, before) =>
          val deadline = System.nanoTime() + 900000000000L
          while (run.lastIn(query, "commits") == before && !driver.awaitEnd(10))
            assert(System.nanoTime() < deadline, driver.output)
        }
        // Before the first micro-batch, in it, between its commits, or some micro-batches later.
        ended = driver.awaitEnd((random.nextDouble() * 2500).toLong)
        if (ended) assert(driver.finished, driver.output)
        else {
          driver.kill()
          kills += 1
          underWay += queries.count(query => run.lastIn(query, "offsets") > run.lastIn(query, "commits"))
          committed += queries.count(query => run.lastIn(query, "commits") >= 0)
        }
      }
      if (!ended) {
        val last = run.start(run.job(queries).copy(filesPerTrigger = 5))
        assert(last.awaitEnd(900000) && last.finished, last.output)
      }
      run.check(queries)
      run.delete()
    }
    info(s"$kills kills, which cut off a micro-batch of $underWay queries; $committed had committed some")
    assert(underWay > 0 && committed > 0)
  }
}
