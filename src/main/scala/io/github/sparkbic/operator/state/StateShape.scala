package io.github.sparkbic.operator.state

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Locale

import io.github.sparkbic.arguments.Durations
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException, StateLayout}

/** What of a stateful query its state depends on. All but the index is saved with each graph, and must stay as it is.
  *
  * Spark itself keeps the types of the columns of `by`. Spark would take the only graph of a query without `by` for the
  * graph whose key is the integer 0, and columns that have changed places for one another.
  *
  * @param indexName the index that answers, whose saved form is that of any other
  * @param by        names of the columns that tell graphs apart
  */
private[sparkbic] final case class StateShape(
    indexName: String,
    panes: Panes,
    strings: Boolean,
    comparesWindows: Boolean = false,
    by: Seq[String] = Nil
) {
  import StateShape._

  def save(out: BinaryWriter): Unit = {
    Seq(panes.window, panes.slide, panes.startTime).foreach(out.signed)
    out.unsigned(panes.shorter.size.toLong)
    panes.shorter.foreach(out.signed)
    out.unsigned(if (comparesWindows) 1 else 0)
    out.unsigned((if (strings) StateLayout.Strings else StateLayout.Integral).toLong)
    out.unsigned(by.size.toLong)
    by.map(_.getBytes(UTF_8)).foreach { name =>
      out.unsigned(name.length.toLong)
      out.raw(name)
    }
  }

  /** Reads the shape of a state, which must be this one. */
  def check(in: BinaryReader): Unit = {
    def require(isSame: Boolean, difference: => String): Unit =
      if (!isSame) throw new CorruptStateException(difference, CorruptStateException.OtherQuery)
    val saved = restorePanes(in)
    require(saved == panes, s"it belongs to ${describe(saved)}, but the query has ${describe(panes)}")
    require(
      (in.below(2, "whether windows are compared") == 1) == comparesWindows,
      s"it belongs to a query that ${if (comparesWindows) "does not compare" else "compares"} windows, as bicChanges " +
        "does, unlike this one"
    )
    require(
      (in.below(2, "the kind of vertex ids") == StateLayout.Strings) == strings,
      s"its vertex ids are ${if (strings) "integral" else "strings"}, those of the query are not"
    )
    val columns = Seq.fill(in.count("the number of columns of by")) {
      new String(in.raw(in.count("the length of a name")), UTF_8)
    }
    // Spark takes names that differ in case for the same, unless told otherwise.
    require(
      columns.map(_.toLowerCase(Locale.ROOT)) == by.map(_.toLowerCase(Locale.ROOT)),
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

  private def describe(by: Seq[String]): String =
    if (by.isEmpty) "without by" else by.map(name => s"'$name'").mkString("by ", ", ", "")

  private def describe(panes: Panes): String = {
    val lengths = (panes.window +: panes.shorter).map(Durations.show)
    val windows =
      if (lengths.size == 1) s"a window of ${lengths.head}" else s"windows of ${lengths.mkString(" and ")}"
    s"$windows, a slide of ${Durations.show(panes.slide)} and a start time of ${Durations.show(panes.startTime)}"
  }
}
