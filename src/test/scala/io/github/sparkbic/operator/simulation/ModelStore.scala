package io.github.sparkbic.operator.simulation

import java.util.zip.CRC32C

import scala.collection.compat._
import scala.collection.mutable
import scala.util.Random

/** An entry in the state of one partition. `kind` is `v` for a value, `h`, `p` and `k` for header, part and what is kept
  * beside the parts, and `t` for the time at which Spark calls again.
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
    (from + 1 to version).foldLeft(snapshots.getOrElse(from, Map.empty: State)) { (state, v) =>
      changes(v).foldLeft(state) {
        case (state, (place, Some(bytes))) => state.updated(place, bytes)
        case (state, (place, None))        => state - place
      }
    }
  }

  /** A checksum of all files of changes, in the order in which they were written. */
  def written: Long = crc.getValue

  private val crc = new CRC32C

  def commit(version: Int, made: Changes): Unit = {
    changes(version) = made
    made.toSeq.sortBy(_._1.toString).foreach { case (place, bytes) =>
      crc.update(s"$version $place ${bytes.isEmpty}".getBytes("UTF-8"))
      bytes.foreach(crc.update(_))
    }
  }

  def snapshot(version: Int): Unit = if (version > 0) snapshots(version) = load(version)

  /** Goes back to a copy of the files that had no later version. */
  def truncate(version: Int): Unit = {
    changes.keys.filter(_ > version).toSeq.foreach(changes.remove)
    snapshots.keys.filter(_ > version).toSeq.foreach(snapshots.remove)
  }

  /** Entries that the newest version, with this number, may read from a file of changes. */
  private def entries(version: Int): Seq[(Int, Place, Array[Byte])] = {
    val written = for {
      (v, made) <- changes.toSeq if v <= version
      (place, Some(bytes)) <- made.toSeq if place.kind != 't' && bytes.nonEmpty
    } yield (v, place, bytes)
    written.sortBy { case (v, place, _) => (v, place.toString) }
  }

  private def replace(version: Int, place: Place, bytes: Array[Byte], damaged: Array[Byte]): Unit = {
    changes(version) = changes(version).updated(place, Some(damaged))
    damages += Damaged(version, place, bytes, damaged)
  }

  /** Flips a bit of an entry, or cuts the entry off at some length; false if there is none. */
  def damage(version: Int, random: Random, isCut: Boolean): Boolean = {
    val written = entries(version)
    written.nonEmpty && {
      val (v, place, bytes) = written(random.nextInt(written.size))
      val at = random.nextInt(bytes.length * (if (isCut) 1 else 8))
      def flipped = bytes.updated(at / 8, (bytes(at / 8) ^ (1 << at % 8)).toByte)
      replace(v, place, bytes, if (isCut) bytes.take(at) else flipped)
      true
    }
  }

  /** Puts two entries of other places in each other's place; false if all entries are of one place.
    * Damaged entries stay: from the place of another graph, an entry could come home to a later version of its own. No
    * value can tell that an older one of the same graph has taken its place.
    */
  def exchange(version: Int, random: Random): Boolean = {
    val written = entries(version).filterNot { case (_, _, bytes) => damages.exists(_.after eq bytes) }
    val places = written.map(_._2).distinct
    places.size > 1 && {
      val (one, other) = {
        val drawn = random.shuffle(places)
        (drawn(0), drawn(1))
      }
      def any(place: Place) = {
        val of = written.filter(_._2 == place)
        of(random.nextInt(of.size))
      }
      val ((v, _, bytes), (w, _, others)) = (any(one), any(other))
      replace(v, one, bytes, others.clone())
      replace(w, other, others, bytes.clone())
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

  /** An entry in the file of a version, before and after the damage. */
  final private case class Damaged(version: Int, place: Place, before: Array[Byte], after: Array[Byte])

  def changes(from: State, to: State): Changes =
    to.filter { case (place, bytes) => from.get(place).forall(_ ne bytes) }.map { case (place, bytes) =>
      place -> Option(bytes)
    } ++ from.keys.filterNot(to.contains).map(_ -> Option.empty[Array[Byte]])
}
