package io.github.sparkbic.operator.block

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Reads names one after the other: of a block, of a part of a state, or of the dictionary of a graph.
  *
  * The bytes with which all of the names begin are there once. So `acct-1234567` takes seven bytes, and a
  * UUID takes 16, beside two bytes for each run of codes of one length.
  * [[io.github.sparkbic.index.format.StateLayout StateLayout]] draws the layout.
  *
  * @param in    stands behind the number of names
  * @param count the number of names
  */
private[block] final class PackedNames(in: BinaryReader, val count: Int) {
  private val beginning =
    if (count == 0) Array.emptyByteArray
    else in.raw(in.below(NameCodes.MostShared + 1L, "the length of what names begin with"))
  // Names that are not yet read; those of the run at hand, and the length of each behind the beginning.
  private var left = count
  private var run, length = 0

  /** Fills the batch, which becomes empty before, with the next names. Gives whether there were any. */
  def next(batch: NameBatch): Boolean = {
    batch.clear()
    while (left > 0 && !batch.isFull) {
      if (run == 0) readRun()
      batch.add(beginning, in, length)
      run -= 1
      left -= 1
    }
    (0 until batch.size).foreach { i =>
      val size = batch.lengths(i)
      if (!NameCode.isCode(batch.bytes, batch.starts(i), size))
        throw new CorruptStateException(s"the $size bytes of a vertex name are no code of a name")
    }
    batch.size > 0
  }

  private def readRun(): Unit = {
    run = in.below(left + 1L, "the number of names of one length")
    length = in.count("the length of a vertex name")
    if (run == 0 || run > 1 && length == 0)
      throw new CorruptStateException(s"$run names have $length bytes each behind what all names begin with")
  }
}

private[operator] object PackedNames {

  /** The names of a block, or those at the end of a value. */
  private[block] def of(in: BinaryReader): PackedNames =
    new PackedNames(in, in.count("the number of vertex names"))

  /** Names with these numbers in the table, in this order. */
  def toBytes(table: NameTable, order: Array[Int]): Array[Byte] = {
    // A code mostly fits in a cell.
    val expected = math.min(64 + order.length.toLong * table.codes.width, BinaryWriter.MaxSize.toLong)
    val out = new BinaryWriter(expected.toInt)
    out.unsigned(order.length.toLong)
    write(table.codes, order, out)
    out.toBytes
  }

  /** Appends names behind their number. */
  private[block] def write(codes: NameCodes, order: Array[Int], out: BinaryWriter): Unit =
    if (order.length > 0) {
      val shared = codes.sharedBytes(order)
      out.unsigned(shared.toLong)
      codes.write(order(0), 0, shared, out)
      var i = 0
      while (i < order.length) {
        val length = codes.lengthOf(order(i))
        var until = i + 1
        while (until < order.length && codes.lengthOf(order(until)) == length) until += 1
        out.unsigned(until - i.toLong)
        out.unsigned(length - shared.toLong)
        while (i < until) {
          codes.write(order(i), shared, length, out)
          i += 1
        }
      }
    }
}
