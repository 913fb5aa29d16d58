package io.github.sparkbic.bench

/** Spark's state stores and ways to write a checkpoint, whose classes are not public, and the confs that choose one. */
object StateStores {
  val Conf = "spark.sql.streaming.stateStore.providerClass"

  val RocksDb = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  val HdfsBacked = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"

  /** By Hadoop's older interface, which starts fewer processes for a file where Hadoop's native library is missing. */
  val ByFiles: Map[String, String] = Map(
    "spark.sql.streaming.checkpointFileManagerClass" ->
      "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
  )
}
