package io.github.sparkbic.operator.forests

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.bic.TestShims.{EventTimeStats, EventTimeStatsAccum}
import org.apache.spark.sql.catalyst.util.DateTimeUtils.microsToMillis
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types.{Decimal, LongType}
import org.apache.spark.sql.vectorized.{ColumnarArray, ColumnarBatch, ColumnarMap, ColumnVector}
import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.contract.Panes

/** Edges that come as columns: the same forests, counters and event times as from rows. */
class EdgeBatchesSuite extends QueryTest with SharedSparkSession with ScalaCheckPropertyChecks {
  import StageOne.{key, open, rows}

  private type Edge = (Option[Long], Option[Long], Option[Long])

  private def metric(): SQLMetric = SQLMetrics.createMetric(sparkContext, "some")

  private def column(values: Seq[Option[Long]]): ColumnVector = {
    val column = new OnHeapColumnVector(math.max(1, values.size), LongType)
    values.zipWithIndex.foreach { case (value, i) => value.fold(column.putNull(i))(column.putLong(i, _)) }
    column
  }

  private def longAt(place: Int) = EdgeBatches.Place(place, isInt = false)

  private val someTimes: Gen[Long] = Gen.frequency(
    6 -> Gen.choose(0L, 60L),
    1 -> Gen.oneOf(Long.MinValue, Long.MinValue + 3, Long.MaxValue - 3, Long.MaxValue)
  )

  private def nearEpoch(batches: Seq[Seq[Edge]]): Boolean =
    batches.flatten.flatMap(_._3).forall(math.abs(_) <= 60)

  private def orNull[A](values: Gen[A], nulls: Int): Gen[Option[A]] =
    Gen.frequency(20 -> values.map(Some(_)), nulls -> Gen.const(None))

  private val batches: Gen[Seq[Seq[Edge]]] = for {
    nulls <- Gen.oneOf(0, 1)
    vertices <- Gen.oneOf(5L, 1000000L)
    vertex = orNull(Gen.choose(0L, vertices), nulls)
    edge = Gen.zip(vertex, vertex, orNull(someTimes, nulls))
    // Times in runs, as most are, and anyhow.
    run = Gen.zip(edge, Gen.choose(1, 300)).map { case (edge, times) =>
      Seq.tabulate(times)(i => edge.copy(_2 = edge._2.map(_ + i)))
    }
    batch = Gen.listOf(Gen.frequency(3 -> edge.map(Seq(_)), 1 -> run)).map(_.flatten)
    all <- Gen.listOf(batch)
  } yield all

  test("batches, with and without nulls, give the blocks and event times that their rows give") {
    forAll(batches, Gen.oneOf(true, false), Gen.oneOf(Panes(10, 10), Panes(30, 20))) {
      (batches: Seq[Seq[Edge]], forState: Boolean, panes: Panes) =>
        val (byRow, byBatch) = (open(panes, forState = forState), open(panes, forState = forState))
        val (wanted, found) = (new EventTimeStatsAccum, new EventTimeStatsAccum)
        val (batchCount, rowCount) = (metric(), metric())
        // Places that are not those of the edge.
        val ofTask = EdgeBatches(longAt(2), longAt(0), Some(longAt(1)), batchCount, rowCount, Some(found))
        batches.foreach { edges =>
          edges.foreach { case (src, dst, time) =>
            wanted.add(microsToMillis(time.getOrElse(0L)))
            val graph = byRow.onlyGraph(key(0))
            if (src.isEmpty || dst.isEmpty || time.isEmpty) graph.addNull()
            else graph.add(src.get, dst.get, time.get)
          }
          val columns = Array(column(edges.map(_._2)), column(edges.map(_._3)), column(edges.map(_._1)))
          ofTask.add(new ColumnarBatch(columns, edges.size), byBatch.onlyGraph(key(0)))
        }
        assert(byBatch.memory.held == byRow.memory.held || batches.forall(_.isEmpty))
        assert(rows(byBatch) == rows(byRow))
        def bounds(times: EventTimeStats) = (times.min, times.max, times.count)
        assert(bounds(found.value) == bounds(wanted.value))
        // That of Spark is of truncated times.
        if (nearEpoch(batches)) assert(math.abs(found.value.avg - wanted.value.avg) <= 1)
        assert(batchCount.value == batches.size && rowCount.value == batches.map(_.size).sum)
    }
  }

