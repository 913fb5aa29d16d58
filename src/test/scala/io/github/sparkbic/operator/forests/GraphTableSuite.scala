package io.github.sparkbic.operator.forests

import scala.collection.compat._
import scala.collection.mutable
import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.types.{DataType, IntegerType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.TimedEdge

/** Graphs are found by their keys, whatever type these have, and whether edges wait for others or not. */
class GraphTableSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import StageOne._

  // A key of one column is short unless it is a string; edges wait only if the key is short.
  private val keyTypes: Seq[Seq[DataType]] =
    Seq[DataType](LongType, IntegerType, StringType).map(Seq(_)) ++
      Seq[Seq[DataType]](Seq(LongType, IntegerType), Seq(LongType, StringType))

  /** Graph 0 has the value of a null in bytes, and graph 1 is null. */
  private def key(types: Seq[DataType], graph: Int): Seq[Any] = types.map {
    case _ if graph == 1     => null
    case IntegerType         => graph - graph % 2 * 9
    case StringType          => UTF8String.fromString("x" * (graph % 20) + (if (graph < 20) "" else graph))
    case _ if graph % 3 == 2 => Long.MinValue + graph
    case _                   => graph.toLong << graph % 40
  }

  private type Graph = (Long, Map[Long, (Long, Map[Long, Long])])

  /** Of each key the rows with a null, and of each pane the number and the components of its edges. */
  private def sent(forests: OpenGraphs, types: Seq[DataType], strings: Boolean): Map[Seq[Any], Graph] =
    rows(forests).map { row =>
      types.indices.map(i => row.copy().get(i, types(i))) -> block(row, from = types.size)
    }.groupMap(_._1)(_._2).map { case (key, blocks) =>
      val (nulls, edges) = blocks.partition(_.countsNulls)
      assert(edges.map(_.pane).distinct.size == edges.size)
      key -> (nulls.map(_.edges).sum -> read(edges, strings))
    }

  test("the blocks of a graph hold the edges that came with its key, and no others") {
    keyTypes.foreach { types =>
      val toUnsafe = UnsafeProjection.create(types.toArray)
      val vertices = Gen.oneOf((false, false), (true, false), (true, true))
      forAll(Gen.long, Gen.oneOf(1, 5, 60, 700), Gen.oneOf(0, 1, 4, 50, Int.MaxValue), vertices) {
        case (seed, graphs, leastQueued, (strings, forState)) =>
          val random = new Random(seed)
          val forests =
            open(strings = strings, forState = forState, keys = types, leastQueued = leastQueued)
          val come = mutable.Map.empty[Seq[Any], (Int, Seq[TimedEdge])].withDefaultValue((0, Nil))
          def check(): Unit = {
            val wanted = come.map { case (key, (nulls, edges)) =>
              key -> (nulls.toLong -> StageOne.wanted(edges))
            }
            assert(sent(forests, types, strings) == wanted.toMap)
            come.clear()
          }
          (0 until 1500).foreach { _ =>
            val values = key(types, random.nextInt(graphs))
            val (nulls, edges) = come(values)
            // The row is overwritten, as in generated code.
            val row = toUnsafe(InternalRow.fromSeq(values))
            random.nextInt(400) match {
              case 0 => check()
              case few if few < 20 =>
                forests.graph(row).addNull()
                come(values) = (nulls + 1, edges)
              case few =>
                val time = if (few < 100) 10L * few else 0L
                val edge = TimedEdge(time, random.nextInt(9).toLong, random.nextInt(9).toLong)
                if (strings) forests.add(row, utf8(s"${edge.src}"), utf8(s"${edge.dst}"), edge.time)
                else forests.add(row, edge.src, edge.dst, edge.time)
                come(values) = (nulls, edges :+ edge)
            }
          }
          check()
      }
    }
  }
}
