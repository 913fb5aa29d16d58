package io.github.sparkbic.bench.state

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}

/** What the state costs a micro-batch: `cache` shows what keeping graphs alive between micro-batches saves. */
object Main {
  private val RocksDb = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  def main(arguments: Array[String]): Unit = {
    val spark = SparkSession.builder().master("local[2]").appName("bench-state")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.shuffle.partitions", "1")
      .config("spark.sql.streaming.noDataMicroBatches.enabled", "false")
      .config("spark.sql.streaming.stateStore.providerClass", RocksDb)
      .getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    val classic = spark.asInstanceOf[ClassicSession]
    try
      arguments.toSeq match {
        case Seq() | Seq("cache") => cache(classic)
        case other =>
          System.err.println(s"error: unknown experiment ${other.mkString(" ")}; there is: cache")
          sys.exit(1)
      }
    finally spark.stop()
  }

  private def cache(spark: ClassicSession): Unit = {
    println(
      "| index | live vertices | state, MB | cache | micro-batch, ms | range | index, ms | state, ms | restored |"
    )
    println("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for {
      index <- Seq("recency", "bic")
      cache <- Seq(true, false)
    } {
      val confs = if (cache) Map.empty[String, String] else Map("spark.bic.cache.maxBytes" -> "0")
      val cost =
        new MicroBatches(
          spark,
          Setting(index, 1L << 20, 100000, 20, sparse = false, confs)
        ).measure(batches = 9)
      println(
        f"| $index | ${cost.liveVertices} | ${cost.stateBytes / 1e6}%.1f | ${if (cache) "on" else "off"} | " +
          f"${cost.wholeMs}%.0f | ${cost.fastestMs}%.0f–${cost.slowestMs}%.0f | ${cost.indexMs}%.0f | " +
          f"${cost.stateMs}%.0f | ${cost.restored} |"
      )
    }
  }
}
