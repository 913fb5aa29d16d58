package io.github.sparkbic.operator.question

import scala.collection.mutable.ArrayBuilder

/** The vertices whose component, by its name, differs from the window before.
  *
  * Only components of at least `minSize` vertices count, so a vertex enters with its component, and leaves when its
  * component has become smaller. One pass over the vertices of either window, O(vertices). Most vertices are in a
  * component that has the name of their component before; the pass notes this once a component. Such a vertex then
  * costs two comparisons of numbers.
  *
  * @param vertices    vertices of components that count, and have changed
  * @param componentOf the component of each of them in this window
  * @param left        vertices that are in no component that counts any more
  */
private[question] final class ComponentUpdates private (
    val vertices: Array[Long],
    val componentOf: Array[Int],
    val left: Array[Long]
)

private[question] object ComponentUpdates {

  def apply(window: AnsweredWindows, minSize: Long): ComponentUpdates = {
    val (before, after, matched) = (window.previous, window.components, window.matched)
    val (old, names) = (window.previousNames, window.names)
    // `addOne` takes primitives, `+=` boxes them.
    val vertices = new ArrayBuilder.ofLong
    val componentOf = new ArrayBuilder.ofInt
    val left = new ArrayBuilder.ofLong

    // For a component of this window the component before of the same name, if both count; else -1.
    val sameBefore = Array.fill(after.components)(-1)
    var place = 1
    while (place < after.places) {
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
          else if (counts) {
            vertices += after.vertex(place)
            componentOf += now
          } else if (counted) left += after.vertex(place)
        }
      }
      place += 1
    }
    matched.foreachLeft { place =>
      if (before.size(before.componentOf(place)) >= minSize) left += before.vertex(place)
    }
    new ComponentUpdates(vertices.result(), componentOf.result(), left.result())
  }
}
