"""Streams: what checkpoints and output modes refuse, and the layout of the state."""

from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest
from pyspark.errors import AnalysisException, StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from oracle import Edge
from pyspark_bic import bic_component_stats, bic_connectivity
from session_settings import set_to
from tables import run_to_end, said, streamed_edges, write_batches

MINUTE = 60 * 1_000_000
DELAY = MINUTE
QUERIES = [(1, 3), (1, 1)]
LAYOUT = "spark.bic.stateLayout"
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
ROCKS_DB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    yield spark
    spark.conf.unset(LAYOUT)
    spark.conf.unset(PROVIDER)


def connectivity(edges: DataFrame) -> DataFrame:
    return bic_connectivity(edges, "10 minutes", "4 minutes", QUERIES)


def at(minute: float, src: int, dst: int) -> Edge:
    return Edge(src, dst, int(minute * MINUTE))


@pytest.mark.parametrize("mode", ["update", "complete"])
def test_other_output_modes_are_refused(spark: SparkSession, tmp_path: Path, mode: str) -> None:
    write_batches(tmp_path / "in", [[at(101, 1, 2)]])
    answers = connectivity(streamed_edges(spark, tmp_path / "in", DELAY))

    def start(frame: DataFrame) -> None:
        writer = frame.writeStream.format("noop").outputMode(mode)
        writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start().stop()

    with pytest.raises(AnalysisException) as caught:
        start(answers)
    if pyspark.__version__ < "4":
        assert "output mode" in str(caught.value).lower()
        return
    assert said(caught.value) == (
        f"the output mode is '{mode}', but a row of answers never changes once it is written; use "
        "append"
    )
    # An aggregation of answers has rows that do change.
    with set_to(spark, {"spark.sql.streaming.statefulOperator.checkCorrectness.enabled": "false"}):
        start(answers.groupBy("source").count())


@pytest.mark.classic("the function of foreachBatch runs within this process")
def test_another_window_under_foreach_batch_is_refused_in_few_lines(
    spark: SparkSession, tmp_path: Path
) -> None:
    def read_all(batch: DataFrame, _: int) -> None:
        batch.collect()

    def run(window: str) -> None:
        edges = streamed_edges(spark, tmp_path / "in", DELAY)
        writer = bic_connectivity(edges, window, "4 minutes", QUERIES).writeStream
        writer = writer.foreachBatch(read_all)
        writer = writer.option("checkpointLocation", str(tmp_path / "checkpoint"))
        writer.trigger(availableNow=True).start().awaitTermination()

    write_batches(tmp_path / "in", [[at(101, 1, 2)]])
    run("10 minutes")
    write_batches(tmp_path / "in", [[at(102, 1, 2)]], first=1)
    with pytest.raises(StreamingQueryException) as caught:
        run("12 minutes")
    reason, _, _ = str(caught.value).partition("=== Streaming Query ===")
    assert "the state cannot be read: it belongs to a window of 10 minutes, " in reason
    # Without the frames of Python, which Spark lists.
    lines = [line for line in reason.splitlines() if not line.startswith("  ")]
    if pyspark.__version__ >= "4":
        assert len(lines) <= 10, reason


@pytest.mark.since("4.0", "the layout panes")
def test_the_layout_is_a_setting_and_a_checkpoint_belongs_to_its_layout(
    session: SparkSession, tmp_path: Path
) -> None:
    session.conf.set(PROVIDER, ROCKS_DB)

    def run(number: int) -> StreamingQuery:
        write_batches(tmp_path / "in", [[at(101 + number, 1, 2)]], first=number)
        answers = connectivity(streamed_edges(session, tmp_path / "in", DELAY))
        return run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")

    def operator(query: StreamingQuery) -> str:
        assert query.lastProgress is not None
        (held,) = query.lastProgress["stateOperators"]
        return str(held["operatorName"])

    session.sql(f"SET {LAYOUT}=panes")
    assert operator(run(0)) == "transformWithStateExec"
    session.conf.unset(LAYOUT)
    with pytest.raises(StreamingQueryException) as caught:
        run(1)
    assert "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA" in str(caught.value)
    session.conf.set(LAYOUT, "panes")
    assert operator(run(2)) == "transformWithStateExec"


@pytest.mark.skipif(pyspark.__version__ >= "4", reason="it is about Spark 3.5")
def test_spark_3_5_has_one_layout(session: SparkSession, tmp_path: Path) -> None:
    session.conf.set(LAYOUT, "panes")
    session.conf.set(PROVIDER, ROCKS_DB)
    write_batches(tmp_path, [[]])
    with pytest.raises(AnalysisException) as caught:
        connectivity(streamed_edges(session, tmp_path, 0))
    assert said(caught.value) == (
        f"{LAYOUT} 'panes' needs Spark 4.0 or later, but Spark {pyspark.__version__} is running; "
        "set it to 'value'"
    )


def test_edges_that_are_broadcast_to_a_range_of_numbers(
    spark: SparkSession, tmp_path: Path
) -> None:
    # A range makes its numbers from the partition that asks, so no partition of it may be left out.
    accounts = spark.range(1, 9, 1, 8).withColumnRenamed("id", "src")
    write_batches(tmp_path / "in", [[at(src, src, 10) for src in range(1, 9)], [at(999, 1, 2)]])
    edges = streamed_edges(spark, tmp_path / "in", DELAY)
    answers = bic_component_stats(accounts.join(F.broadcast(edges), "src"), "1 hour")
    run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")
    rows = spark.read.parquet(str(tmp_path / "out")).select("vertices", "edges").collect()
    assert list(map(tuple, rows)) == [(9, 8)]
