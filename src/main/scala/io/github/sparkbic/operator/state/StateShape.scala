package io.github.sparkbic.operator.state

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.TaskContext

import io.github.sparkbic.arguments.Durations
import io.github.sparkbic.index.contract.{IndexConfig, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException, StateLayout}

/** The settings of a streaming query that its state depends on. All but the index are saved with each graph, and must not
  * change at a restart.
  * Spark itself checks the types of the columns of `by`, but not their names, nor their number: without `by` there is one
  * key, the integer 0.
  *
  * @param indexName the index that answers; every index reads the same saved form
  * @param by        names of the columns that separate graphs
  * @param kept what the state holds beside the edges of the windows to come
  * @param config seeds and thresholds of every index, where they are given; else each index has the defaults
  */
private[sparkbic] final case class StateShape(
    indexName: String,
    panes: Panes,
    strings: Boolean,
    kept: Kept = Kept.Nothing,
    by: Seq[String] = Nil,
    config: Option[IndexConfig] = None
) {

  /** A task may use as many threads as Spark gives it cores (`spark.task.cpus`). */
  def indexConfig: IndexConfig =
    config.getOrElse(IndexConfig(threads = Option(TaskContext.get()).fold(1)(_.cpus())))
      .copy(idsAreNumbers = strings)

  /** The first whole millisecond at or after the start of `pane`. */
  def millisOf(pane: Long): Long = -Math.floorDiv(-panes.timeOf(pane), 1000L)

  // Window, slide, start time and further windows. Start times that differ by slides mean the same windows.
  private def lengths: Seq[Long] =
    Seq(panes.window, panes.slide, Math.floorMod(panes.startTime, panes.slide)) ++ panes.shorter

  def save(out: BinaryWriter): Unit = {
    lengths.take(3).foreach(out.signed)
    out.unsigned(panes.shorter.size.toLong)
    panes.shorter.foreach(out.signed)
    kept.save(out)
    out.unsigned((if (strings) StateLayout.Strings else StateLayout.Integral).toLong)
    out.unsigned(by.size.toLong)
    by.map(_.getBytes(UTF_8)).foreach { name =>
      out.unsigned(name.length.toLong)
      out.raw(name)
    }
  }

  /** Reads the shape of a state, and refuses a state of another query. */
  def check(in: BinaryReader): Unit = {
    def require(isSame: Boolean, difference: => String): Unit =
      if (!isSame) throw new CorruptStateException(difference, CorruptStateException.OtherQuery)

    val saved = Seq.fill(3)(in.signed()) ++
      Seq.fill(in.count("the number of further windows"))(in.signed())
    require(
      saved == lengths,
      s"it belongs to ${ofLengths(saved)}, but the query has ${ofLengths(lengths)}"
    )
    val savedKept = Kept.restore(in)
    require(
      savedKept == kept,
      s"it belongs to a query that ${savedKept.describe(kept)}, but this one ${kept.describe(savedKept)}"
    )
    require(
      (in.below(2, "the kind of vertex ids") == StateLayout.Strings) == strings,
      s"its vertex ids are ${if (strings) "integral" else "strings"}, those of the query are not"
    )
    val columns = Seq.fill(in.count("the number of columns of by")) {
      new String(in.raw(in.count("the length of a name")), UTF_8)
    }
    // By default Spark's names of columns ignore case.
    require(
      columns.corresponds(by)(_ equalsIgnoreCase _),
      s"it belongs to a query ${ofColumns(columns)}, but this one is ${ofColumns(by)}"
    )
  }

  private def ofColumns(by: Seq[String]): String =
    if (by.isEmpty) "without by" else by.map(name => s"'$name'").mkString("by ", ", ", "")

  private def ofLengths(lengths: Seq[Long]): String = {
    val shown = lengths.map(Durations.show)
    val windows = shown.head +: shown.drop(3)
    s"${if (windows.size == 1) "a window" else "windows"} of ${windows.mkString(" and ")}, a slide of " +
      s"${shown(1)} and a start time of ${shown(2)}"
  }
}
