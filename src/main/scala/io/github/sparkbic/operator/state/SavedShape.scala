package io.github.sparkbic.operator.state

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Locale

import io.github.sparkbic.arguments.Durations
import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException, FormatVersion, Panes}

/** The [[StateShape]] in a state, which must be that of the query:
  *
  * {{{
  * name of the index; window, slide, start time; the number of other windows, and how long they are; 1 if windows are
  * compared, else 0; since version 5, how many columns of `by` there are, and their names
  * }}}
  *
  * Spark itself keeps the types of the columns of `by`. It would take the one graph of a query without them for the graph
  * whose key is the integer 0, and columns that have changed places for one another.
  */
private[operator] object SavedShape {

  def save(shape: StateShape, out: BinaryWriter): Unit = {
    val panes = shape.panes
    out.unsigned(shape.indexName.length.toLong)
    out.raw(shape.indexName.getBytes("US-ASCII"))
    Seq(panes.window, panes.slide, panes.startTime).foreach(out.signed)
    out.unsigned(panes.shorter.size.toLong)
    panes.shorter.foreach(out.signed)
    out.unsigned(if (shape.comparesWindows) 1 else 0)
    out.unsigned(shape.by.size.toLong)
    shape.by.foreach { name =>
      val bytes = name.getBytes(UTF_8)
      out.unsigned(bytes.length.toLong)
      out.raw(bytes)
    }
  }

  /** Reads a shape, and refuses it if it is not `shape`. */
  def check(shape: StateShape, in: BinaryReader): Unit = {
    val name = new String(in.raw(in.count("the length of a name")), "US-ASCII")
    val saved = panes(in)
    val comparesWindows = in.below(2, "whether windows are compared") == 1
    val by = Option.when(in.version >= FormatVersion.WithKeys) {
      Seq.fill(in.count("the number of columns of by"))(new String(
        in.raw(in.count("the length of a name")),
        UTF_8
      ))
    }
    if (name != shape.indexName)
      throw new CorruptStateException(
        s"it belongs to the index '$name', but the query uses '${shape.indexName}'",
        CorruptStateException.OtherQuery
      )
    if (saved != shape.panes)
      throw new CorruptStateException(
        s"it belongs to ${describe(saved)}, but the query has ${describe(shape.panes)}",
        CorruptStateException.OtherQuery
      )
    if (comparesWindows != shape.comparesWindows)
      throw new CorruptStateException(
        s"it belongs to a query that ${if (comparesWindows) "compares" else "does not compare"} windows, as bicChanges " +
          "does, unlike this one",
        CorruptStateException.OtherQuery
      )
    by.filter(_.map(folded) != shape.by.map(folded)).foreach { saved =>
      throw new CorruptStateException(
        s"it belongs to a query ${describe(saved)}, but this one is ${describe(shape.by)}",
        CorruptStateException.OtherQuery
      )
    }
  }

  // Spark takes names that differ in case for one, unless told otherwise.
  private def folded(name: String): String = name.toLowerCase(Locale.ROOT)

  private def describe(by: Seq[String]): String =
    if (by.isEmpty) "without by" else by.map(name => s"'$name'").mkString("by ", ", ", "")

  private def panes(in: BinaryReader): Panes = {
    val (window, slide, start) = (positive(in, "the window"), positive(in, "the slide"), in.signed())
    val shorter = Seq.fill(in.count("the number of further windows"))(positive(in, "a window"))
    try Panes(window, slide, start, shorter)
    catch {
      case e: IllegalArgumentException =>
        throw new CorruptStateException(e.getMessage.stripPrefix("requirement failed: "))
    }
  }

  private def positive(in: BinaryReader, what: String): Long = {
    val value = in.signed()
    if (value <= 0) throw new CorruptStateException(s"$what is $value")
    value
  }

  private def describe(panes: Panes): String = {
    val lengths = (panes.window +: panes.shorter).map(Durations.show)
    val windows =
      if (lengths.size == 1) s"a window of ${lengths.head}" else s"windows of ${lengths.mkString(" and ")}"
    s"$windows, a slide of ${Durations.show(panes.slide)} and a start time of ${Durations.show(panes.startTime)}"
  }
}
