package io.github.sparkbic.operator.forests

import java.util.{HashMap => JHashMap}
import java.util.concurrent.ThreadLocalRandom

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

import io.github.sparkbic.index.kernels.Hash

/** The open graphs of an input task, by their key.
  * With 100,000 graphs, finding a graph costs its cache misses, of which a hash map of rows has five. Mostly the key is one
  * column of up to eight bytes. Its row has two words, the null bits and the value, which lie in a table of open addressing;
  * the graph is the second miss. All other keys are in a hash map.
  */
private[forests] final class GraphTable {
  import GraphTable._

  // Random: no choice of short keys can collide on purpose. Other keys may, as in Spark's hash maps.
  private val seed = ThreadLocalRandom.current().nextLong()
  // Two words a slot: the null bits plus one (zero in an empty slot), and the value.
  private var words = Array.empty[Long]
  private var graphs = Array.empty[OpenGraph]
  private var count = 0
  private val ofLongKeys = new JHashMap[UnsafeRow, OpenGraph]
  private val opened = ArrayBuffer.empty[OpenGraph]

  resize(8)

  /** The graph of this key, or null. */
  def get(key: UnsafeRow): OpenGraph =
    if (isShort(key)) graphs(slotOf(key)) else ofLongKeys.get(key)

  /** Adds a graph with a new key. */
  def add(graph: OpenGraph): Unit = {
    opened += graph
    if (isShort(graph.key)) {
      if (2 * count == graphs.length) {
        val old = graphs
        resize(2 * old.length)
        old.foreach(graph => if (graph != null) put(graph))
      }
      put(graph)
      count += 1
    } else ofLongKeys.put(graph.key, graph): Unit
  }

  /** Removes all graphs, and gives them in the order of insertion, which is about their order in memory. */
  def drain(): Array[OpenGraph] = {
    val all = opened.toArray
    resize(graphs.length)
    count = 0
    ofLongKeys.clear()
    opened.clear()
    all
  }

  private def resize(size: Int): Unit = {
    words = new Array[Long](2 * size)
    graphs = new Array[OpenGraph](size)
  }

  private def put(graph: OpenGraph): Unit = {
    val slot = slotOf(graph.key)
    words(2 * slot) = mark(graph.key)
    words(2 * slot + 1) = value(graph.key)
    graphs(slot) = graph
  }

  /** The slot of a key, or the empty slot for it. */
  private def slotOf(key: UnsafeRow): Int = {
    val words = this.words
    val mask = words.length - 2
    val wanted = value(key)
    val bits = mark(key)
    var at = (Hash.mix(wanted, seed) >>> 32).toInt & mask
    while (words(at) != 0 && (words(at + 1) != wanted || words(at) != bits)) at = (at + 2) & mask
    at >> 1
  }
}

private object GraphTable {

  /** Whether a row is two words, and so a single column of up to eight bytes. */
  private def isShort(key: UnsafeRow): Boolean = key.getSizeInBytes == 16
  private def mark(key: UnsafeRow): Long = Platform.getLong(key.getBaseObject, key.getBaseOffset) + 1
  private def value(key: UnsafeRow): Long = Platform.getLong(key.getBaseObject, key.getBaseOffset + 8)
}
