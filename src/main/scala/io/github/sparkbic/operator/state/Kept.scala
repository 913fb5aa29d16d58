package io.github.sparkbic.operator.state

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, StateLayout}

/** What the state of a graph must hold beside the edges of the windows to come, by the question. A query that is started
  * again must ask for the same, or rows would be missing, or come twice.
  *
  * @param tag the number in a saved shape
  */
private[sparkbic] sealed abstract class Kept(tag: Int) extends Product with Serializable {

  /** Whether each window is compared with the window before. */
  final def comparesWindows: Boolean = Kept.compares(tag)

  /** Whether components keep their names from window to window. */
  final def hasNames: Boolean = tag == StateLayout.Named

  /** Whether the state holds a [[KeptPart]]. */
  final def hasPart: Boolean = hasNames || tag == StateLayout.Early

  /** Where the rows are updates of the rows of the window before, the least size of the components that count; else 0. */
  def updatesFrom: Long = 0

  final def save(out: BinaryWriter): Unit = {
    out.unsigned(tag.toLong)
    if (comparesWindows) out.unsigned(updatesFrom)
  }

  /** Says what a query does that has this kept.
    * @param other what another query keeps, from which this one is told apart
    */
  final def describe(other: Kept): String = {
    val does = this match {
      case Kept.Nothing if other == Kept.Emitted =>
        Some("gives no row before its window closes, as without early")
      case Kept.Nothing         => Some("does not compare windows")
      case Kept.WindowBefore(0) => Some("compares each window with the window before")
      case Kept.WindowBefore(_) => None
      case Kept.Names(_)        => Some("keeps the names of components, as stable does")
      case Kept.Emitted         => Some("gives rows before their window closes, as early does")
    }
    val updates =
      if (updatesFrom == 0) None
      else Some(s"gives updates_only, of components of at least $updatesFrom vertices")
    (does ++ updates).mkString(", and ")
  }
}

private[sparkbic] object Kept {
  case object Nothing extends Kept(StateLayout.Apart)

  /** The window answered last. */
  final case class WindowBefore(override val updatesFrom: Long = 0) extends Kept(StateLayout.Compared)

  /** The window answered last, and the names of its components ([[KeptNames]]). */
  final case class Names(override val updatesFrom: Long = 0) extends Kept(StateLayout.Named)

  /** The open windows for which rows have come ([[EmittedWindows]]). */
  case object Emitted extends Kept(StateLayout.Early)

  private def compares(tag: Int): Boolean = tag == StateLayout.Compared || tag == StateLayout.Named

  /** Reads the bytes of [[Kept.save]]. */
  def restore(in: BinaryReader): Kept = {
    val tag = in.below(4, "what is kept beside the windows")
    val updatesFrom = if (compares(tag)) in.unsigned() else 0L
    tag match {
      case StateLayout.Apart    => Nothing
      case StateLayout.Compared => WindowBefore(updatesFrom)
      case StateLayout.Named    => Names(updatesFrom)
      case StateLayout.Early    => Emitted
    }
  }
}
