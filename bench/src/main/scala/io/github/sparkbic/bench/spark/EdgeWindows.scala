package io.github.sparkbic.bench.spark

import java.util.Arrays

import io.github.sparkbic.bench.stream.EdgeStream

/** The windows that a query of a setting answers, and the edges that each of them holds.
  *
  * A hundred edges share a millisecond, so a window is a range of edges. The first windows and, in a batch, the last
  * ones hold fewer edges than the others. A stream answers the windows that end by its last watermark.
  */
final class EdgeWindows(options: Options) {
  import EdgeWindows._

  private val window = options.windowMillis
  private val slide = options.slideMillis
  private val last = EdgeFiles.StartMillis + (options.edges - 1) / EdgeStream.EdgesPerTimestamp

  /** Starts in milliseconds, rising. */
  val starts: IndexedSeq[Long] = {
    val first = (Math.floorDiv(EdgeFiles.StartMillis - window, slide) + 1) * slide
    (first to (if (options.mode == "stream") last - options.delayMillis - window else last) by slide)
  }

  /** Starts of the windows that a query answers. Where windows are compared, the window after the last one shows what is
    * gone; in a stream, that window has not ended.
    */
  def answered(compared: Boolean): Seq[Long] =
    starts ++ starts.lastOption.filter(_ => compared && options.mode == "batch").map(_ + slide)

  /** The edges of the window that starts then. */
  def edges(start: Long): Range = {
    def before(millis: Long) =
      ((millis - EdgeFiles.StartMillis) * EdgeStream.EdgesPerTimestamp).max(0).min(options.edges.toLong).toInt
    before(start) until before(start + window)
  }

  /** The windows that rivals answer: the middle ones of `options.part` equal parts of the windows. So windows that hold
    * few edges have their share.
    */
  def chosen: Seq[Long] = {
    val parts = math.min(options.part, starts.size).toLong
    (0L until parts).map(i => starts(((2 * i + 1) * starts.size / (2 * parts)).toInt))
  }

  /** The number of vertices in each window, by its start. */
  def vertices(stream: EdgeStream): Map[Long, Long] = {
    val counts = new Array[Long](starts.size + 1)
    val lastSeen = new Array[Int](options.idLimit)
    Arrays.fill(lastSeen, Never)
    val first = if (starts.isEmpty) 0 else starts.head - EdgeFiles.StartMillis
    var i = 0
    while (i < stream.size) {
      val time = i / EdgeStream.EdgesPerTimestamp
      var end = 0
      while (end < 2) {
        val vertex = (if (end == 0) stream.sources(i) else stream.targets(i)).toInt
        // In windows that start after the edge before, the vertex occurs for the first time.
        val after = math.max(lastSeen(vertex).toLong, time - window)
        val from = math.min(starts.size.toLong, Math.floorDiv(after - first, slide) + 1).toInt
        val until = math.min(starts.size.toLong, Math.floorDiv(time - first, slide) + 1).toInt
        counts(from) += 1
        counts(until) -= 1
        lastSeen(vertex) = time
        end += 1
      }
      i += 1
    }
    starts.zip(counts.scanLeft(0L)(_ + _).tail).toMap
  }
}

object EdgeWindows {
  private val Never = Int.MinValue

  /** The vertices that a query meets: in all its windows, and in the largest window. */
  final case class Live(all: Long, largest: Long)

  /** By query, for the queries about groups of a setting. */
  def live(options: Options, queries: Seq[String]): Map[String, Live] =
    if (queries.isEmpty) Map.empty
    else {
      val windows = new EdgeWindows(options)
      val stream = new EdgeFiles(options).edgeStream()
      lazy val vertices = windows.vertices(stream)
      lazy val distinct = {
        val occurs = new Array[Boolean](options.idLimit)
        Seq(stream.sources, stream.targets).foreach(_.foreach(id => occurs(id.toInt) = true))
        occurs.count(identity).toLong
      }
      queries.map { query =>
        val rival = GroupQueries.isRival(query)
        val found =
          if (GroupQueries.isTable(query)) Seq(distinct)
          else (if (rival) windows.chosen else windows.starts).map(vertices)
        query -> Live(found.sum, found.maxOption.getOrElse(0L))
      }.toMap
    }
}
