package io.github.sparkbic.operator.forests

import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector.BigIntVector
import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.bic.SparkInternals.EventTimeStatsAccum
import org.apache.spark.sql.catalyst.util.DateTimeUtils.microsToMillis
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types.LongType
import org.apache.spark.sql.vectorized.{ArrowColumnVector, ColumnarBatch, ColumnVector}
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

  private def longAt(place: Int) = EdgeBatches.BatchColumn(place, LongType)

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
        def bounds(of: EventTimeStatsAccum) = (of.value.min, of.value.max, of.value.count)
        assert(bounds(found) == bounds(wanted))
        // That of Spark is of truncated times.
        if (nearEpoch(batches)) assert(math.abs(found.value.avg - wanted.value.avg) <= 1)
        assert(batchCount.value == batches.size && rowCount.value == batches.map(_.size).sum)
    }
  }

  test("a batch is given back once it is read, as by Spark's own operator, unless its memory is used again") {
    val ofTask = EdgeBatches(longAt(0), longAt(1), Some(longAt(2)), metric(), metric())
    val allocator = new RootAllocator
    def ofNewMemory(): ColumnVector = {
      val vector = new BigIntVector("vertex", allocator)
      Seq(1L, 2L).zipWithIndex.foreach { case (value, i) => vector.setSafe(i, value) }
      vector.setValueCount(2)
      new ArrowColumnVector(vector)
    }
    val used = Seq.fill(4)(column(Seq(Some(1L), Some(2L))))
    Seq(Seq.fill(4)(ofNewMemory()), used).foreach { columns =>
      val forests = open()
      ofTask.add(new ColumnarBatch(columns.toArray, 2), forests.onlyGraph(key(0)))
      assert(allocator.getAllocatedMemory == 0 && used.forall(_.getLong(1) == 2))
      assert(rows(forests).nonEmpty)
    }
  }
}
