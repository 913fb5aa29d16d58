package io.github.sparkbic.operator.forests

import java.util.{HashMap => JHashMap}
import java.util.concurrent.ThreadLocalRandom

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

import io.github.sparkbic.index.kernels.Hash

/** The open graphs of an input task, by their key.
  *
  * With a hundred thousand graphs a look-up costs as much as the cache misses on its way, which are five in a hash map of
  * rows. The key of one column of up to eight bytes, the usual one, is a row of two words, the null bits and the value:
  * such words lie in a table of open addressing, and the graph is the second miss. All other keys are in a hash map.
  */
private[forests] final class GraphTable {
  import GraphTable._

  // Users who choose short keys must not know which of these collide. Other keys may collide, as in Spark's hash maps.
  private val seed = ThreadLocalRandom.current().nextLong()
  // Two words a place: the null bits plus one, zero in an empty place, and the value.
  private var words = Array.empty[Long]
  private var places = Array.empty[OpenGraph]
  private var count = 0

  private val ofLongKeys = new JHashMap[UnsafeRow, OpenGraph]
  private val opened = ArrayBuffer.empty[OpenGraph]

  resize(Smallest)

  /** The graph of this key, or null. */
  def get(key: UnsafeRow): OpenGraph =
    if (isShort(key)) places(placeOf(key)) else ofLongKeys.get(key)

  /** Adds a graph, whose key is not there. */
  def add(graph: OpenGraph): Unit = {
    opened += graph
    if (isShort(graph.key)) {
      if (2 * count == places.length) {
        val old = places
        resize(2 * old.length)
        old.foreach(graph => if (graph != null) put(graph))
      }
      put(graph)
      count += 1
    } else ofLongKeys.put(graph.key, graph): Unit
  }

  /** Takes out all graphs, in the order in which they were added, which is about how they lie in memory. */
  def drain(): Seq[OpenGraph] = {
    val all = opened.toSeq
    resize(places.length)
    count = 0
    ofLongKeys.clear()
    opened.clear()
    all
  }

  private def resize(size: Int): Unit = {
    words = new Array[Long](2 * size)
    places = new Array[OpenGraph](size)
  }

  private def put(graph: OpenGraph): Unit = {
    val place = placeOf(graph.key)
    words(2 * place) = mark(graph.key)
    words(2 * place + 1) = value(graph.key)
    places(place) = graph
  }

  /** Where a key is, or would be. */
  private def placeOf(key: UnsafeRow): Int = {
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
  private val Smallest = 8

  /** Whether a row has one column and nothing behind its two words. */
  private def isShort(key: UnsafeRow): Boolean = key.getSizeInBytes == 16
  private def mark(key: UnsafeRow): Long = Platform.getLong(key.getBaseObject, key.getBaseOffset) + 1
  private def value(key: UnsafeRow): Long = Platform.getLong(key.getBaseObject, key.getBaseOffset + 8)
}
