package io.github.sparkbic.faults

import java.nio.file.Files

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.operator.question.AskedPairs

/** A driver that is killed at any moment, again and again, loses no row and writes none twice; [[SoakRound]].
  *
  * `SPARK_BIC_KILLS` sets the number of kills, `SPARK_BIC_SEED` the seed.
  */
class DriverKillSuite extends AnyFunSuite {
  private val Kills = sys.env.get("SPARK_BIC_KILLS").fold(5)(_.toInt)

  test("killed while it logged the first micro-batch: it starts over") {
    val query = JobQuery("only", "parquet", "bic", FaultRun.settingsOf("panes"), AskedPairs())
    val run = new FaultRun(new FaultStream(FaultRun.seed, files = 4, edgesPerFile = 25))
    val offsets = Files.createDirectories(run.folder.resolve(s"${query.name}/checkpoint/offsets"))
    Files.writeString(offsets.resolve(".0.6e1d6a1e-93c5-4a0e-8c61-6b0a4c1d2f3e.tmp"), "v1")
    val driver = run.start(run.job(Seq(query)))
    assert(driver.awaitEnd(900000) && driver.finished, driver.output)
    run.check(Seq(query))
    run.delete()
  }

  test("killed before a micro-batch without data: its windows are answered with the next edges") {
    val query = JobQuery("only", "parquet", "bic", FaultRun.settingsOf("hdfs"), AskedPairs())
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

  test(s"$Kills kills at random moments, up to four queries at a time: every row, each once") {
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
