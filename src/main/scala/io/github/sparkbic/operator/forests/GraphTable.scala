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
    if (isShort(key)) get(mark(key), value(key)) else ofLongKeys.get(key)

  /** The graph of the short key with this [[GraphTable.mark]] and [[GraphTable.value]], or null. */
  def get(mark: Long, value: Long): OpenGraph = graphs(slotOf(mark, value))

  /** Reads where the search for a short key starts, and mostly ends. */
  def readAhead(value: Long): Long = {
    val at = home(value)
    words(at) ^ (if (graphs(at >> 1) eq null) 1L else 0L)
  }

  /** How many graphs have short keys. */
  def shortKeys: Int = count

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
    val bits = mark(graph.key)
    val wanted = value(graph.key)
    val slot = slotOf(bits, wanted)
    words(2 * slot) = bits
    words(2 * slot + 1) = wanted
    graphs(slot) = graph
  }

  /** The slot of a key, or the empty slot for it. */
  private def slotOf(mark: Long, value: Long): Int = {
    val words = this.words
    val mask = words.length - 2
    var at = home(value)
    while (words(at) != 0 && (words(at + 1) != value || words(at) != mark)) at = (at + 2) & mask
    at >> 1
  }

  /** The first of the two words where a key belongs. */
  private def home(value: Long): Int = (Hash.mix(value, seed) >>> 32).toInt & (words.length - 2)
}

private[forests] object GraphTable {

  /** Whether a row is two words, and so a single column of up to eight bytes. */
  def isShort(key: UnsafeRow): Boolean = key.getSizeInBytes == 16

  /** The null bits of a short key, plus one. */
  def mark(key: UnsafeRow): Long = Platform.getLong(key.getBaseObject, key.getBaseOffset) + 1

  /** The value of a short key. */
  def value(key: UnsafeRow): Long = Platform.getLong(key.getBaseObject, key.getBaseOffset + 8)

  /** The short key with this mark and this value. */
  def shortKey(mark: Long, value: Long): UnsafeRow = {
    val key = new UnsafeRow(1)
    key.pointTo(new Array[Byte](16), 16)
    Platform.putLong(key.getBaseObject, key.getBaseOffset, mark - 1)
    Platform.putLong(key.getBaseObject, key.getBaseOffset + 8, value)
    key
  }
}
