package io.github.sparkbic.operator.block

import java.util.{Arrays, HashMap => JHashMap}

/** The reader of [[NameDelta]]s: for each run that is being read, the numbers of its dictionary as numbers of the graph.
  * Eight bytes for each name of two windows of each run. Not thread safe.
  */
private[operator] final class SharedNumbers(names: VertexNames) {
  private val runs = new JHashMap[java.lang.Long, SharedNumbers.Run]

  /** The numbers of the graph, by number of the dictionary, to which this block adds. Blocks of a run come in the order in
    * which they were made, each of them once.
    */
  def read(block: PackedBlock): Array[Long] = {
    val delta = NameDelta.fromBytes(block.delta)
    val run = runs.computeIfAbsent(delta.run, _ => new SharedNumbers.Run)
    if (delta.begins) run.begin()
    run.add(names.internAll(block.names), delta.carried)
    if (delta.isLast) runs.remove(delta.run): Unit
    run.numbers
  }

  /** Visits all numbers of the graph that a block to come may mean. */
  def foreach(visit: Long => Unit): Unit = runs.values.forEach { run =>
    run.before.foreach(visit)
    (0 until run.count).foreach(i => visit(run.numbers(i)))
  }

  /** Runs that are being read. */
  def size: Int = runs.size
}

private object SharedNumbers {

  /** The numbers of two generations, of which the second one has `count` so far. */
  private final class Run {
    var before = Array.empty[Long]
    var numbers = Array.empty[Long]
    var count = 0

    def begin(): Unit = {
      before = Arrays.copyOf(numbers, count)
      numbers = Array.empty
      count = 0
    }

    /** @param sent numbers of the graph of the names that were sent */
    def add(sent: Array[Long], carried: Array[Int]): Unit = {
      val added = math.max(sent.length, carried.length)
      if (count + added > numbers.length)
        numbers = Arrays.copyOf(numbers, math.max(count + added, numbers.length + (numbers.length >> 1)))
      var next = 0
      var i = 0
      while (i < added) {
        numbers(count + i) =
          if (i < carried.length && carried(i) >= 0) before(carried(i))
          else {
            next += 1
            sent(next - 1)
          }
        i += 1
      }
      count += added
    }
  }
}
