package io.github.sparkbic.operator.block

import java.util.{Arrays, BitSet}

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException}

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

  /** Next number, number of names, and for each, by rising number: difference to the one before, length, UTF-8 bytes. */
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
      if (i > 0 && step == 0) throw new CorruptStateException(s"vertex number $number is there twice")
      val name = UTF8String.fromBytes(in.raw(in.count("the length of a vertex name")))
      if (restored.table.intern(name) != i)
        throw new CorruptStateException(s"the vertex name '$name' is there twice")
      restored.put(number, i)
    }
    restored
  }

  /** The names of a block, in the order of its vertices: how many, and of each the length and UTF-8 bytes.
    *
    * @param order their numbers in the table
    */
  def pack(names: NameTable, order: Array[Int]): Array[Byte] = {
    // The length of a name mostly takes a byte.
    val expectedBytes = order.length + names.totalBytes.toLong * order.length / math.max(1, names.size)
    pack(order.length, expectedBytes, (i, out) => names.save(order(i), out))
  }

  /** The same for names that lie elsewhere. */
  def pack(count: Int, name: Int => UTF8String): Array[Byte] =
    pack(
      count,
      16L * count,
      (i, out) => {
        val bytes = name(i).getBytes
        out.unsigned(bytes.length.toLong)
        out.raw(bytes)
      }
    )

  private def pack(count: Int, expectedBytes: Long, save: (Int, BinaryWriter) => Unit): Array[Byte] = {
    val out = new BinaryWriter(math.min(expectedBytes + 16, BinaryWriter.MaxSize.toLong).toInt)
    out.unsigned(count.toLong)
    var i = 0
    while (i < count) {
      save(i, out)
      i += 1
    }
    out.toBytes
  }
}
