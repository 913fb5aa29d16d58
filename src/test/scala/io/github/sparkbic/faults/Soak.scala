package io.github.sparkbic.faults

import scala.util.Random
import scala.util.control.NonFatal

/** Random streams, restarts and faults, for a given time: `make soak SECONDS=600 SEED=1`.
  *
  * Round number n has the seed `SEED + n`, which makes its stream, its queries and its faults, so a failed round is run
  * again alone with that seed. What a seed cannot make again is the moment, to the millisecond, at which a process died.
  */
object Soak {

  def main(args: Array[String]): Unit = {
    val seconds = args(0).toLong
    val first = if (args.length > 1 && args(1).nonEmpty) args(1).toLong else System.nanoTime()
    println(s"soak: $seconds s from seed $first")
    val end = System.nanoTime() + seconds * 1000000000L
    var seed = first
    var total = SoakRound.Faults(0, 0, 0, 0)
    while (seed == first || System.nanoTime() < end) {
      val start = System.nanoTime()
      try {
        val faults = new SoakRound(seed).run()
        total += faults
        println(s"soak: seed $seed: right, $faults, ${(System.nanoTime() - start) / 1000000} ms")
      } catch {
        case NonFatal(e) =>
          e.printStackTrace()
          println(s"soak: seed $seed FAILED; again, alone: make soak SECONDS=1 SEED=$seed")
          sys.exit(1)
      }
      seed += 1
    }
    println(s"soak: ${seed - first} rounds, all right: $total")
  }
}

/** One stream, a query on each state store, and whatever the seed makes happen to them. */
final class SoakRound(seed: Long) {
  private val random = new Random(seed)
  private val stream =
    new FaultStream(seed, files = 4 + random.nextInt(20), edgesPerFile = 5 + random.nextInt(60))
  private val isCluster = random.nextInt(5) == 0
  private val taskFaults =
    if (random.nextBoolean()) TaskFaults(random.nextInt(80), seed)
    else TaskFaults.None
  private val queries = FaultRun.providers.map { case (provider, settings) =>
    val index = if (random.nextBoolean()) "bic" else "recency"
    JobQuery(provider, if (random.nextInt(3) == 0) "delta" else "parquet", index, settings ++ cache)
  }

  private def cache: Map[String, String] =
    if (random.nextInt(3) == 0) Map("spark.bic.cache.maxBytes" -> "0")
    else Map("spark.bic.cache.maxBytes" -> "64m")

  def run(): SoakRound.Faults = {
    println(s"soak: $stream, ${queries.map(q => s"${q.name}/${q.index}/${q.format}").mkString(", ")}, " +
      s"${if (isCluster) "local cluster, " else ""}$taskFaults")
    val run = new FaultRun(stream)
    val kills = random.nextInt(5)
    var killed = 0
    var executors = 0
    var starts = 0
    var attempts = 0
    var finished = false
    while (!finished) {
      val job = run.job(
        queries,
        if (isCluster) "local-cluster[2,1,2048]" else s"local[${1 + random.nextInt(4)},6]",
        taskFaults
      )
      val driver = run.start(job.copy(
        filesPerTrigger = 1 + random.nextInt(4),
        shufflePartitions = 1 + random.nextInt(3),
        spark = if (isCluster) FaultRun.cluster else Map.empty
      ))
      starts += 1
      driver.awaitRunning()
      if (killed < kills) {
        finished = driver.awaitEnd((random.nextDouble() * 4000).toLong)
        if (!finished) killed += 1
      } else {
        val deadline = System.nanoTime() + 900000000000L
        while (!driver.awaitEnd(1000 + random.nextInt(3000)) && System.nanoTime() < deadline)
          if (isCluster && executors < 3 && driver.killExecutor(random.nextInt(_))) executors += 1
        finished = true
      }
      attempts += TaskFaults.lost(driver.output).values.sum
      val over = driver.awaitEnd(0)
      if (!over) driver.kill()
      if (finished && !(over && driver.finished))
        throw new AssertionError(
          s"$stream: a driver ended badly; see ${run.folder}\n${driver.output.takeRight(4000)}"
        )
    }
    run.check(queries)
    run.delete()
    SoakRound.Faults(starts - 1, killed, executors, attempts)
  }
}

object SoakRound {

  /** What was done to a round. */
  final case class Faults(restarts: Int, driversKilled: Int, executorsKilled: Int, attemptsFailed: Int) {
    def +(other: Faults): Faults = Faults(
      restarts + other.restarts,
      driversKilled + other.driversKilled,
      executorsKilled + other.executorsKilled,
      attemptsFailed + other.attemptsFailed
    )

    override def toString: String =
      s"$restarts restarts, $driversKilled drivers and $executorsKilled executors killed, $attemptsFailed task attempts failed"
  }
}
