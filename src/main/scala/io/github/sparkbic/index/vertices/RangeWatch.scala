package io.github.sparkbic.index.vertices

/** When ids are looked at for a range of them, which takes a few tenths of a millisecond, and for how many vertices.
  *
  * @param smallest vertices below which no range is looked for; to be changed by tests alone
  */
private[index] final class RangeWatch(var smallest: Int) {
  import RangeWatch._

  /** The part of a window that has passed since the first edge; set by the index. */
  var filled: Double = 1.0

  /** Whether vertices go as others come: until then, a range that has few of them may be waiting for more. */
  def isFull: Boolean = filled >= 1.0

  private var lookAt = 0L
  private var edgesToLook = 0L

  /** Notes that so many edges came. */
  def pass(edges: Int): Unit = edgesToLook -= edges

  /** Whether it is time to look.
    *
    * @param added   vertices that were added outside the range since the beginning
    * @param outside how many of them are there
    */
  def isDue(added: Long, outside: Int): Boolean =
    added >= lookAt && edgesToLook <= 0 && outside >= smallest

  /** Not before a sixteenth as many vertices have been added as there are: until then not much can have changed. */
  def waitAWhile(added: Long, size: Int): Unit = lookAt = added + math.max(smallest, size / 16)

  /** Not soon after so many vertices were moved: a range that they soon leave is not followed all the time. */
  def waitLong(added: Long, size: Int): Unit = {
    edgesToLook = EdgesPerMoved * size
    waitAWhile(added, size)
  }

  /** Vertices that a whole window will have, where so many are there, but no more than twice as many. A range that is taken
    * early saves the look-ups until then, and there is less to be moved.
    */
  def expected(size: Int): Int = math.min(Int.MaxValue, size * math.min(2.0, 1 / filled)).toInt

  /** Looks at once, when it may. */
  def restart(): Unit = lookAt = 0L
}

private object RangeWatch {

  /** Edges that come for each vertex that was moved before ids are looked at again. */
  private final val EdgesPerMoved = 4L
}
