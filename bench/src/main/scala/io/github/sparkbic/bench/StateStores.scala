package io.github.sparkbic.bench

/** Spark's state stores, whose classes are not public, and the conf that chooses one. */
object StateStores {
  val Conf = "spark.sql.streaming.stateStore.providerClass"

  val RocksDb = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  val HdfsBacked = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"
}
