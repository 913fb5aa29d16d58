package io.github.sparkbic.index

import scala.collection.compat._
import scala.collection.mutable

/** Shortest paths by a search over all vertices, anew for every pair: slow, and obviously right. */
object PathOracle {

  /** The edges of the path of fewest edges; of several, that with the smallest sequence of vertices; of repeated edges the
    * earliest, then that with the smaller source. None if there is no path.
    */
  def path(edges: Seq[TimedEdge], source: Long, target: Long)(implicit
      order: Ordering[Long]
  ): Option[Seq[TimedEdge]] = {
    val neighbours = edges.flatMap(e => Seq(e.src -> e.dst, e.dst -> e.src)).groupMap(_._1)(_._2)
    val distance = mutable.Map.empty[Long, Int]
    if (neighbours.contains(target)) {
      distance(target) = 0
      val queue = mutable.Queue(target)
      while (queue.nonEmpty) {
        val v = queue.dequeue()
        neighbours(v).filterNot(distance.contains).foreach { w =>
          distance(w) = distance(v) + 1
          queue += w
        }
      }
    }
    distance.get(source).map { length =>
      val vertices = (1 to length).scanLeft(source) { (v, _) =>
        neighbours(v).filter(w => distance(w) == distance(v) - 1).min
      }
      vertices.zip(vertices.drop(1)).map { case (u, v) =>
        edges.filter(e => Set(e.src, e.dst) == Set(u, v))
          .min(Ordering.by((e: TimedEdge) => (e.time, e.src))(Ordering.Tuple2(Ordering.Long, order)))
      }
    }
  }
}
