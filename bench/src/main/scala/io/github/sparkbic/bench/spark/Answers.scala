package io.github.sparkbic.bench.spark

import java.util.zip.CRC32

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.{bit_xor, col, count, unix_millis, xxhash64}

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

  /** Of all rows of many graphs, whatever their order, and how many rows these are. */
  def checkOfAll(answers: DataFrame): (Checks, Int) = {
    val hash = xxhash64(col("graph"), col("window.start"), col("source"), col("target"), col("connected"))
    val all = answers.agg(bit_xor(hash), count(hash)).head()
    checkOfHashes(if (all.isNullAt(0)) 0L else all.getLong(0), all.getLong(1))
  }

  /** Of hashes, exclusive-ored, of so many rows; of none there is nothing to check. */
  def checkOfHashes(all: Long, rows: Long): (Checks, Int) =
    (if (rows == 0) Map.empty else Map(0L -> crc(all)), rows.toInt)

  /** Of the rows of one window: their hashes, exclusive-ored, and their number. */
  def check(hashes: Long, rows: Long): Long = crc(hashes, rows)

  /** Over the bytes of the numbers, lowest byte first. */
  private def crc(numbers: Long*): Long = {
    val crc = new CRC32
    for (number <- numbers; shift <- 0 until 64 by 8) crc.update((number >>> shift).toInt & 0xff)
    crc.getValue
  }
}
