package io.github.sparkbic.operator.question

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.{ArrayType, LongType, StringType, StructField}

import io.github.sparkbic.index.kernels.LongInterner

/** Which components appeared, merged, split or vanished from the window one slide before to this window?
  *
  * Two components, one of each window, are related if they share a vertex. A component of this window *appeared* if it
  * has no related component, and *merged* if it has several. A component of the window before *vanished* if it has no
  * related component, and *split* if it has several. Other components give no row, even if they grew or shrank.
  *
  * Naively: intersect every component of one window with every component of the other. Here: a pass over the vertices
  * of both windows, which notes each pair of related components once; O(vertices) time and memory.
  *
  * @param minSize changes of components of fewer vertices are left out
  */
private[sparkbic] final class Changes(strings: Boolean, minSize: Long) extends Question {
  override def method: String = "bicChanges"

  override val fields: Seq[StructField] = {
    val vertices = ArrayType(if (strings) StringType else LongType, containsNull = false)
    Seq(StructField("change", StringType), StructField("before", vertices), StructField("after", vertices)) :+
      StructField("size", LongType)
  }

  override def verticesOfEdges: Seq[String] = Seq("before", "after")

  override def comparesWindows: Boolean = true

  override def answers(key: Row, window: AnsweredWindows): Iterator[Seq[Any]] = {
    val (before, after) = (window.previous, window.components)
    val (ofBefore, ofAfter) = related(before, after)
    rows(before, ofBefore, after, "vanished", "split")((own, others) => Seq(own, others)) ++
      rows(after, ofAfter, before, "appeared", "merged")((own, others) => Seq(others, own))
  }

  /** The rows of the components of one window, `here`. */
  private def rows(
      here: ComponentTable,
      related: Array[ArrayBuffer[Int]],
      there: ComponentTable,
      ofNone: String,
      ofSeveral: String
  )(sides: (Seq[Any], Seq[Any]) => Seq[Any]): Iterator[Seq[Any]] =
    (0 until here.components).iterator
      .filter(c => here.size(c) >= minSize && (related(c) == null || related(c).size > 1))
      .map { c =>
        val others = Option(related(c)).fold(Seq.empty[Long])(_.toSeq.map(there.smallest))
        val named = others.sorted(Ordering.fromLessThan[Long](there.compare(_, _) < 0)).map(there.show)
        (if (others.isEmpty) ofNone else ofSeveral) +:
          sides(Seq(here.show(here.smallest(c))), named) :+ here.size(c)
      }

  /** For each component of both windows, the related components of the other window; null for no component. */
  private def related(before: ComponentTable, after: ComponentTable) = {
    val matched = new VertexMatch(before, after)
    val pairs = new LongInterner()
    var place = 1
    while (place < after.places) {
      val was = if (after.componentOf(place) >= 0) matched.placeBefore(place) else -1
      if (was >= 0) pairs.intern(before.componentOf(was).toLong << 32 | after.componentOf(place))
      place += 1
    }
    val ofBefore = new Array[ArrayBuffer[Int]](before.components)
    val ofAfter = new Array[ArrayBuffer[Int]](after.components)
    def note(related: Array[ArrayBuffer[Int]], component: Int, other: Int): Unit = {
      if (related(component) == null) related(component) = new ArrayBuffer[Int](2)
      related(component) += other
    }
    (0 until pairs.size).foreach { n =>
      val (b, a) = ((pairs.id(n) >>> 32).toInt, pairs.id(n).toInt)
      note(ofBefore, b, a)
      note(ofAfter, a, b)
    }
    (ofBefore, ofAfter)
  }
}