  test(
    "a vertex of every number, pane after pane: forests that have a range, and edges that are left as they are"
  ) {
    Seq(20000, 10000000).foreach { vertices =>
      val (byRow, byBatch) = (open(), open())
      val random = new java.util.SplittableRandom(1)
      val edges =
        Array.tabulate(100000)(i =>
          (random.nextInt(vertices).toLong, random.nextInt(vertices).toLong, i / 2500L)
        )
      edges.foreach { case (u, v, time) => byRow.onlyGraph(key(0)).add(u, v, time) }
      edges.grouped(4096).foreach { batch =>
        byBatch.onlyGraph(key(0)).addAll(batch.map(_._1), batch.map(_._2), batch.map(_._3), batch.length)
      }
      assert(byBatch.memory.held > 0 && byBatch.memory.held == byRow.memory.held)
      assert(rows(byBatch) == rows(byRow))
    }
  }

  test(
    "a batch is given back as Spark's own operator gives it back: once it is read, unless its memory is used again"
  ) {
    Seq(true, false).foreach { ofNew =>
      val forests = open()
      val ofTask = EdgeBatches(longAt(0), longAt(1), Some(longAt(2)), metric(), metric())
      (1 to 3).foreach { _ =>
        val columns = Seq.fill(4)(new CountingVector(column(Seq(Some(1L), Some(2L))), ofNew))
        ofTask.add(new ColumnarBatch(columns.toArray, 2), forests.onlyGraph(key(0)))
        assert(columns.map(_.closed) == Seq.fill(4)(if (ofNew) 1 else 0))
      }
      assert(rows(forests).nonEmpty)
    }
  }

  test("the average of a million event times is theirs, not that of a sum that has lost its last digits") {
    val found = new EventTimeStatsAccum
    val ofTask = EdgeBatches(longAt(0), longAt(0), Some(longAt(0)), metric(), metric(), Some(found))
    val time = 1704067200000000L + (1 << 17) - 1
    val batch = new ColumnarBatch(Array(column(Seq.fill(4000)(Some(time)))), 4000)
    (1 to 250).foreach(_ => ofTask.add(batch, open().onlyGraph(key(0))))
    assert(found.value.count == 1000000 && math.abs(found.value.avg - time / 1000.0) < 1e-3)
  }
}

/** A column of numbers that counts how often it is closed, and is not read afterwards.
  * @param ofNew whether its memory is its own, so that it is to be closed once it is read
  */
private final class CountingVector(values: ColumnVector, ofNew: Boolean)
    extends ColumnVector(values.dataType) {
  var closed = 0
  override def close(): Unit = closed += 1
  override def closeIfFreeable(): Unit = if (ofNew) close()
  override def hasNull: Boolean = open.hasNull
  override def numNulls: Int = open.numNulls
  override def isNullAt(row: Int): Boolean = open.isNullAt(row)
  override def getLong(row: Int): Long = open.getLong(row)

  private def open: ColumnVector = {
    assert(closed == 0)
    values
  }

  private def noNumber: Nothing = throw new UnsupportedOperationException("the column holds BIGINT")
  override def getBoolean(row: Int): Boolean = noNumber
  override def getByte(row: Int): Byte = noNumber
  override def getShort(row: Int): Short = noNumber
  override def getInt(row: Int): Int = noNumber
  override def getFloat(row: Int): Float = noNumber
  override def getDouble(row: Int): Double = noNumber
  override def getArray(row: Int): ColumnarArray = noNumber
  override def getMap(row: Int): ColumnarMap = noNumber
  override def getDecimal(row: Int, precision: Int, scale: Int): Decimal = noNumber
  override def getUTF8String(row: Int): UTF8String = noNumber
  override def getBinary(row: Int): Array[Byte] = noNumber
  override def getChild(ordinal: Int): ColumnVector = noNumber
}
