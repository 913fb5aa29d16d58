package io.github.sparkbic.operator.simulation

import scala.collection.mutable

import io.github.sparkbic.index.format.{BinaryReader, CorruptStateException, StateLayout}
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.state.{LiveGraphs, StateFrame, StreamedGraph, UnboundedGraphs}
import io.github.sparkbic.operator.state.LiveGraphs.Slot

/** A fault that is planted between the operator and what is around it, so that a simulation must fail. [[Mutant.None]] is
  * no fault.
  *
  * @param liveGraphs  makes the graphs alive in a new executor
  * @param version     of the state that a task loads
  * @param loads       the state that a task finds there
  * @param commits     what a task writes to the state store
  * @param watermark   that the operator sees
  * @param arrives     the blocks of one graph that the operator sees
  * @param losesCommit what the sink does about a micro-batch whose commit is lost, and which will run again
  */
private[operator] final class Mutant(
    val name: String,
    val liveGraphs: () => LiveGraphs = () => new UnboundedGraphs,
    val version: Int => Int = identity,
    val loads: ModelStore.State => ModelStore.State = identity[ModelStore.State],
    val commits: ModelStore.Changes => ModelStore.Changes = identity[ModelStore.Changes],
    val watermark: Long => Long = identity,
    val arrives: Seq[PackedBlock] => Seq[PackedBlock] = identity[Seq[PackedBlock]],
    val answers: Seq[String] => Seq[String] = identity[Seq[String]],
    val losesCommit: mutable.ArrayBuffer[World.Committed] => Unit = committed =>
      committed.remove(committed.size - 1): Unit
)

private[operator] object Mutant {
  val None: Mutant = new Mutant("no fault")

  private def loses(name: String)(lost: (Place, Option[Array[Byte]]) => Boolean): Mutant =
    new Mutant(name, commits = _.filterNot(lost.tupled))

  private class Careless extends UnboundedGraphs {
    private val last = mutable.Map.empty[Slot, StreamedGraph]
    override def take(slot: Slot, stored: Array[Byte]): Option[StreamedGraph] = last.remove(slot)
    override def put(slot: Slot, stamp: Array[Byte], graph: StreamedGraph, size: Long, limit: Long): Unit =
      last(slot) = graph
  }

  private class Sharing extends UnboundedGraphs {
    override def take(slot: Slot, stored: Array[Byte]): Option[StreamedGraph] = {
      val found = super.take(slot, stored)
      found.foreach(super.put(slot, stored.clone(), _, 1000L, 1L << 20))
      found
    }
  }

  val all: Seq[Mutant] = Seq(
    new Mutant("a live graph is used whatever the state holds", liveGraphs = () => new Careless),
    new Mutant("a live graph stays in the cache while an attempt uses it", liveGraphs = () => new Sharing),
    new Mutant("a task loads the version before the last one", version = right => math.max(0, right - 1)),
    new Mutant(
      "the state of a partition is lost when it has three graphs' worth of entries",
      loads = state => if (state.size > 6) Map.empty else state
    ),
    loses("removed entries stay in the state")((_, bytes) => bytes.isEmpty),
    loses("removed parts of panes stay in the state")((place, bytes) => place.kind == 'p' && bytes.isEmpty),
    loses("the second part of an open pane is not written")((place, bytes) =>
      place.kind == 'p' && place.number > 0 && bytes.nonEmpty
    ),
    loses("what is kept beside the parts is not written")((place, _) => place.kind == 'k'),
    loses("timers are not set")((place, bytes) => place.kind == 't' && bytes.nonEmpty),
    loses("the state of graph 1 is not written again")((place, bytes) =>
      place.graph == 1 && place.kind == 'v' && bytes.exists(_.length > 150)
    ),
    new Mutant("the watermark is one millisecond ahead", watermark = _ + 1),
    new Mutant(
      "the watermark is a millisecond behind, so late edges count",
      watermark = t => math.max(0, t - 1)
    ),
    new Mutant("the last block of a graph is lost", arrives = of => if (of.size > 2) of.dropRight(1) else of),
    new Mutant("a block comes twice", arrives = blocks => blocks.take(1) ++ blocks),
    new Mutant(
      "a block is counted for the next pane",
      arrives = _.map { block =>
        if (block.countsNulls) block else block.copy(pane = block.pane + 1)
      }
    ),
    new Mutant("the last row of a task is lost", answers = of => if (of.size > 3) of.dropRight(1) else of),
    new Mutant("the first row of a task comes twice", answers = lines => lines.take(1) ++ lines),
    new Mutant(
      "a micro-batch that runs again adds its rows to those of its first run",
      losesCommit = { committed =>
        val last = committed.remove(committed.size - 1)
        committed.lastOption.foreach { before =>
          committed(committed.size - 1) = before.copy(lines = before.lines ++ last.lines)
        }
      }
    ),
    new Mutant(
      "what is damaged counts as never written",
      loads = _.filter { case (place, bytes) => place.kind == 't' || isWhole(bytes) }
    )
  )

  /** Whether the frame of a value has a right checksum. */
  private def isWhole(bytes: Array[Byte]): Boolean = {
    import StateLayout._
    Seq(GraphMagic, HeaderMagic, PartMagic, KeptMagic).exists { magic =>
      // The place that the frame names, so that the checksum alone is looked at.
      def place = new BinaryReader(bytes.slice(12, 16)).fixedInt()
      try { StateFrame.open(magic, place, bytes); true }
      catch { case _: CorruptStateException => false }
    }
  }
}
