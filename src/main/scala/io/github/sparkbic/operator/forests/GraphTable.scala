package io.github.sparkbic.operator.forests

import java.util.{Arrays, HashMap => JHashMap}
import java.util.concurrent.ThreadLocalRandom

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

import io.github.sparkbic.index.vertices.VertexKeys

/** The open graphs of an input task, by their key.
  *
  * With a hundred thousand graphs a look-up costs as much as the cache misses on its way, which are five in a hash map of
  * rows. The key of one column of up to eight bytes, the usual one, is a row of two words, the null bits and the value:
  * such words lie in a table of open addressing, and the graph is the second miss. All other keys are in a hash map.
  */
private[forests] final class GraphTable {
  import GraphTable._

  // Whoever chose the keys must not know which of the short ones collide; of others they may, as in Spark's own hash maps.
  private val hashes = new VertexKeys(ThreadLocalRandom.current().nextLong())
  // Two words a place: the null bits plus one, zero in an empty place, and the value.
  private var words = new Array[Long](2 * Smallest)
  private var places = new Array[OpenGraph](Smallest)
  private var count = 0

  private val ofLongKeys = new JHashMap[UnsafeRow, OpenGraph]
  private val opened = ArrayBuffer.empty[OpenGraph]

  /** The graph of this key, or null. */
  def get(key: UnsafeRow): OpenGraph =
    if (isShort(key)) places(placeOf(mark(key), value(key)) >> 1) else ofLongKeys.get(key)

  /** Adds a graph, whose key is not there. */
  def add(graph: OpenGraph): Unit = {
    opened += graph
    if (isShort(graph.key)) {
      if (2 * count == places.length) grow()
      put(graph)
      count += 1
    } else ofLongKeys.put(graph.key, graph): Unit
  }

  /** All graphs in the order in which they were added, which is about how they lie in memory. */
  def foreach(visit: OpenGraph => Unit): Unit = opened.foreach(visit)

  def clear(): Unit = {
    Arrays.fill(words, 0L)
    Arrays.fill(places.asInstanceOf[Array[AnyRef]], null)
    count = 0
    ofLongKeys.clear()
    opened.clear()
  }

  private def put(graph: OpenGraph): Unit = {
    val at = placeOf(mark(graph.key), value(graph.key))
    words(at) = mark(graph.key)
    words(at + 1) = value(graph.key)
    places(at >> 1) = graph
  }

  /** Where the words of a key are, or would be. */
  private def placeOf(mark: Long, value: Long): Int = {
    val words = this.words
    val mask = words.length - 2
    var at = hashes.keyOf(value).toInt & mask
    while (words(at) != 0 && (words(at + 1) != value || words(at) != mark)) at = (at + 2) & mask
    at
  }

  private def grow(): Unit = {
    val old = places
    words = new Array[Long](2 * words.length)
    places = new Array[OpenGraph](2 * old.length)
    old.foreach(graph => if (graph != null) put(graph))
  }
}

private object GraphTable {
  private val Smallest = 8

  /** Whether a row has one column and nothing behind its two words. */
  private def isShort(key: UnsafeRow): Boolean = key.getSizeInBytes == 16

  private def mark(key: UnsafeRow): Long = Platform.getLong(key.getBaseObject, key.getBaseOffset) + 1

  private def value(key: UnsafeRow): Long = Platform.getLong(key.getBaseObject, key.getBaseOffset + 8)
}
