package io.github.sparkbic.operator.state

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.kernels.RadixSort

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
) extends KeptPart {
  override def size: Int = keys.length

  /** The keys come first, so their positions in a value of their own rise as the keys do. */
  override def foreachId(visit: Long => Unit): Unit = {
    keys.foreach(visit)
    vertices.foreach(visit)
  }

  override def save(out: BinaryWriter, shown: Long => Long = identity): Unit = {
    out.unsigned(size.toLong)
    var (before, born) = (0L, 0L)
    keys.indices.foreach { i =>
      val key = shown(keys(i))
      out.signed(key - before)
      out.signed(shown(vertices(i)) - key)
      out.signed(births(i) - born)
      before = key
      born = births(i)
    }
  }

  private[state] override def restore(in: BinaryReader, known: Array[Long] => Array[Long]): KeptNames = {
    val size = in.count("the number of components with a name")
    val keys, vertices, births = new Array[Long](size)
    var (key, born) = (0L, 0L)
    keys.indices.foreach { i =>
      val next = key + in.signed()
      if (i > 0 && next <= key)
        throw new CorruptStateException("the named components are not in rising order")
      key = next
      keys(i) = key
      vertices(i) = key + in.signed()
      born += in.signed()
      births(i) = born
    }
    val ids = known(keys ++ vertices)
    KeptNames(ids.take(size), ids.drop(size), births)
  }
}

private[operator] object KeptNames {
  val none: KeptNames = new KeptNames(Array.empty, Array.empty, Array.empty)

  /** @param smallest the smallest vertex of each component, in any order, which is that of the other arrays as well */
  def apply(smallest: Array[Long], vertices: Array[Long], births: Array[Long]): KeptNames = {
    val keys = RadixSort(smallest)
    new KeptNames(keys.sorted, keys.order.map(vertices(_)), keys.order.map(births(_)))
  }
}
