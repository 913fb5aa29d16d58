package io.github.sparkbic.operator.question

import scala.collection.mutable

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.{ArrayType, LongType, StringType, StructField}

import io.github.sparkbic.index.kernels.LongInterner

/** Which components appeared, merged, split or vanished from the window one slide before to this one?
  *
  * Two components, one of each window, are related if they share a vertex. A component of this window *appeared* if it
  * is related to none, and *merged* if it is related to several; a component of the window before *vanished* if it is
  * related to none, and *split* if it is related to several. One that is related to one alone, which is related to it
  * alone, is still there, grown or shrunk perhaps, and gives no row.
  *
  * Naively: intersect every component of one window with every one of the other. Here: one pass over the vertices of
  * both, which notes each pair of related components once; O(vertices) time and memory.
  *
  * @param minSize changes of components of fewer vertices are left out
  */
private[sparkbic] final class Changes(strings: Boolean, minSize: Long) extends Question {
  import Changes._

  override def method: String = "bicChanges"

  private val vertices = ArrayType(if (strings) StringType else LongType, containsNull = false)

  override val fields: Seq[StructField] =
    columns.zip(Seq(StringType, vertices, vertices, LongType)).map { case (c, t) => StructField(c, t) }

  override def verticesOfEdges: Seq[String] = Seq("before", "after")

  override def comparesWindows: Boolean = true

  override def answers(key: Row, window: AnsweredWindow): Iterator[Seq[Any]] = {
    val (before, after) = (window.previous, window.components)
    val (ofBefore, ofAfter) = related(before, after)
    of(before, ofBefore, after, Vanished, Split)((one, others) => Seq(one, others)) ++
      of(after, ofAfter, before, Appeared, Merged)((one, others) => Seq(others, one))
  }

  /** The rows of the components of one window. */
  private def of(
      here: ComponentTable,
      related: Array[mutable.ArrayBuffer[Int]],
      there: ComponentTable,
      ofNone: String,
      ofSeveral: String
  )(sides: (Seq[Any], Seq[Any]) => Seq[Any]): Iterator[Seq[Any]] =
    (0 until here.components).iterator.filter(c => here.size(c) >= minSize).flatMap { c =>
      val others = Option(related(c)).fold(Seq.empty[Int])(_.toSeq)
      val change = if (others.isEmpty) Some(ofNone) else Option.when(others.size > 1)(ofSeveral)
      change.map { name =>
        val named = others.map(there.smallest).sorted(Ordering.fromLessThan[Long](there.compare(_, _) < 0))
        name +: sides(Seq(here.show(here.smallest(c))), named.map(there.show)) :+ here.size(c)
      }
    }

  /** For the components of both windows those of the other that are related to them, null where there is none. */
  private def related(before: ComponentTable, after: ComponentTable) = {
    val ofBefore = new Array[mutable.ArrayBuffer[Int]](before.components)
    val ofAfter = new Array[mutable.ArrayBuffer[Int]](after.components)
    val positions = new LongInterner(before.vertices)
    var i = 0
    while (i < before.vertices) {
      positions.intern(before.vertex(i))
      i += 1
    }
    val pairs = new LongInterner()
    i = 0
    while (i < after.vertices) {
      val position = positions.find(after.vertex(i))
      if (position >= 0) {
        val (b, a) = (before.component(position), after.component(i))
        val known = pairs.size
        if (pairs.intern(b.toLong << 32 | a) == known) {
          note(ofBefore, b, a)
          note(ofAfter, a, b)
        }
      }
      i += 1
    }
    (ofBefore, ofAfter)
  }

  private def note(related: Array[mutable.ArrayBuffer[Int]], component: Int, other: Int): Unit = {
    if (related(component) == null) related(component) = new mutable.ArrayBuffer[Int](2)
    related(component) += other
  }
}

private[sparkbic] object Changes {
  val columns: Seq[String] = Seq("change", "before", "after", "size")

  val Appeared: String = "appeared"
  val Merged: String = "merged"
  val Split: String = "split"
  val Vanished: String = "vanished"
}
