package io.github.sparkbic.operator.state

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Values by their pane in saved bytes. */
private[state] object ByPane {

  /** @param values exactly `count` values, by rising pane */
  def save[A](values: Iterator[(Long, A)], count: Int, out: BinaryWriter)(saveValue: A => Unit): Unit = {
    out.unsigned(count.toLong)
    var previous = 0L
    values.foreach { case (pane, value) =>
      out.signed(pane - previous)
      previous = pane
      saveValue(value)
    }
  }

  /** @param panes     the name of the panes in an error, such as "pending panes"
    * @param readValue reads the value of a pane
    */
  def restore(in: BinaryReader, panes: String)(readValue: Long => Unit): Unit = {
    var pane = 0L
    (0 until in.count(s"the number of $panes")).foreach { i =>
      val step = in.signed()
      if (i > 0 && step <= 0) throw new CorruptStateException(s"the $panes are not in rising order")
      pane += step
      readValue(pane)
    }
  }
}
