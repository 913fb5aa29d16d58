package io.github.sparkbic.bench.baseline

import java.util.Arrays

import io.github.sparkbic.bench.WindowSystem
import io.github.sparkbic.index.kernels.LongInterner

/** A fully dynamic connectivity structure driven by a window: every arrival is inserted, and deleted as it expires.
  *
  * What the structures share is here: numbers of vertices, multiplicities, and which vertices occur. They see each
  * distinct edge without loops once, when it comes, and once when its last arrival expires.
  */
private[baseline] abstract class DynamicSystem extends WindowSystem {
  private val interner = new LongInterner()
  private val arrivals = new EdgeQueue
  protected val edges = new EdgeTable
  // Ends of arrivals at each vertex.
  private var ends = new Array[Int](16)

  /** Makes room for vertices below `count`. */
  protected def reserve(count: Int): Unit

  protected def link(e: Int, u: Int, v: Int): Unit

  protected def unlink(e: Int, u: Int, v: Int): Unit

  protected def joined(u: Int, v: Int): Boolean

  final override def insert(pane: Long, src: Long, dst: Long): Unit = {
    val u = number(src)
    val v = number(dst)
    arrivals.add(pane, u, v)
    ends(u) += 1
    ends(v) += 1
    if (u != v) {
      val e = edges.add(u, v)
      if (e >= 0) link(e, u, v)
    }
  }

  final override def complete(windowStart: Long): Unit =
    while (arrivals.size > 0 && arrivals.headPane < windowStart) {
      val u = arrivals.headSource
      val v = arrivals.headTarget
      ends(u) -= 1
      ends(v) -= 1
      if (u != v) {
        val e = edges.remove(u, v)
        if (e >= 0) {
          unlink(e, u, v)
          edges.release(e)
        }
      }
      arrivals.drop()
    }

  final override def connected(source: Long, target: Long): Boolean = {
    val s = interner.find(source)
    val t = interner.find(target)
    s >= 0 && t >= 0 && ends(s) > 0 && ends(t) > 0 && (s == t || joined(s, t))
  }

  private def number(id: Long): Int = {
    val n = interner.intern(id)
    if (n >= ends.length) ends = Arrays.copyOf(ends, n * 2)
    reserve(n + 1)
    n
  }
}
