package io.github.sparkbic.operator.simulation

import scala.collection.mutable

import io.github.sparkbic.index.TestEdges
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.{BinaryReader, CorruptStateException, StateLayout}
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.state.{LiveGraphs, StateFrame, StreamedGraph, UnboundedGraphs}

/** A fault that is planted between the operator and what is around it, so that a simulation must fail. [[Mutant.None]] is
  * no fault.
  */
private[operator] abstract class Mutant(val name: String) {

  /** The graphs alive in a new executor. */
  def liveGraphs(): LiveGraphs = new UnboundedGraphs

  /** The version of the state that a task loads. */
  def version(right: Int): Int = right

  def loads(state: ModelStore.State): ModelStore.State = state

  /** What a task writes to the state store. */
  def commits(changes: ModelStore.Changes): ModelStore.Changes = changes

  /** The watermark that the operator sees. */
  def watermark(right: Long): Long = right

  /** The blocks of one graph that the operator sees. */
  def arrives(blocks: Seq[PackedBlock]): Seq[PackedBlock] = blocks

  def answers(lines: Seq[String]): Seq[String] = lines

  /** What the sink does about a micro-batch whose commit is lost, and which will run again. */
  def losesCommit(committed: mutable.ArrayBuffer[World.Committed]): Unit =
    committed.remove(committed.size - 1): Unit
}

private[operator] object Mutant {
  import ModelStore.{Changes, State}

  val None: Mutant = new Mutant("no fault") {}

  /** @param apply which writes are left out */
  private def loses(name: String)(apply: (Place, Option[Array[Byte]]) => Boolean): Mutant =
    new Mutant(name) {
      override def commits(changes: Changes): Changes = changes.filterNot(apply.tupled)
    }

  private def sees(name: String)(seen: Seq[PackedBlock] => Seq[PackedBlock]): Mutant = new Mutant(name) {
    override def arrives(blocks: Seq[PackedBlock]): Seq[PackedBlock] = seen(blocks)
  }

  private def at(name: String)(time: Long => Long): Mutant = new Mutant(name) {
    override def watermark(right: Long): Long = time(right)
  }

  private def gives(name: String)(lines: Seq[String] => Seq[String]): Mutant = new Mutant(name) {
    override def answers(right: Seq[String]): Seq[String] = lines(right)
  }

  private def ofNumbers(block: PackedBlock): Boolean = block.edgeSet != null && block.names == null

  val all: Seq[Mutant] = Seq(
    new Mutant("a live graph is used whatever the state holds") {
      override def liveGraphs(): LiveGraphs = new UnboundedGraphs {
        private val last = mutable.Map.empty[LiveGraphs.Slot, StreamedGraph]
        override def take(slot: LiveGraphs.Slot, stored: Array[Byte]): Option[StreamedGraph] =
          last.remove(slot)
        override def put(
            slot: LiveGraphs.Slot,
            stamp: Array[Byte],
            graph: StreamedGraph,
            size: Long,
            limit: Long
        ): Unit = last(slot) = graph
      }
    },
    new Mutant("a live graph stays in the cache while an attempt uses it") {
      override def liveGraphs(): LiveGraphs = new UnboundedGraphs {
        override def take(slot: LiveGraphs.Slot, stored: Array[Byte]): Option[StreamedGraph] = {
          val found = super.take(slot, stored)
          found.foreach(super.put(slot, stored.clone(), _, 1000L, 1L << 20))
          found
        }
      }
    },
    new Mutant("a task loads the version before the last one") {
      override def version(right: Int): Int = math.max(0, right - 1)
    },
    new Mutant("the state of a partition is lost when it has three graphs' worth of entries") {
      override def loads(state: State): State = if (state.size > 6) Map.empty else state
    },
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
    at("the watermark is one millisecond ahead")(_ + 1),
    at("the watermark is a millisecond behind, so late edges count")(time => math.max(0L, time - 1)),
    sees("the last block of a graph is lost")(blocks => if (blocks.size > 2) blocks.dropRight(1) else blocks),
    sees("a block comes twice")(blocks => blocks.take(1) ++ blocks),
    sees("a block of a few edges lacks the last one")(_.map { block =>
      if (!ofNumbers(block)) block
      else {
        val links = TestEdges.links(EdgeSets.fromBytes(block.edgeSet))
        if (links.size < 3) block else block.copy(edgeSet = TestEdges.loose(links.dropRight(1)).toBytes)
      }
    }),
    sees("a block is counted for the next pane")(_.map { block =>
      if (block.countsNulls) block else block.copy(pane = block.pane + 1)
    }),
    gives("the last row of a task is lost")(lines => if (lines.size > 3) lines.dropRight(1) else lines),
    gives("the first row of a task comes twice")(lines => lines.take(1) ++ lines),
    new Mutant("a micro-batch that runs again adds its rows to those of its first run") {
      override def losesCommit(committed: mutable.ArrayBuffer[World.Committed]): Unit = {
        val last = committed.remove(committed.size - 1)
        if (committed.nonEmpty) {
          val before = committed.last
          committed(committed.size - 1) = before.copy(lines = before.lines ++ last.lines)
        }
      }
    },
    new Mutant("what is damaged counts as never written") {
      override def loads(state: State): State =
        state.filter { case (place, bytes) => place.kind == 't' || isWhole(bytes) }
    }
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
