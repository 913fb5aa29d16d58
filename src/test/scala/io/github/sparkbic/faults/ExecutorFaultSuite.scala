package io.github.sparkbic.faults

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Faults that Spark answers by running a task again: an executor that is killed, an attempt that fails before, within
  * or after the operator.
  */
class ExecutorFaultSuite extends AnyFunSuite {
  private def asking(kinds: Seq[JobQuery]): Seq[JobQuery] =
    FaultRun.providers.zip(kinds).map { case ((provider, settings), kind) =>
      kind.copy(name = provider, settings = settings)
    }

  test("task attempts that fail before, within and after the operator: every row, each once") {
    val first = FaultRun.seed
    val queries = asking(FaultRun.kinds)
    var rounds = 0
    var places = Set.empty[String]
    // A stream with few tasks may be spared at one of the places.
    while (places != TaskFaults.Places && rounds < 5) {
      val seed = first + rounds
      val stream = new FaultStream(seed, files = 16, edgesPerFile = 40)
      info(stream.toString)
      val run = new FaultRun(stream)
      val driver = run.start(run.job(queries, "local[2,6]", TaskFaults(failing = 80, seed)))
      assert(driver.awaitEnd(900000) && driver.finished, driver.output)
      val injected = TaskFaults.lost(driver.output)
      info(s"attempts that failed: $injected")
      run.check(queries)
      run.delete()
      places ++= injected.keySet
      rounds += 1
    }
    assert(places == TaskFaults.Places)
  }

  test("executors killed, with failing tasks, in a local cluster: every row, each once") {
    val seed = FaultRun.seed
    val random = new Random(seed)
    val queries = asking(FaultRun.kinds.takeRight(FaultRun.providers.size))
    val stream = new FaultStream(seed, files = 8, edgesPerFile = 60)
    info(stream.toString)
    val run = new FaultRun(stream)
    val driver = run.start(
      run.job(queries, "local-cluster[2,1,2048]", TaskFaults(failing = 20, seed)).copy(spark =
        FaultRun.cluster
      )
    )
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
}
