package io.github.sparkbic.operator.forests

import scala.util.Random

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types.{DataType, IntegerType, LongType, StructField, StructType, TimestampType}
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Stream, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.block.PackedBlock

/** Edges that wait for others come to the same forests as edges that do not wait. */
class EdgeQueueSuite extends QueryTest with SharedSparkSession with ScalaCheckPropertyChecks {
  import testImplicits._

  // The key of two columns is no short key, so its edges never wait.
  private val keyTypes: Seq[Seq[DataType]] =
    Seq(Seq(LongType), Seq(IntegerType), Seq(LongType, IntegerType))

  private def open(types: Seq[DataType], leastQueued: Int) = {
    val keys = types.indices.map(i => StructField(s"key$i", types(i)))
    val schema = StructType((keys ++ PackedBlock.fields) :+ StructField("eventTime", TimestampType))
    new OpenGraphs(
      Panes(10, 10),
      strings = false,
      forState = false,
      None,
      schema,
      leastQueued = leastQueued
    )
  }

  /** Feeds forests with random edges, nulls and closes, and gives the blocks of each close. */
  private def blocks(
      types: Seq[DataType],
      leastQueued: Int,
      seed: Long,
      graphs: Int
  ): Seq[Set[UnsafeRow]] = {
    val random = new Random(seed)
    val forests = open(types, leastQueued)
    val toUnsafe = UnsafeProjection.create(types.toArray)
    def closed(): Set[UnsafeRow] = {
      forests.close()
      Iterator.continually(forests.next()).takeWhile(_ != null).map(_.copy()).toSet
    }
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
        case 0               => all += closed()
        case few if few < 20 => forests.graph(row).addNull()
        case few if few < 100 =>
          forests.add(row, random.nextInt(9).toLong, random.nextInt(9).toLong, 10L * few)
        case _ => forests.add(row, random.nextInt(9).toLong, random.nextInt(9).toLong, 0L)
      }
    }
    all += closed()
    all.result()
  }

  test("the blocks are those of edges that do not wait") {
    keyTypes.foreach { types =>
      forAll(Gen.long, Gen.oneOf(1, 5, 60, 700), Gen.oneOf(0, 1, 4, 50)) { (seed, graphs, leastQueued) =>
        assert(blocks(types, leastQueued, seed, graphs) == blocks(types, Int.MaxValue, seed, graphs))
      }
    }
  }

  test("a query of so many graphs that edges wait has the answers of the oracle") {
    val random = new Random(11)
    val panes = Panes(20, 10)
    val edges = Seq.fill(60000)(
      random.nextInt(EdgeQueue.LeastGraphs + 900) ->
        TimedEdge(random.nextInt(40).toLong, random.nextInt(6).toLong, random.nextInt(6).toLong)
    )
    val asked = Seq(0L -> 1L, 2L -> 2L, 3L -> 5L)
    val wanted = edges.groupBy(_._1).toSeq.flatMap { case (graph, ofGraph) =>
      expected(graph, Stream(ofGraph.map(_._2), panes), asked)
    }
    val got = edges.map { case (graph, edge) => row(graph, edge) }.toDF().coalesce(1)
      .bicConnectivity("20 seconds", "10 seconds", pairs(spark, asked), by = Seq("graph"))
    val found = answers(got.collect().toSeq)
    assert(found.size == wanted.size && found.toSet == wanted.toSet)
  }
}
