package io.github.sparkbic.index

import scala.collection.mutable

/** Connected components by breadth-first search, anew for every window: slow, and obviously right.
  *
  * The oracle shares no code with the product: of [[Stream.panes]] it reads the lengths and the start time alone.
  */
object Oracle {

  /** The components of a set of edges: vertex to the smallest vertex of its component. */
  def components(edges: Iterable[TimedEdge]): Map[Long, Long] = {
    val neighbours = mutable.HashMap.empty[Long, mutable.ArrayBuffer[Long]]
    def add(from: Long, to: Long): Unit =
      neighbours.getOrElseUpdate(from, mutable.ArrayBuffer.empty) += to
    edges.foreach { e =>
      add(e.src, e.dst)
      add(e.dst, e.src)
    }
    val component = mutable.HashMap.empty[Long, Long]
    val queue = mutable.Queue.empty[Long]
    // By rising vertex, so that a search starts at the smallest vertex of its component.
    neighbours.keysIterator.toArray.sorted.foreach { start =>
      if (!component.contains(start)) {
        component(start) = start
        queue += start
        while (queue.nonEmpty) neighbours(queue.dequeue()).foreach { vertex =>
          if (!component.contains(vertex)) {
            component(vertex) = start
            queue += vertex
          }
        }
      }
    }
    component.toMap
  }

  /** Every window of some length with an edge, as (start, end, components), by rising start. */
  def windows(stream: Stream, ofLength: Option[Long] = None): Seq[(Long, Long, Map[Long, Long])] = {
    val (slide, length) = (stream.panes.slide, ofLength.getOrElse(stream.panes.window))
    val starts = stream.edges.map(_.time).distinct.flatMap { time =>
      val last = time - Math.floorMod(time - stream.panes.startTime, slide)
      Iterator.iterate(last)(_ - slide).takeWhile(_ + length > time)
    }
    starts.distinct.sorted.map { start =>
      (start, start + length, components(between(stream.edges, start, start + length)))
    }
  }

  /** The edges with `start <= time < end`. */
  def between(edges: Iterable[TimedEdge], start: Long, end: Long): Iterable[TimedEdge] =
    edges.filter(e => e.time >= start && e.time < end)

  def connected(components: Map[Long, Long], source: Long, target: Long): Boolean =
    components.get(source).exists(components.get(target).contains)

  /** Each vertex that these edges, each with its pane, connect with a mark: the latest pane from which on they do, and the
    * first such mark of the list. From the components of every suffix of the panes.
    */
  def connectedTo(edges: Iterable[(Long, TimedEdge)], marks: Seq[Long]): Map[Long, (Long, Long)] =
    edges.map(_._1).toSeq.distinct.sorted.foldRight(Map.empty[Long, (Long, Long)]) { (first, known) =>
      val found = components(edges.filter(_._1 >= first).map(_._2))
      val markOf = marks.reverse.flatMap(mark => found.get(mark).map(_ -> mark)).toMap
      found.collect {
        case (vertex, component) if markOf.contains(component) => vertex -> (first -> markOf(component))
      } ++ known
    }
}
