package io.github.sparkbic.operator.forests

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{DataType, IntegerType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Graphs are found by their keys, whatever type these have. */
class GraphTableSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val longs = Gen.oneOf(Gen.choose(-3L, 40L), Gen.oneOf(Long.MinValue, Long.MaxValue), Gen.long)

  private val strings =
    Gen.oneOf(Gen.oneOf("", "a", "b", "twelve bytes"), Gen.alphaNumStr).map(UTF8String.fromString)

  private val values: Map[DataType, Gen[Any]] =
    Map(LongType -> longs, IntegerType -> Gen.choose(-9, 9), StringType -> strings)

  // Keys of one column are two words, unless it is a string; a null has the value of a zero, and of an empty string.
  private val keyTypes: Seq[Seq[DataType]] =
    Seq(Seq(LongType), Seq(IntegerType), Seq(StringType), Seq(LongType, LongType), Seq(LongType, StringType))

  private def keys(types: Seq[DataType]): Gen[List[Seq[Any]]] = {
    val columns = types.map(t => Gen.frequency(9 -> values(t), 1 -> Gen.const(null)))
    Gen.listOf(Gen.sequence[Seq[Any], Any](columns))
  }

  private val task = StageOne.open()
  private def graph(key: UnsafeRow) = new OpenGraph(key.copy(), task)

  test("a graph is found by the key that it was added with, and by no other; drained, all are gone") {
    keyTypes.foreach { types =>
      val table = new GraphTable
      val toUnsafe = UnsafeProjection.create(types.toArray)
      forAll(keys(types)) { keys =>
        table.drain(): Unit
        val wanted = ArrayBuffer.empty[(Seq[Any], OpenGraph)]
        keys.foreach { key =>
          val row = toUnsafe(InternalRow.fromSeq(key))
          wanted.find(_._1 == key) match {
            case Some((_, found)) => assert(table.get(row) eq found)
            case None =>
              assert(table.get(row) == null)
              wanted += key -> graph(row)
              table.add(wanted.last._2)
          }
        }
        assert(table.drain().sameElements(wanted.map(_._2)))
        assert(keys.forall(key => table.get(toUnsafe(InternalRow.fromSeq(key))) == null))
      }
    }
  }

  test("very many graphs") {
    val table = new GraphTable
    val graphs = (0L until 100000L).map(key => graph(StageOne.key(key << 20)))
    graphs.foreach(table.add)
    graphs.indices.foreach(i => assert(table.get(StageOne.key(i.toLong << 20)) eq graphs(i)))
    assert(table.get(StageOne.key(1)) == null)
  }
}
