package io.github.sparkbic.operator.question

import scala.collection.mutable.ArrayBuilder

/** The vertices whose component, by its name, differs from the window before.
  *
  * Only components of at least `minSize` vertices count, so a vertex enters with its component, and leaves when its
  * component has become smaller. One pass over the vertices of either window, O(vertices). Most vertices are in a
  * component that has the name of their component before; the pass notes this once a component. Such a vertex then
  * costs two comparisons of numbers.
  */
private[question] final class ComponentUpdates private (
    vertices: Array[Long],
    componentOf: Array[Int]
) {

  /** The number of updates; updates are numbered from 0 on. */
  def size: Int = vertices.length

  def vertex(update: Int): Long = vertices(update)

  /** The component that the vertex is in now; -1 if the vertex has left. */
  def component(update: Int): Int = componentOf(update)
}

private[question] object ComponentUpdates {

  def apply(window: AnsweredWindows, minSize: Long): ComponentUpdates = {
    val (before, after, matched) = (window.previous, window.components, window.matched)
    val (old, names) = (window.previousNames, window.names)
    // `addOne` takes primitives, `+=` boxes them.
    val vertices = new ArrayBuilder.ofLong
    val componentOf = new ArrayBuilder.ofInt

    // For a component of this window the component before of the same name, if both count; else -1.
    val sameBefore = Array.fill(after.components)(-1)
    var place = 0
    while (place < after.vertices.length) {
      val now = after.componentOf(place)
      if (now >= 0) {
        val from = matched.before(place)
        val was = if (from < 0) -1 else before.componentOf(from)
        if (was < 0 || sameBefore(now) != was) {
          val counts = after.size(now) >= minSize
          val counted = was >= 0 && before.size(was) >= minSize
          val isSame = counts && counted && names.vertex(now) == old.vertex(was) &&
            names.born(now) == old.born(was)
          if (isSame) sameBefore(now) = was
          else if (counts || counted) {
            vertices.addOne(after.vertices(place))
            componentOf.addOne(if (counts) now else -1)
          }
        }
      }
      place += 1
    }
    place = 0
    while (place < before.vertices.length) {
      val was = before.componentOf(place)
      if (was >= 0 && !matched.isMatched(place) && before.size(was) >= minSize) {
        vertices.addOne(before.vertices(place))
        componentOf.addOne(-1)
      }
      place += 1
    }
    new ComponentUpdates(vertices.result(), componentOf.result())
  }
}
