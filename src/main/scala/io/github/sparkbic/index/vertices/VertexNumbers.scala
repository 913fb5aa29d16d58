package io.github.sparkbic.index.vertices

import java.util.Arrays
import java.util.function.IntToLongFunction

import io.github.sparkbic.index.contract.IndexConfig

/** Numbers the vertices of windows to come from 1 on, so that all else is arrays of primitives; 0 is no vertex.
  *
  * A number leads to the id of its vertex and to the last pane in which the vertex was seen. [[AllocatedNumbers]] takes any
  * ids, and [[GivenNumbers]] takes ids that are numbers themselves.
  *
  * Invariant: a vertex that was seen in a pane held is found, and no other vertex has its number. A vertex last seen
  * before the first pane held has expired. An expired vertex may still be found, and then lives on, until another takes its
  * number.
  *
  * Memory: 4 bytes a number for the pane. Not thread safe.
  */
private[sparkbic] abstract class VertexNumbers extends Cloneable {
  protected var lastSeen = new Array[Int](1)
  protected var last = 0

  /** The first pane held, which the index sets to rising panes. */
  var firstPane: Int = 0

  /** The id of the vertex with a number. */
  def id(number: Int): Long

  /** The number that an id has, or had last; 0 if it has none. */
  protected def numberOf(id: Long): Int

  /** Notes that `vertices(from)` and the others of `count` have edges in `pane`, and their numbers in `numbers`. */
  def enterAll(vertices: Array[Long], from: Int, count: Int, pane: Int, numbers: Array[Int]): Unit

  /** Gives back memory that a burst left. True if the index is to be rebuilt, since most of the numbers, and not few, have
    * expired; O(top).
    */
  def review(): Boolean

  /** Takes the ids of all vertices, by number. */
  protected def addAll(ids: IntToLongFunction): Unit

  /** A copy that shares nothing with this one. */
  def copy: VertexNumbers = {
    val made = clone().asInstanceOf[VertexNumbers]
    made.lastSeen = lastSeen.clone()
    made
  }

  /** The largest number given out so far. */
  def top: Int = last

  /** The length of arrays that have a place for each number. */
  def capacity: Int = lastSeen.length

  def seen(number: Int): Int = lastSeen(number)

  def isSeen(number: Int, pane: Int): Boolean = lastSeen(number) - pane >= 0

  /** The number of a vertex seen in `pane` or later, or 0. */
  def find(id: Long, pane: Int): Int = {
    val number = numberOf(id)
    if (number > 0 && isSeen(number, pane)) number else 0
  }

  /** Keeps the later of both panes, without a branch, which could not be predicted. */
  protected final def touch(number: Int, pane: Int): Unit = {
    val newer = pane - lastSeen(number)
    lastSeen(number) += newer & ~(newer >> 31)
  }

  protected def reserve(length: Int): Unit = lastSeen = Arrays.copyOf(lastSeen, length)

  /** Whether the vertex with this number has not expired. */
  private[vertices] def isLive(number: Int): Boolean = isSeen(number, firstPane)

  /** How many vertices were seen in `pane` or later; O(top). */
  def countSeen(pane: Int): Int = {
    val lastSeen = this.lastSeen
    var count = 0
    var number = 1
    while (number <= last) {
      count += ~(lastSeen(number) - pane) >>> 31
      number += 1
    }
    count
  }

  /** For each number up to [[top]], the number itself where the vertex was seen in `pane` or later, else 0. */
  def seenSince(pane: Int): Array[Int] = {
    val lastSeen = this.lastSeen
    val seen = new Array[Int](last + 1)
    var number = 1
    while (number <= last) {
      seen(number) = number & ~((lastSeen(number) - pane) >> 31)
      number += 1
    }
    seen
  }

  /** Visits the ids of all vertices seen in `pane` or later. */
  def foreach(pane: Int)(visit: Long => Unit): Unit = {
    var number = 1
    while (number <= last) {
      if (isSeen(number, pane)) visit(id(number))
      number += 1
    }
  }

  /** A vertex that has two numbers, if there is one; O(top). */
  private[index] def repeated: Option[Long] =
    (1 to last).find(number => isLive(number) && numberOf(id(number)) != number).map(id(_))

  private[index] def ids: IntToLongFunction = id(_)

  /** The panes in which vertices were last seen, by number, not to be changed. */
  private[index] def seenPanes: Array[Int] = lastSeen
}

private[sparkbic] object VertexNumbers {

  def apply(config: IndexConfig): VertexNumbers =
    if (config.idsAreNumbers) new GivenNumbers(config) else new AllocatedNumbers(config)

  /** The vertices with the numbers from 1 to `top`; `ids` and `seen` are by number. */
  def of(
      config: IndexConfig,
      first: Int,
      top: Int,
      ids: IntToLongFunction,
      seen: Array[Int]
  ): VertexNumbers = {
    val vertices = VertexNumbers(config)
    vertices.firstPane = first
    vertices.last = top
    vertices.reserve(top + 1)
    System.arraycopy(seen, 1, vertices.lastSeen, 1, top)
    vertices.addAll(ids)
    vertices
  }
}
