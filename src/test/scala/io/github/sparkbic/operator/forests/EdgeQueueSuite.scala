package io.github.sparkbic.operator.forests

import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{DataType, IntegerType, LongType}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Edges that wait for others come to the same forests as edges that do not wait. */
class EdgeQueueSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  // The key of two columns is no short key, so its edges never wait.
  private val keyTypes: Seq[Seq[DataType]] =
    Seq(Seq(LongType), Seq(IntegerType), Seq(LongType, IntegerType))

  /** Feeds forests with random edges, nulls and closes, and gives the blocks of each close. */
  private def blocks(types: Seq[DataType], leastQueued: Int, seed: Long, graphs: Int): Seq[Set[UnsafeRow]] = {
    val random = new Random(seed)
    val forests = StageOne.open(keys = types, leastQueued = leastQueued)
    val toUnsafe = UnsafeProjection.create(types.toArray)
    val all = Seq.newBuilder[Set[UnsafeRow]]
    (0 until 1500).foreach { _ =>
      val graph = random.nextInt(graphs)
      val key = types.map {
        case _ if graph == 1 => null
        case IntegerType     => graph
        case _               => graph.toLong
      }
      // The row is overwritten, as in generated code.
      val row = toUnsafe(InternalRow.fromSeq(key))
      random.nextInt(400) match {
        case 0               => all += StageOne.rows(forests).toSet
        case few if few < 20 => forests.graph(row).addNull()
        case few =>
          val time = if (few < 100) 10L * few else 0L
          forests.add(row, random.nextInt(9).toLong, random.nextInt(9).toLong, time)
      }
    }
    all += StageOne.rows(forests).toSet
    all.result()
  }

  test("the blocks are those of edges that do not wait") {
    keyTypes.foreach { types =>
      forAll(Gen.long, Gen.oneOf(1, 5, 60, 700), Gen.oneOf(0, 1, 4, 50)) { (seed, graphs, leastQueued) =>
        assert(blocks(types, leastQueued, seed, graphs) == blocks(types, Int.MaxValue, seed, graphs))
      }
    }
  }
}
