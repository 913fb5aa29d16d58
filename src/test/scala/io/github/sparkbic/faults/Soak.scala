package io.github.sparkbic.faults

import scala.util.Random

/** Random streams, restarts and faults: `make soak SECONDS=600`. The seed of a round makes its stream, its queries and its
  * faults.
  */
object Soak {
  def main(args: Array[String]): Unit =
    Rounds.run("soak", args)(seed => new SoakRound(seed, kills = new Random(seed).nextInt(5)).run())
}

/** One stream, a query on each state store and layout, and whatever the seed makes happen to them: drivers that are killed
  * at any moment, attempts that fail, executors that are lost. No two queries have one kind of state. Each start changes what
  * Spark allows to change: the number of cores, how many files make a micro-batch, and `spark.sql.shuffle.partitions`,
  * which has no effect any more.
  */
final class SoakRound(seed: Long, kills: Int, kinds: Seq[JobQuery] = FaultRun.kinds) {
  private val random = new Random(seed)
  private val stream =
    new FaultStream(seed, files = 10 + random.nextInt(30), edgesPerFile = 5 + random.nextInt(60))
  private val isCluster = random.nextInt(5) == 0
  private val taskFaults =
    if (random.nextBoolean()) TaskFaults(random.nextInt(80), seed)
    else TaskFaults.None
  private val queries = random.shuffle(kinds).zip(random.shuffle(FaultRun.providers)).zipWithIndex.map {
    case ((kind, (provider, settings)), i) =>
      val index = if (kind.asked.needsRecency || random.nextBoolean()) "recency" else "bic"
      val format = if (i % 2 == 0) "delta" else "parquet"
      kind.copy(provider, format, index, settings ++ cache)
  }
  private val files = new FaultRun(stream)

  private def cache: Map[String, String] =
    Map("spark.bic.cache.maxBytes" -> (if (random.nextInt(3) == 0) "0" else "64m"))

  /** Drivers that were killed; at these moments, queries whose micro-batch was cut off, and queries that had committed. */
  var (killed, underWay, committed) = (0, 0, 0)

  def run(): String = {
    println(s"soak: $stream, ${queries.map(q => s"${q.name}/${q.index}/${q.format}").mkString(", ")}, " +
      s"${if (isCluster) "local cluster, " else ""}$taskFaults")
    var (executors, starts, attempts) = (0, 0, 0)
    var ended = false
    while (!ended) {
      val driver = start()
      starts += 1
      if (killed < kills) {
        awaitCommit(driver)
        // Before the first micro-batch, in it, between its commits, or some micro-batches later.
        ended = driver.awaitEnd((random.nextDouble() * 2500).toLong)
        if (!ended) kill(driver)
      } else {
        val deadline = System.nanoTime() + 900000000000L
        while (!driver.awaitEnd(1000 + random.nextInt(3000)) && System.nanoTime() < deadline)
          if (isCluster && executors < 3 && driver.killExecutor(random.nextInt(_))) executors += 1
        ended = true
      }
      attempts += TaskFaults.lost(driver.output).values.sum
      if (ended && !driver.finished) {
        driver.kill()
        throw new AssertionError(
          s"$stream: a driver ended badly; see ${files.folder}\n${driver.output.takeRight(4000)}"
        )
      }
    }
    files.check(queries)
    files.delete()
    s"${starts - 1} restarts, $killed drivers and $executors executors killed, $attempts task attempts failed"
  }

  private def start(): ChildDriver = {
    val master = if (isCluster) "local-cluster[2,1,2048]" else s"local[${1 + random.nextInt(4)},6]"
    val driver = files.start(files.job(queries, master, taskFaults).copy(
      filesPerTrigger = 1 + random.nextInt(4),
      shufflePartitions = 1 + random.nextInt(3),
      spark = if (isCluster) FaultRun.cluster else Map.empty
    ))
    if (!driver.awaitRunning())
      throw new AssertionError(s"$stream: no query runs\n${driver.output.takeRight(4000)}")
    driver
  }

  /** The first micro-batch takes longer than any later one: most of the drivers live until one of their queries, any of
    * them, has committed one more. Else all would die in their first, and none would ever read a state.
    */
  private def awaitCommit(driver: ChildDriver): Unit = if (random.nextInt(4) > 0) {
    val query = queries(random.nextInt(queries.size))
    val before = files.lastIn(query, "commits")
    val deadline = System.nanoTime() + 900000000000L
    while (files.lastIn(query, "commits") == before && !driver.awaitEnd(10))
      if (System.nanoTime() > deadline)
        throw new AssertionError(s"$stream: no commit\n${driver.output.takeRight(4000)}")
  }

  private def kill(driver: ChildDriver): Unit = {
    driver.kill()
    killed += 1
    underWay += queries.count(query => files.lastIn(query, "offsets") > files.lastIn(query, "commits"))
    committed += queries.count(query => files.lastIn(query, "commits") >= 0)
  }
}
