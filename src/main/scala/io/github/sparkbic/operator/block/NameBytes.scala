package io.github.sparkbic.operator.block

import org.apache.spark.unsafe.Platform

/** Hashes ranges of bytes, without allocation. */
private[operator] object NameBytes {

  /** Folds the halves of a 128-bit product for each sixteen bytes; the last sixteen bytes may be a part of two products. A
    * factor of zero would hide the other factor, so the secret seed is part of both.
    */
  def hash(array: Array[Byte], from: Int, length: Int, seed: Long): Long = {
    val begin = Platform.BYTE_ARRAY_OFFSET + from.toLong
    val end = begin + length
    var h = (java.lang.Long.rotateLeft(seed, 32) + length) * 0x9e3779b97f4a7c15L
    var a = 0L
    var b = 0L
    if (length >= 16) {
      var at = begin
      while (end - at > 16) {
        h = fold(Platform.getLong(array, at) ^ seed, Platform.getLong(array, at + 8) ^ h)
        at += 16
      }
      a = Platform.getLong(array, end - 16)
      b = Platform.getLong(array, end - 8)
    } else if (length >= 8) {
      a = Platform.getLong(array, begin)
      b = Platform.getLong(array, end - 8)
    } else if (length >= 4) {
      a = Platform.getInt(array, begin).toLong
      b = Platform.getInt(array, end - 4).toLong
    } else if (length > 0) {
      a = array(from).toLong
      b = ((array(from + (length >> 1)) & 0xff) << 8 | (array(from + length - 1) & 0xff)).toLong
    }
    h = fold(a ^ seed, b ^ h)
    h = (h ^ (h >>> 32)) * 0xd6e8feb86659fd93L
    h ^ (h >>> 32)
  }

  private def fold(a: Long, b: Long): Long = a * b ^ Math.multiplyHigh(a, b)
}
