package io.github.sparkbic.operator.block

import java.util.{BitSet, HashMap => JHashMap}

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.contract.{EdgeSet, WindowComponents}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Numbers vertices that are strings, exactly: by a dictionary, not by a hash of the string.
  * Numbers rise and are never reused, so a forest of numbers stays right when other names are forgotten. The number in the
  * [[NameTable]] is the position of a name here, and the numbers of this class lie beside the table ([[RisingNumbers]]).
  * Not thread safe.
  *
  * @param panes of a dictionary of blocks: it is forgotten after as many
  */
private[operator] final class VertexNames(panes: Int = Int.MaxValue) extends VertexIds {
  private var table = new NameTable
  // By position.
  private var numbers = new RisingNumbers
  private var nextNumber = 0L
  // Those that a later block may extend, by number.
  private val dictionaries = new JHashMap[java.lang.Long, Dictionary]
  // The pane of the last block with a dictionary.
  private var lastPane = Long.MinValue
  // Names that the last sweep kept.
  private var retained = 0
  override def size: Int = table.size

  override def edgeSet(block: PackedBlock): EdgeSet =
    if (block.dictionary == 0) super.edgeSet(block)
    else {
      if (block.pane != lastPane) {
        lastPane = block.pane
        dictionaries.values.removeIf(_.isOver(panes, lastPane))
      }
      val dictionary = dictionaries.computeIfAbsent(block.dictionary, _ => new Dictionary(lastPane))
      dictionary.append(internAll(block.names))
      EdgeSets.fromBytes(block.edgeSet).renumbered(dictionary.numbers)
    }

  override def named(edges: EdgeSet, packed: Array[Byte]): EdgeSet = edges.renumbered(internAll(packed))

  /** The numbers of names in the bytes of [[VertexNames.pack]], in their order. */
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
      // New names get the next numbers, in the order of their arrival.
      while (numbers.size < table.size) {
        numbers.append(nextNumber)
        nextNumber += 1
      }
      var j = 0
      while (j < batch.size) {
        found(i + j) = numbers(batch.numbers(j))
        j += 1
      }
      i += batch.size
    }
    found
  }

  override def find(vertices: Array[_]): Array[Long] =
    vertices.map(vertex => idOf(UTF8String.fromBytes(vertex.asInstanceOf[Array[Byte]])))

  override def idOf(name: UTF8String): Long = {
    val position = table.find(name)
    if (position >= 0) numbers(position) else -1L
  }

  override def isKnown(number: Long): Boolean = numbers.positionOf(number) >= 0

  /** The name with this number, which must be held. */
  def name(number: Long): UTF8String = table.name(numbers.positionOf(number))
  override def value(number: Long): Any = name(number).getBytes
  override def compare(a: Long, b: Long): Int = table.compare(numbers.positionOf(a), numbers.positionOf(b))

  override def smallest(found: WindowComponents): Array[Long] = {
    val names = Array.fill(found.components)(-1L)
    // The first bytes mostly decide, so that the smallest name so far is not read again.
    val prefixes = table.prefixes
    val smallest = new Array[Long](found.components)
    var place = 1
    while (place < found.places) {
      val c = found.componentOf(place)
      if (c >= 0) {
        val vertex = found.vertex(place)
        // A vertex that is alone needs no comparison.
        val prefix = if (found.size(c) == 1) 0L else prefixes(numbers.positionOf(vertex))
        if (names(c) < 0 || prefix < smallest(c) || prefix == smallest(c) && compare(vertex, names(c)) < 0) {
          names(c) = vertex
          smallest(c) = prefix
        }
      }
      place += 1
    }
    names
  }

  override def column(vertices: Array[Long]): AnyRef = {
    // This loop also prefetches the names that the next loop copies.
    val positions, lengths = new Array[Int](vertices.length)
    var i = 0
    while (i < vertices.length) {
      if (i > 0 && vertices(i) == vertices(i - 1)) lengths(i) = NameColumn.Repeated
      else if (vertices(i) >= 0) {
        positions(i) = numbers.positionOf(vertices(i))
        lengths(i) = table.nameLength(positions(i))
      }
      i += 1
    }
    val column = NameColumn.sized(lengths)
    i = 0
    while (i < vertices.length) {
      if (lengths(i) > 0) table.write(positions(i), column, NameColumn.start(column, i))
      i += 1
    }
    column
  }

  override def packed(ids: => Array[Long]): Option[Array[Byte]] =
    Some(VertexNames.pack(table, ids.map(numbers.positionOf(_))))

  override def unpacked(state: BinaryReader, positions: Array[Long]): Array[Long] = {
    val found = internAll(VertexNames.readPacked(state, positions))
    positions.map(position => found(position.toInt))
  }

  /** Forgets all names that neither `live` visits nor a later block may use. */
  override def retain(live: (Long => Unit) => Unit): Unit = {
    val kept = new BitSet(size)
    val keep = (number: Long) => kept.set(numbers.positionOf(number))
    live(keep)
    dictionaries.values.forEach(_.foreach(keep))
    if (kept.cardinality < size) {
      val (oldTable, oldNumbers) = (table, numbers)
      table = new NameTable
      table.reserve(kept.cardinality)
      numbers = new RisingNumbers
      var position = kept.nextSetBit(0)
      while (position >= 0) {
        table.intern(oldTable, position)
        numbers.append(oldNumbers(position))
        position = kept.nextSetBit(position + 1)
      }
    }
  }

  override def retainIfGrown(few: Int, most: Long = Long.MaxValue)(live: (Long => Unit) => Unit): Unit =
    if (size > few && size / 2 > math.min(retained.toLong, most)) {
      retain(live)
      retained = size
    }

  override def save(out: BinaryWriter): Unit = {
    out.unsigned(nextNumber)
    out.unsigned(size.toLong)
    var position = 0
    while (position < size) {
      out.unsigned(numbers(position) - (if (position == 0) 0L else numbers(position - 1)))
      table.save(position, out)
      position += 1
    }
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
        fail(s"vertex number $number is not below ${restored.nextNumber}")
      if (i > 0 && step <= 0) fail("the vertex numbers are not in rising order")
      val code = in.raw(in.count("the length of a vertex name"))
      requireCode(code, 0, code.length)
      if (restored.table.intern(code) != i)
        fail(s"the vertex name '${NameCode.decoded(code, 0, code.length)}' is there twice")
      restored.numbers.append(number)
    }
    restored
  }

  /** @param order numbers of names in the table */
  def pack(names: NameTable, order: Array[Int]): Array[Byte] = {
    // The length of a name mostly takes one byte.
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

  /** The bytes of [[pack]], at the end of a state, checked.
    * @param positions positions that must have a name
    */
  def readPacked(state: BinaryReader, positions: Array[Long]): Array[Byte] = {
    val packed = state.raw(state.remaining)
    val in = new BinaryReader(packed)
    val count = in.count("the number of vertex names")
    (0 until count).foreach { _ =>
      val length = in.count("the length of a vertex name")
      requireCode(packed, in.skip(length), length)
    }
    in.expectEnd()
    positions.find(p => p < 0 || p >= count).foreach(p => fail(s"vertex $p of $count has no name"))
    packed
  }

  private def requireCode(bytes: Array[Byte], from: Int, length: Int): Unit =
    if (!NameCode.isCode(bytes, from, length))
      fail(s"the $length bytes of a vertex name are no code of a name")

  private def fail(violation: String): Unit = throw new CorruptStateException(violation)
}
