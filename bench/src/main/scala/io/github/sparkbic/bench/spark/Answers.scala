package io.github.sparkbic.bench.spark

import java.util.zip.CRC32

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.{bit_xor, col, unix_millis, xxhash64}

/** Answers as one checksum a window, to be compared between systems: over one byte a pair, in the order of the pairs. */
object Answers {

  /** The start of a window, in milliseconds, and the checksum of its answers. */
  type Checks = Map[Long, Long]

  /** Start of the window, source, target, connected. */
  def rows(answers: DataFrame): DataFrame =
    answers.select(unix_millis(col("window.start")), col("source"), col("target"), col("connected"))

  def checks(rows: Iterable[Row], pairs: Array[(Long, Long)]): Checks =
    rows.groupBy(_.getLong(0)).map { case (start, answered) =>
      require(
        answered.size == pairs.length,
        s"${answered.size} answers for ${pairs.length} pairs in window $start"
      )
      val connected = answered.map(r => (r.getLong(1), r.getLong(2)) -> r.getBoolean(3)).toMap
      start -> check(pairs.map(connected))
    }

  def check(connected: Array[Boolean]): Long = {
    val crc = new CRC32
    connected.foreach(c => crc.update(if (c) 1 else 0))
    crc.getValue
  }

  /** Of all rows of many graphs, whatever their order. */
  def checkOfAll(answers: DataFrame): Checks = {
    val hash = xxhash64(col("graph"), col("window.start"), col("source"), col("target"), col("connected"))
    val crc = new CRC32
    val all = answers.agg(bit_xor(hash)).head().getLong(0)
    (0 until 64 by 8).foreach(shift => crc.update((all >>> shift).toInt & 0xff))
    Map(0L -> crc.getValue)
  }
}
