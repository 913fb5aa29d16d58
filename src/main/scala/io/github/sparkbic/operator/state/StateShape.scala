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
  * @param keepsNames whether components keep their names from window to window; only where windows are compared
  * @param updatesFrom where the rows are updates of the rows of the window before, the least size of the components that
  *   count; only where windows are compared. Otherwise a restart would give updates of rows that were never given
  * @param early whether rows may come before their window closes, so that the state keeps which rows have come
  * @param config seeds and thresholds of every index, where they are given; else each index has the defaults
  */
private[sparkbic] final case class StateShape(
    indexName: String,
    panes: Panes,
    strings: Boolean,
    comparesWindows: Boolean = false,
    by: Seq[String] = Nil,
    keepsNames: Boolean = false,
    updatesFrom: Option[Long] = None,
    early: Boolean = false,
    config: Option[IndexConfig] = None
) {
  import StateShape._

  /** A task may use as many threads as Spark gives it cores (`spark.task.cpus`). */
  def indexConfig: IndexConfig =
    config.getOrElse(IndexConfig(threads = Option(TaskContext.get()).fold(1)(_.cpus())))

  require(
    comparesWindows || !keepsNames && updatesFrom.isEmpty,
    "names are kept, and updates given, only where windows are compared"
  )
  require(!comparesWindows || !early, "where windows are compared, no row comes early")

  /** Whether a graph keeps more than its panes: the names of components, or the rows that have come early. */
  def keepsPart: Boolean = keepsNames || early

  private def memory: Int =
    if (keepsNames) StateLayout.Named
    else if (comparesWindows) StateLayout.Compared
    else if (early) StateLayout.Early
    else StateLayout.Apart

  // Start times that differ by slides mean the same windows.
  private def firstStart: Long = Math.floorMod(panes.startTime, panes.slide)

  /** The first whole millisecond at or after the start of `pane`. */
  def millisOf(pane: Long): Long = -Math.floorDiv(-panes.timeOf(pane), 1000L)

  def save(out: BinaryWriter): Unit = {
    Seq(panes.window, panes.slide, firstStart).foreach(out.signed)
    out.unsigned(panes.shorter.size.toLong)
    panes.shorter.foreach(out.signed)
    out.unsigned(memory.toLong)
    if (comparesWindows) out.unsigned(updatesFrom.getOrElse(0L))
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

    val saved = restorePanes(in)
    require(
      saved == panes.copy(startTime = firstStart),
      s"it belongs to ${describe(saved)}, but the query has ${describe(panes)}"
    )
    val savedMemory = in.below(4, "what is kept beside the windows")
    val savedUpdates = if (compares(savedMemory)) in.unsigned() else 0L
    require(
      savedMemory == memory && savedUpdates == updatesFrom.getOrElse(0L),
      s"it belongs to a query that ${describe(savedMemory, savedUpdates, memory)}, but this one " +
        describe(memory, updatesFrom.getOrElse(0L), savedMemory)
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
      s"it belongs to a query ${describe(columns)}, but this one is ${describe(by)}"
    )
  }
}

private[sparkbic] object StateShape {
  private def restorePanes(in: BinaryReader): Panes = {
    val (window, slide, start) = (in.signed(), in.signed(), in.signed())
    val shorter = Seq.fill(in.count("the number of further windows"))(in.signed())
    try Panes(window, slide, start, shorter)
    catch {
      case e: IllegalArgumentException =>
        throw new CorruptStateException(e.getMessage.stripPrefix("requirement failed: "))
    }
  }

  private def compares(memory: Int): Boolean = memory == StateLayout.Compared || memory == StateLayout.Named

  /** @param other what the query keeps that this one is told apart from */
  private def describe(memory: Int, updatesFrom: Long, other: Int): String = {
    val updates = s"gives updates_only, of components of at least $updatesFrom vertices"
    val parts = Seq(
      if (memory == StateLayout.Named) Some("keeps the names of components, as stable does") else None,
      if (memory == StateLayout.Early) Some("gives rows before their window closes, as early does") else None,
      if (updatesFrom > 0) Some(updates) else None,
      if (memory == StateLayout.Compared && updatesFrom == 0) Some("compares windows, as bicChanges does")
      else None
    ).flatten
    if (parts.isEmpty && other == StateLayout.Early) "gives no row before its window closes, as without early"
    else if (parts.isEmpty) "does not compare windows"
    else parts.mkString(", and ")
  }

  private def describe(by: Seq[String]): String =
    if (by.isEmpty) "without by" else by.map(name => s"'$name'").mkString("by ", ", ", "")

  private def describe(panes: Panes): String = {
    val lengths = (panes.window +: panes.shorter).map(Durations.show)
    s"${if (lengths.size == 1) "a window" else "windows"} of ${lengths.mkString(" and ")}, a slide of " +
      s"${Durations.show(panes.slide)} and a start time of ${Durations.show(panes.startTime)}"
  }
}
