package io.github.sparkbic.operator.block

import java.util.{Arrays, BitSet, HashMap => JHashMap}

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.contract.{EdgeSet, WindowComponents}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.kernels.Prefetch

/** Numbers vertices that are strings, exactly: by a dictionary, not by a hash of the string.
  * The id of a vertex is the number of its name in the [[NameTable]], as long as the name is held. A forgotten name leaves
  * its number to another name, so whoever keeps an id has [[retain]] visit it. Not thread safe.
  *
  * @param panes of a dictionary of blocks: it is forgotten after as many
  */
private[operator] final class VertexNames(panes: Int = Int.MaxValue) extends VertexIds {
  private val table = new NameTable
  private val codes = table.codes
  // Those that a later block may extend, by number.
  private val dictionaries = new JHashMap[java.lang.Long, Dictionary]
  // The pane of the last block with a dictionary.
  private var lastPane = Long.MinValue
  // Names that the last sweep kept.
  private var retained = 0

  /** The number of names held. */
  def size: Int = table.size

  override def edgeSet(block: PackedBlock): EdgeSet = {
    val numbers = internAll(new BinaryReader(block.names))
    val ofNames = if (block.dictionary == PackedBlock.OwnNames) numbers else appended(block, numbers)
    EdgeSets.fromBytes(block.edgeSet).renumbered(ofNames)
  }

  /** The numbers of all names in the dictionary of a block, whose own names have these `numbers`. */
  private def appended(block: PackedBlock, numbers: Array[Long]): Array[Long] = {
    if (block.pane != lastPane) {
      lastPane = block.pane
      dictionaries.values.removeIf(_.isOver(panes, lastPane)): Unit
    }
    val dictionary = dictionaries.computeIfAbsent(block.dictionary, _ => new Dictionary(lastPane))
    dictionary.append(numbers)
    dictionary.numbers
  }

  override def named(edges: EdgeSet, names: BinaryReader): EdgeSet =
    edges.renumbered(internAll(names, EdgeSets.foreachVertex(edges)))

  /** The numbers of names in the bytes of [[PackedNames.toBytes]], in their order.
    * @param in        ends with the names
    * @param positions visits the positions that must have a name
    */
  def internAll(in: BinaryReader, positions: (Long => Unit) => Unit = _ => ()): Array[Long] = {
    val names = PackedNames.of(in)
    val found = new Array[Long](names.count)
    table.reserve(found.length)
    val batch = new NameBatch
    var i = 0
    while (names.next(batch)) {
      table.internAll(batch)
      var j = 0
      while (j < batch.size) {
        found(i + j) = batch.numbers(j).toLong
        j += 1
      }
      i += batch.size
    }
    in.expectEnd()
    positions { p =>
      if (p < 0 || p >= found.length) VertexNames.fail(s"vertex $p of ${found.length} has no name")
    }
    found
  }

  override def find(vertices: Array[_]): Array[Long] =
    vertices.map(vertex => idOf(UTF8String.fromBytes(vertex.asInstanceOf[Array[Byte]])))

  override def idOf(name: UTF8String): Long = table.find(name).toLong

  override def isKnown(number: Long): Boolean = codes.holds(number)

  /** The name with this number, which must be held. */
  def name(number: Long): UTF8String = codes.name(number.toInt)
  override def value(number: Long): Any = name(number).getBytes
  override def compare(a: Long, b: Long): Int = codes.compare(a.toInt, b.toInt)

  override def smallest(found: WindowComponents): Array[Long] = {
    // Of each component the smallest name so far: four bytes of it, and its number. The bytes mostly decide, so that the
    // smallest name so far is not read again.
    val smallest = new Array[Long](found.components)
    Arrays.fill(smallest, Long.MaxValue)
    var block = 1
    while (block < found.places) {
      val until = math.min(found.places, block + NameCodes.Block)
      var read = 0L
      var place = block
      while (place < until) {
        val c = found.componentOf(place)
        if (c >= 0) read ^= smallest(c)
        place += 1
      }
      Prefetch.keep(read)
      place = block
      while (place < until) {
        val c = found.componentOf(place)
        if (c >= 0) {
          val best = smallest(c)
          val named = codes.prefix(found.vertex(place).toInt) & VertexNames.Prefix | found.vertex(place)
          if (((named ^ best) & VertexNames.Prefix) != 0) smallest(c) = math.min(named, best)
          else if (best == Long.MaxValue || codes.compare(named.toInt, best.toInt) < 0) smallest(c) = named
        }
        place += 1
      }
      block = until
    }
    Arrays.setAll(smallest, (c: Int) => smallest(c) & ~VertexNames.Prefix)
    smallest
  }

  override def column(vertices: Array[Long]): AnyRef = codes.column(vertices)

  /** Most names are copied in their order first: 16 bytes or more a name, and half as many cache misses for a column. */
  override def columns(vertices: Array[Long], areMost: Boolean): Array[Long] => AnyRef =
    if (areMost) codes.pick(vertices).column else super.columns(vertices, areMost)

  override def packed(ids: => Array[Long]): Option[Array[Byte]] =
    Some(PackedNames.toBytes(table, ids.map(_.toInt)))

  override def unpacked(state: BinaryReader, positions: Array[Long]): Array[Long] = {
    val found = internAll(state, positions.foreach(_))
    positions.map(position => found(position.toInt))
  }

  override def retain(live: (Long => Unit) => Unit): Unit = {
    val kept = new BitSet(codes.numberLimit)
    live(number => kept.set(number.toInt))
    table.retain(kept)
  }

  override def retainIfGrown(most: Long)(live: (Long => Unit) => Unit): Unit =
    if (size > VertexNames.FewNames && size / 2 > math.min(retained.toLong, most)) {
      retain(live)
      retained = size
    }

  /** Writes the names in the order of their numbers. Sorted names would take a quarter to a third less, or more with UUIDs, but
    * a sort takes longer than all else here.
    */
  override def save(out: BinaryWriter): Unit = {
    val numbers = codes.numbers
    out.unsigned(numbers.length.toLong)
    var before = -1
    numbers.foreach { number =>
      out.unsigned(number - before - 1L)
      before = number
    }
    PackedNames.write(codes, numbers, out)
  }
}

