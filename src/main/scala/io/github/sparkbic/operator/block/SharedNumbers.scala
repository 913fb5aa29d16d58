package io.github.sparkbic.operator.block

import java.util.{Arrays, HashMap => JHashMap}

/** The other side of [[NameDelta]]: the dictionaries of the runs that are being read, each of which turns its numbers
  * into those of the graph. Eight bytes for each name of two windows of each run. Not thread safe.
  */
private[operator] final class SharedNumbers(names: VertexNames) {
  private val runs = new JHashMap[java.lang.Long, SharedNumbers.Run]

  /** The numbers of the graph, by number of the dictionary, once this block has added to it. Blocks of a run come in the
    * order in which they were made, each of them once.
    */
  def read(block: PackedBlock): Array[Long] = {
    val delta = NameDelta.fromBytes(block.delta)
    var run = runs.get(delta.run)
    if (run == null) run = new SharedNumbers.Run
    if (delta.begins) run.begin()
    run.add(names.internAll(block.names), delta.carried)
    if (delta.isLast) runs.remove(delta.run) else runs.put(delta.run, run)
    run.numbers
  }

  /** Visits all numbers of the graph that a block to come may mean. */
  def foreach(visit: Long => Unit): Unit = runs.values.forEach(_.foreach(visit))

  /** Runs that are being read. */
  def size: Int = runs.size
}

private object SharedNumbers {
  private val None = new Array[Long](0)

  private final class Run {
    private var before = None
    private var current = None
    private var count = 0

    def numbers: Array[Long] = current

    def begin(): Unit = {
      before = Arrays.copyOf(current, count)
      current = None
      count = 0
    }

    /** @param sent the numbers of the graph of the names that were sent */
    def add(sent: Array[Long], carried: Array[Int]): Unit = {
      val added = math.max(sent.length, carried.length)
      if (count + added > current.length)
        current = Arrays.copyOf(current, math.max(count + added, current.length + (current.length >> 1)))
      if (carried.length == 0) System.arraycopy(sent, 0, current, count, added)
      else {
        var next = 0
        var i = 0
        while (i < added) {
          if (carried(i) >= 0) current(count + i) = before(carried(i))
          else {
            current(count + i) = sent(next)
            next += 1
          }
          i += 1
        }
      }
      count += added
    }

    def foreach(visit: Long => Unit): Unit = {
      before.foreach(visit)
      var i = 0
      while (i < count) {
        visit(current(i))
        i += 1
      }
    }
  }
}
