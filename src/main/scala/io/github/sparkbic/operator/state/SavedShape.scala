package io.github.sparkbic.operator.state

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException, Panes}

/** The [[StateShape]] in a state, which must be that of the query:
  *
  * {{{
  * name of the index; window, slide, start time; the number of other windows, and how long they are; 1 if windows are
  * compared, else 0
  * }}}
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
  }

  /** Reads a shape, and refuses it if it is not `shape`. */
  def check(shape: StateShape, in: BinaryReader): Unit = {
    val name = new String(in.raw(in.count("the length of a name")), "US-ASCII")
    val saved = panes(in)
    val comparesWindows = in.below(2, "whether windows are compared") == 1
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
  }

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
    val windows =
      if (panes.shorter.isEmpty) s"a window of ${panes.window}"
      else s"windows of ${(panes.window +: panes.shorter).mkString(", ")}"
    s"$windows µs, a slide of ${panes.slide} µs and a start time of ${panes.startTime} µs"
  }
}