private[operator] object VertexNames {

  /** Names that a graph may keep unused: few, as there may be very many graphs. */
  private final val FewNames = 256

  /** The bits above a number. */
  private final val Prefix = -1L << 32

  /** All numbers in a state are less: a table up to this number fills half of the heap at most. So a damaged number is refused
    * before memory runs out.
    */
  private[block] def numberLimit: Long =
    math.min(NameCodes.MaxNames.toLong, Runtime.getRuntime.maxMemory / 2 / NameTable.MaxBytesOfNumber)

  def restore(in: BinaryReader): VertexNames = {
    val restored = new VertexNames
    val limit = numberLimit
    var next = 0L
    val numbers = Array.fill(in.count("the number of vertex names")) {
      val number = next + in.below(limit, "a difference of vertex numbers")
      if (number >= limit)
        fail(s"a vertex has the number $number, but in this heap numbers must be below $limit")
      next = number + 1
      number.toInt
    }
    val names = new PackedNames(in, numbers.length)
    val batch = new NameBatch
    var read = 0
    while (names.next(batch)) {
      (0 until batch.size).foreach { i =>
        val (from, length) = (batch.starts(i), batch.lengths(i))
        if (!restored.table.append(batch.bytes, from, length, numbers(read + i)))
          fail(s"the vertex name '${NameCode.decoded(batch.bytes, from, length)}' is there twice")
      }
      read += batch.size
    }
    restored
  }

  private def fail(violation: String): Unit = throw new CorruptStateException(violation)
}
