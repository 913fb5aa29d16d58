package io.github.sparkbic.faults

import java.nio.file.Files

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.operator.question.AskedPairs

/** Drivers, executors and task attempts that die at any moment, again and again: no row is lost, and none is written twice.
  *
  * `SPARK_BIC_KILLS` sets the number of kills, `SPARK_BIC_SEED` the seed.
  */
class FaultSuite extends AnyFunSuite {
  private val Kills = sys.env.get("SPARK_BIC_KILLS").fold(5)(_.toInt)

  private def asking(kinds: Seq[JobQuery]): Seq[JobQuery] =
    FaultRun.providers.zip(kinds).map { case ((provider, settings), kind) =>
      kind.copy(name = provider, settings = settings)
    }

  private def only(provider: String) =
    JobQuery("only", "parquet", "bic", FaultRun.settingsOf(provider), AskedPairs())

  private def streamOf(files: Int, edgesPerFile: Int, seed: Long = FaultRun.seed): FaultStream = {
    val stream = new FaultStream(seed, files, edgesPerFile)
    info(stream.toString)
    stream
  }

  test("task attempts that fail before, within and after the operator") {
    val first = FaultRun.seed
    val queries = asking(FaultRun.kinds)
    var places = Set.empty[String]
    // A stream with few tasks may be spared at one of the places.
    for (seed <- first until first + 5 if places != TaskFaults.Places) {
      val run = new FaultRun(streamOf(files = 16, edgesPerFile = 40, seed))
      val driver = run.finish(run.job(queries, "local[2,6]", TaskFaults(failing = 80, seed)))
      val injected = TaskFaults.lost(driver.output)
      info(s"attempts that failed: $injected")
      run.delete()
      places ++= injected.keySet
    }
    assert(places == TaskFaults.Places)
  }

  test("executors killed, with failing tasks, in a local cluster") {
    val seed = FaultRun.seed
    val random = new Random(seed)
    val queries = asking(FaultRun.kinds.takeRight(FaultRun.providers.size))
    val run = new FaultRun(streamOf(files = 8, edgesPerFile = 60, seed))
    val job = run.job(queries, "local-cluster[2,1,2048]", TaskFaults(failing = 20, seed))
    val driver = run.start(job.copy(spark = FaultRun.cluster))
    assert(driver.awaitRunning(), driver.output)
    var killed = 0
    val deadline = System.nanoTime() + 900000000000L
    while (!driver.awaitEnd(500 + random.nextInt(3000)) && System.nanoTime() < deadline)
      if (killed < 4 && driver.killExecutor(random.nextInt(_))) killed += 1
    assert(driver.finished, driver.output)
    info(s"$killed executors killed")
    assert(killed > 0)
    run.check(queries)
    run.delete()
  }

  test("a driver killed before a micro-batch without data: its windows are answered with the next edges") {
    val query = only("hdfs")
    val run = new FaultRun(streamOf(files = 4, edgesPerFile = 25))
    def finish() = run.finish(run.job(Seq(query)).copy(filesPerTrigger = 3))
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

  test(s"$Kills drivers killed at random moments, up to four queries at a time") {
    var (seed, killed, underWay, committed) = (FaultRun.seed, 0, 0, 0)
    val kinds = new Random(seed).shuffle(FaultRun.kinds).grouped(FaultRun.providers.size).toSeq
    var rounds = 0
    // Each kind of state has its round. If all queries have come to their end before the last kill, another stream follows.
    while (killed < Kills || rounds < kinds.size) {
      val roundsLeft = math.max(1, kinds.size - rounds)
      val kills = math.max(1, (Kills - killed + roundsLeft - 1) / roundsLeft)
      val round = new SoakRound(seed, kills, kinds(rounds % kinds.size))
      info(s"seed $seed: ${round.run()}")
      rounds += 1
      killed += round.killed
      underWay += round.underWay
      committed += round.committed
      seed += 1
    }
    info(s"the kills cut off a micro-batch of $underWay queries; $committed had committed some")
    assert(underWay > 0 && committed > 0)
  }
}
