package io.github.sparkbic.faults

import scala.util.Random

/** Settings of Spark and of the operator that no answer may depend on, drawn at random. */
private final class StoreSettings(random: Random) {
  private def pick[A](some: A*): A = some(random.nextInt(some.size))
  private def chance(p: Double): Boolean = random.nextDouble() < p

  private val store = "spark.sql.streaming.stateStore"
  private val providers = "org.apache.spark.sql.execution.streaming.state"
  private val layout = pick("value", "panes")
  private val rocksDb = layout == "panes" || random.nextBoolean()

  // The second format of checkpoints finds the state by what a commit tells, which must not be lost then.
  val knowsCommits: Boolean = rocksDb && chance(0.4)

  val kept: Map[String, String] = Map(
    "spark.bic.stateLayout" -> layout,
    s"$store.providerClass" ->
      s"$providers.${if (rocksDb) "RocksDBStateStoreProvider" else "HDFSBackedStateStoreProvider"}",
    s"$store.checkpointFormatVersion" -> (if (knowsCommits) "2" else "1"),
    s"$store.encodingFormat" -> (if (layout == "panes" && chance(0.25)) "avro" else "unsaferow"),
    s"$store.rowChecksum.enabled" -> pick("false", "true"),
    s"$store.compression.codec" -> pick("lz4", "zstd"),
    "spark.sql.streaming.checkpoint.fileChecksum.enabled" -> pick("true", "false"),
    "spark.sql.streaming.statefulOperator.allowMultiple" -> pick("true", "true", "false"),
    "spark.sql.streaming.multipleWatermarkPolicy" -> pick("min", "max")
  )

  def changing: Map[String, String] = Map(
    "spark.sql.shuffle.partitions" -> pick("1", "2", "3"),
    "spark.sql.streaming.noDataMicroBatches.enabled" -> pick("true", "true", "false"),
    s"$store.minDeltasForSnapshot" -> pick("1", "2", "10", "1000"),
    s"$store.maintenanceInterval" -> pick("1s", "60s"),
    s"$store.rocksdb.changelogCheckpointing.enabled" -> pick("true", "false"),
    s"$store.rocksdb.boundedMemoryUsage" -> pick("true", "false"),
    s"$store.unloadOnCommit" -> pick("false", "false", "true"),
    "spark.sql.streaming.minBatchesToRetain" -> pick("2", "100"),
    "spark.sql.streaming.maxBatchesToRetainInMemory" -> pick("0", "1", "2"),
    "spark.bic.cache.maxBytes" -> pick("0", "64m", "64m", "20k"),
    "spark.bic.cache.minBytes" -> pick("0", "0", "4k", "300"),
    "spark.sql.codegen.wholeStage" -> pick("true", "true", "false"),
    "spark.sql.streaming.numRecentProgressUpdates" -> "100000",
    "spark.sql.streaming.pollingDelay" -> "1ms"
  )
}
