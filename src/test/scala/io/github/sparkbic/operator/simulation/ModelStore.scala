package io.github.sparkbic.operator.simulation

import scala.collection.compat._
import scala.collection.mutable
import scala.util.Random

/** An entry in the state of one partition. `kind` is `v` for a value, `h`, `p` and `n` for header, part and names, and `t`
  * for the time at which Spark calls again.
  */
final case class Place(graph: Int, kind: Char, pane: Long = 0, number: Int = 0)

/** The state store of one partition: a file of changes for each version, and snapshots of some versions. A late attempt
  * may write the changes of a version again, as in Spark, when later versions have been made from the first ones.
  */
final class ModelStore {
  import ModelStore._

  private val changes = mutable.Map.empty[Int, Changes]
  private val snapshots = mutable.Map.empty[Int, State]
  private val damages = mutable.ArrayBuffer.empty[Damaged]

  def load(version: Int): State = {
    val from = snapshots.keys.filter(_ <= version).maxOption.getOrElse(0)
    (from + 1 to version).foldLeft(snapshots.getOrElse(from, empty)) { (state, v) =>
      changes(v).foldLeft(state) {
        case (state, (place, Some(bytes))) => state.updated(place, bytes)
        case (state, (place, None))        => state - place
      }
    }
  }

  def commit(version: Int, made: Changes): Unit = changes(version) = made

  def snapshot(version: Int): Unit = if (version > 0) snapshots(version) = load(version)

  /** Goes back to a copy of the files that had no later version. */
  def truncate(version: Int): Unit = {
    changes.keys.filter(_ > version).toSeq.foreach(changes.remove)
    snapshots.keys.filter(_ > version).toSeq.foreach(snapshots.remove)
  }

  /** Flips a bit of what the newest version, with this number, reads from a file of changes; false if there is none. */
  def damage(version: Int, random: Random): Boolean = {
    val written = for {
      (v, made) <- changes.toSeq if v <= version
      (place, Some(bytes)) <- made.toSeq if place.kind != 't' && bytes.nonEmpty
    } yield (v, place, bytes)
    if (written.isEmpty) false
    else {
      val inOrder = written.sortBy { case (v, place, _) => (v, place.toString) }
      val (v, place, bytes) = inOrder(random.nextInt(inOrder.size))
      val damaged = bytes.clone()
      val bit = random.nextInt(8 * bytes.length)
      damaged(bit / 8) = (damaged(bit / 8) ^ (1 << bit % 8)).toByte
      changes(v) = changes(v).updated(place, Some(damaged))
      damages += Damaged(v, place, bytes, damaged)
      true
    }
  }

  def isDamaged: Boolean = damages.nonEmpty

  /** Takes damaged files from a copy, and drops snapshots, which may have been made of damaged files. */
  def repair(): Unit = {
    // A file that has been written again, or is gone, stays so.
    damages.reverseIterator.foreach { case Damaged(v, place, before, after) =>
      val isThere = changes.get(v).flatMap(_.get(place)).flatten.exists(_ eq after)
      if (isThere) changes(v) = changes(v).updated(place, Some(before))
    }
    damages.clear()
    snapshots.clear()
  }
}

object ModelStore {
  type State = Map[Place, Array[Byte]]
  type Changes = Map[Place, Option[Array[Byte]]]

  val empty: State = Map.empty

  /** An entry in the file of a version, before and after a bit has flipped. */
  final private case class Damaged(version: Int, place: Place, before: Array[Byte], after: Array[Byte])

  /** The changes that lead from one state to another. */
  def changes(from: State, to: State): Changes =
    to.filter { case (place, bytes) => from.get(place).forall(_ ne bytes) }.map { case (place, bytes) =>
      place -> Option(bytes)
    } ++ from.keys.filterNot(to.contains).map(_ -> Option.empty[Array[Byte]])
}
