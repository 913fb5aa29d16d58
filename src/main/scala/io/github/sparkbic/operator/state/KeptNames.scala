package io.github.sparkbic.operator.state

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.kernels.RadixSort
import io.github.sparkbic.operator.block.VertexIds

/** The stable names of the components of the window answered last; 24 bytes a component, and mostly 3 in the state.
  *
  * The state holds no components. After a restart the index enumerates them, and finds each name by the smallest vertex
  * of its component.
  *
  * @param keys     the smallest vertex of each component, rising as ids
  * @param vertices the vertex in the name of each component; it need not be in a window any more
  * @param births   the pane after the window in which each component was born
  */
private[operator] final class KeptNames(
    val keys: Array[Long],
    val vertices: Array[Long],
    val births: Array[Long]
) {
  def size: Int = keys.length

  /** Visits the vertices that must keep their ids as long as these names are kept. */
  def foreachId(visit: Long => Unit): Unit = {
    keys.foreach(visit)
    vertices.foreach(visit)
  }

  /** @param shown a vertex as it is written; it keeps the order of the keys */
  def save(out: BinaryWriter, shown: Long => Long = identity): Unit = {
    out.unsigned(size.toLong)
    var (before, born) = (0L, 0L)
    var i = 0
    while (i < size) {
      val key = shown(keys(i))
      out.signed(key - before)
      out.signed(shown(vertices(i)) - key)
      out.signed(births(i) - born)
      before = key
      born = births(i)
      i += 1
    }
  }

  /** The bytes of a value of their own. The keys come first, so their positions rise as the keys do. */
  def toPart(ids: VertexIds, place: Int): Array[Byte] = KeptPart.seal(ids, place, foreachId)(save)
}

private[operator] object KeptNames {
  val none: KeptNames = new KeptNames(Array.empty, Array.empty, Array.empty)

  /** @param smallest the smallest vertex of each component, in any order, which is that of the other arrays as well */
  def apply(smallest: Array[Long], vertices: Array[Long], births: Array[Long]): KeptNames = {
    val keys = RadixSort(smallest)
    new KeptNames(keys.sorted, keys.order.map(vertices(_)), keys.order.map(births(_)))
  }

  def restore(in: BinaryReader): KeptNames = {
    val size = in.count("the number of components with a name")
    val names = new KeptNames(new Array(size), new Array(size), new Array(size))
    var (key, born) = (0L, 0L)
    var i = 0
    while (i < size) {
      val next = key + in.signed()
      if (i > 0 && next <= key)
        throw new CorruptStateException("the named components are not in rising order")
      key = next
      names.keys(i) = key
      names.vertices(i) = key + in.signed()
      born += in.signed()
      names.births(i) = born
      i += 1
    }
    names
  }

  /** Reads the bytes of [[KeptNames.toPart]], on ids of a graph. */
  def ofPart(bytes: Array[Byte], ids: VertexIds, place: Int): KeptNames = {
    val in = KeptPart.open(place, bytes)
    val names = restore(in)
    val found = ids.unpacked(in, names.keys ++ names.vertices)
    in.expectEnd()
    KeptNames(found.take(names.size), found.drop(names.size), names.births)
  }
}
