package io.github.sparkbic.operator.block

import java.util.{Arrays, BitSet}

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException, FormatVersion}

/** Numbers vertices that are named by strings, exactly: by a dictionary, not by a hash of the string.
  *
  * Numbers rise and are not used again, so a forest that holds numbers stays right when names are forgotten. They are
  * kept beside the [[NameTable]], whose own numbers are positions in here; a number is found by where it would be if no
  * name had been forgotten, and else by bisection. Eight bytes a name more than the table. Not thread safe.
  */
private[operator] final class VertexNames {
  private var table = new NameTable
  // By position, rising.
  private var numbers = new Array[Long](16)
  private var numbered = 0
  private var nextNumber = 0L

  def size: Int = table.size

  /** The numbers of the names that [[VertexNames.pack]] wrote, in their order. */
  def internAll(packed: Array[Byte]): Array[Long] = {
    val in = new BinaryReader(packed)
    val found = new Array[Long](in.count("the number of vertex names"))
    table.reserve(found.length)
    val batch = new NameBatch
    var i = 0
    while (i < found.length) {
      batch.clear()
      while (i + batch.size < found.length && !batch.isFull) {
        val length = in.count("the length of a name")
        batch.add(packed, in.skip(length), length)
      }
      table.internAll(batch)
      // New names have the numbers that follow, in the order in which they came.
      while (numbered < table.size) putNext(numbered)
      var j = 0
      while (j < batch.size) {
        found(i + j) = numbers(batch.numbers(j))
        j += 1
      }
      i += batch.size
    }
    found
  }

  def find(name: UTF8String): Option[Long] = {
    val position = table.find(name)
    Option.when(position >= 0)(numbers(position))
  }

  /** Whether a name has this number. */
  def holds(number: Long): Boolean = positionOf(number) >= 0

  /** The name with this number, which must be held. */
  def name(number: Long): UTF8String = table.name(positionOf(number))

  /** As the names with these numbers compare, which must be held. */
  def compare(a: Long, b: Long): Int = table.compare(positionOf(a), positionOf(b))

  /** The names with these numbers, which must be held, as [[VertexNames.pack]] writes them. */
  def packed(numbers: Array[Long]): Array[Byte] = VertexNames.pack(table, numbers.map(positionOf(_)))

  /** Forgets all names but those for which `live` runs its argument. */
  def retain(live: (Long => Unit) => Unit): Unit = {
    val kept = new BitSet(size)
    live(number => kept.set(positionOf(number)))
    if (kept.cardinality < size) {
      val (oldTable, oldNumbers) = (table, numbers)
      table = new NameTable(expected = kept.cardinality)
      numbers = new Array[Long](math.max(16, kept.cardinality))
      numbered = 0
      var position = kept.nextSetBit(0)
      while (position >= 0) {
        put(oldNumbers(position), table.intern(oldTable, position))
        position = kept.nextSetBit(position + 1)
      }
    }
  }

  /** Next number, number of names, and for each, by rising number: difference to the one before, and
    * the length of its code ([[NameCode]]) and the code.
    */
  def save(out: BinaryWriter): Unit = {
    out.unsigned(nextNumber)
    out.unsigned(size.toLong)
    var previous = 0L
    var position = 0
    while (position < size) {
      out.unsigned(numbers(position) - previous)
      table.save(position, out)
      previous = numbers(position)
      position += 1
    }
  }

  private def putNext(position: Int): Unit = {
    put(nextNumber, position)
    nextNumber += 1
  }

  private def put(number: Long, position: Int): Unit = {
    if (position == numbers.length) numbers = Arrays.copyOf(numbers, 2 * position)
    numbers(position) = number
    numbered = position + 1
  }

  /** Negative if there is none. */
  private def positionOf(number: Long): Int = {
    val guess = number - numbers(0)
    if (guess >= 0 && guess < size && numbers(guess.toInt) == number) guess.toInt
    else Arrays.binarySearch(numbers, 0, size, number)
  }
}

private[operator] object VertexNames {

  def restore(in: BinaryReader): VertexNames = {
    val coded = in.version >= FormatVersion.WithCodes
    val restored = new VertexNames
    restored.nextNumber = in.unsigned()
    var number = 0L
    val count = in.count("the number of vertex names")
    restored.table.reserve(count)
    (0 until count).foreach { i =>
      val step = in.unsigned()
      number += step
      if (number < 0 || number >= restored.nextNumber)
        throw new CorruptStateException(s"vertex number $number is not below ${restored.nextNumber}")
      if (i > 0 && step <= 0) throw new CorruptStateException("the vertex numbers are not in rising order")
      val saved = in.raw(in.count("the length of a vertex name"))
      if (coded) requireCode(saved, 0, saved.length)
      val code = if (coded) saved else NameCode.of(UTF8String.fromBytes(saved))
      if (restored.table.intern(code) != i) {
        val name = NameCode.decoded(code, 0, code.length)
        throw new CorruptStateException(s"the vertex name '$name' is there twice")
      }
      restored.put(number, i)
    }
    restored
  }

  /** The names of a block, in the order of its vertices: how many, and of each the length of its code ([[NameCode]]) and
    * the code.
    *
    * @param order their numbers in the table
    */
  def pack(names: NameTable, order: Array[Int]): Array[Byte] = {
    // The length of a name mostly takes a byte.
    val expectedBytes = order.length + names.totalBytes.toLong * order.length / math.max(1, names.size)
    val out = new BinaryWriter(math.min(expectedBytes + 16, BinaryWriter.MaxSize.toLong).toInt)
    out.unsigned(order.length.toLong)
    var i = 0
    while (i < order.length) {
      names.save(order(i), out)
      i += 1
    }
    out.toBytes
  }

  /** What [[pack]] wrote, to the end of a state: checked, as it need not be what was written, and in codes.
    *
    * @param positions of which each must be that of a name
    */
  def readPacked(state: BinaryReader, positions: Array[Long]): Array[Byte] = {
    val coded = state.version >= FormatVersion.WithCodes
    val saved = state.raw(state.remaining)
    val in = new BinaryReader(saved)
    val out = if (coded) null else new BinaryWriter(saved.length)
    val count = in.count("the number of vertex names")
    if (!coded) out.unsigned(count.toLong)
    (0 until count).foreach { _ =>
      val length = in.count("the length of a vertex name")
      val from = in.skip(length)
      if (coded) requireCode(saved, from, length)
      else {
        val code = NameCode.of(UTF8String.fromBytes(saved, from, length))
        out.unsigned(code.length.toLong)
        out.raw(code)
      }
    }
    in.expectEnd()
    positions.find(p => p < 0 || p >= count).foreach { position =>
      throw new CorruptStateException(s"vertex $position of $count has no name")
    }
    if (coded) saved else out.toBytes
  }

  private def requireCode(bytes: Array[Byte], from: Int, length: Int): Unit =
    if (!NameCode.isCode(bytes, from, length))
      throw new CorruptStateException(s"the $length bytes of a vertex name are no code of one")
}
