package io.github.sparkbic.index.vertices

/** One of the tables of a [[VertexDirectory]]: keys by open addressing, each beside its entry, which is never zero.
  *
  * @param depth how many first bits of their keys all vertices of the table share
  */
private[vertices] final class DirectoryTable(val depth: Int, val capacity: Int) {
  import DirectoryTable.placeOf

  val slots = new Array[Long](2 * capacity)
  var count = 0

  def isFull: Boolean = count >= capacity - (capacity >> 2)

  def put(key: Long, entry: Long): Unit = {
    val slots = this.slots
    var at = placeOf(key, slots.length)
    while (slots(at + 1) != 0) {
      at += 2
      if (at == slots.length) at = 0
    }
    putAt(at, key, entry)
  }

  def putAt(at: Int, key: Long, entry: Long): Unit = {
    slots(at) = key
    slots(at + 1) = entry
    count += 1
  }

  def pour(from: DirectoryTable): Unit = {
    var at = 0
    while (at < from.slots.length) {
      if (from.slots(at + 1) != 0) put(from.slots(at), from.slots(at + 1))
      at += 2
    }
  }

  def removeAt(start: Int): Unit = {
    val slots = this.slots
    val length = slots.length
    var hole = start
    var at = if (start + 2 == length) 0 else start + 2
    while (slots(at + 1) != 0) {
      // An entry may fill the hole unless its own place lies behind the hole.
      val home = placeOf(slots(at), length)
      val fromHome = if (at >= home) at - home else at - home + length
      val fromHole = if (at >= hole) at - hole else at - hole + length
      if (fromHome >= fromHole) {
        slots(hole) = slots(at)
        slots(hole + 1) = slots(at + 1)
        hole = at
      }
      at = if (at + 2 == length) 0 else at + 2
    }
    slots(hole) = 0
    slots(hole + 1) = 0
    count -= 1
  }
}

private[vertices] object DirectoryTable {

  /** The place where the search for a key begins: its last 32 bits, scaled to the table. */
  def placeOf(key: Long, length: Int): Int = (((key & 0xffffffffL) * (length >> 1)) >>> 32).toInt << 1
}
