package io.github.sparkbic.bench.spark

import scala.collection.mutable

import org.apache.spark.sql.{DataFrame, Row, SparkSession}

/** Runs the queries about groups: ours in Spark, and the rival of union–find in this JVM.
  *
  * Rows go to the sink `noop`, so that a run costs what the rows cost and no more. Their checks come from one more pass,
  * which is not timed.
  */
private[spark] final class GroupWork(
    spark: SparkSession,
    options: Options,
    files: EdgeFiles,
    streams: StreamRun
) {
  private val scratch = new Scratch(options, files)

  /** One pass, of which neither rows nor answers are known; a rival knows its rows. */
  def run(query: String, edges: Int): Run =
    if (isRival(query)) scratch.run(query, checked = false)
    else if (options.mode == "stream")
      streams.run(edges, reads(query))(answers(_, query).writeStream.format("noop"))
    else {
      val clock = new Clock
      answers(files.table(spark, edges), query).write.format("noop").mode("overwrite").save()
      clock.run(edges.toLong, Map.empty)
    }

  /** A run with the windows, rows and checks of a further pass; queries that are not about groups have them already. */
  def checked(query: String, run: Run): Run =
    if (!GroupQueries.All.contains(query)) run
    else if (isRival(query)) {
      val pass = scratch.run(query, checked = true)
      run.copy(checks = pass.checks)
    } else {
      val found = mutable.HashMap.empty[Long, (Long, Long)].withDefaultValue((0L, 0L))
      // A stream may give the rows of a window in several parts.
      def note(row: Row): Unit = {
        val (hashes, rows) = found(row.getLong(0))
        found(row.getLong(0)) = (hashes ^ row.getLong(1), rows + row.getLong(2))
      }
      if (options.mode == "stream")
        streams.run(options.edges, reads(query)) { edges =>
          answers(edges, query).writeStream.foreachBatch { (rows: DataFrame, _: Long) =>
            GroupQueries.hashed(rows).collect().foreach(note)
          }
        }
      else GroupQueries.hashed(answers(files.table(spark, options.edges), query)).collect().foreach(note)
      val starts =
        if (GroupQueries.isTable(query) || GroupQueries.areOfEvents(query)) Seq(GroupQueries.TableStart)
        else new EdgeWindows(options).answered(GroupQueries.comparesWindows(query))
      // Rows of windows that the stream does not close may come early.
      if (GroupQueries.areEarly(query)) found.filterInPlace((start, _) => starts.contains(start))
      val unknown = found.keySet.toSeq.sorted.diff(starts)
      require(
        unknown.isEmpty,
        s"$query answered the windows ${unknown.mkString(", ")}, which are not asked for"
      )
      val checks = starts.map { start =>
        val (hashes, rows) = found(start)
        start -> Answers.check(hashes, rows)
      }
      run.copy(
        windows = starts.size,
        rows = found.values.map(_._2).sum,
        checks = checks.toMap
      )
    }

  /** Spark reads the stream once for the edges, and once for the events among them. */
  private def reads(query: String): Int = if (GroupQueries.areOfEvents(query)) 2 else 1

  private def isRival(query: String): Boolean = GroupQueries.OfUnionFind.contains(query)

  private def answers(edges: DataFrame, query: String): DataFrame =
    GroupQueries.answers(options, files, edges, query)
}
