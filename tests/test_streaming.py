"""Streams: when answers come, what is late, what a restart keeps, and what is counted."""

from pathlib import Path

import pyspark
import pytest
from pyspark.errors import AnalysisException, StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

import oracle
from oracle import Edge, Windows
from pyspark_bic import bic_connectivity, metrics
from session_settings import set_to
from tables import collected, counted, run_to_end, said, streamed_edges, told, write_batches

MINUTE = 60 * 1_000_000
WINDOWS = Windows(10 * MINUTE, 4 * MINUTE)  # panes of 2 minutes
DELAY = MINUTE
QUERIES = [(1, 3), (1, 1)]
FLUSH = Edge(0, 0, 10**9 * MINUTE // 10)


def connectivity(edges: DataFrame) -> DataFrame:
    return bic_connectivity(edges, "10 minutes", "4 minutes", QUERIES)


def at(minute: float, src: int, dst: int) -> Edge:
    return Edge(src, dst, int(minute * MINUTE))


def run(spark: SparkSession, folder: Path) -> tuple[dict[str, int], object]:
    answers = connectivity(streamed_edges(spark, folder / "in", DELAY))
    query = run_to_end(answers, folder / "out", folder / "checkpoint")
    return counted(query), collected(spark.read.parquet(str(folder / "out")))


def test_a_window_is_answered_once_the_watermark_has_passed_its_end(
    spark: SparkSession, tmp_path: Path
) -> None:
    write_batches(tmp_path / "in", [[at(101, 1, 2)], [at(111, 2, 3)]])
    # The watermark stands at minute 110: of the windows with minute 101, [92, 102), [96, 106) and
    # [100, 110) have ended.
    counts, found = run(spark, tmp_path)
    first = [at(101, 1, 2)]
    expected = oracle.answers(first, WINDOWS, QUERIES)
    assert found == expected
    assert {row[0] for row in expected} == {92 * MINUTE, 96 * MINUTE, 100 * MINUTE}
    assert counts == told({"edges": 2, "late_edges": 0, "null_rows": 0, "windows": 3})


def test_an_edge_is_late_when_its_pane_has_ended(spark: SparkSession, tmp_path: Path) -> None:
    # After the first batch the watermark stands at minute 120: the pane [118, 120) has ended.
    late, in_time = at(119.9, 2, 3), at(120, 2, 3)
    write_batches(tmp_path / "in", [[at(121, 1, 2)], [late, in_time], [FLUSH]])
    counts, found = run(spark, tmp_path)
    assert found == oracle.answers([at(121, 1, 2), in_time], WINDOWS, QUERIES)
    assert counts["late_edges"] == 1
    assert counts["edges"] == 3


def test_an_edge_behind_the_watermark_counts_while_its_pane_is_open(
    spark: SparkSession, tmp_path: Path
) -> None:
    # The watermark stands at minute 121, and the pane [120, 122) ends after it.
    write_batches(tmp_path / "in", [[at(122, 1, 2)], [at(120.5, 2, 3)], [FLUSH]])
    counts, found = run(spark, tmp_path)
    assert found == oracle.answers([at(122, 1, 2), at(120.5, 2, 3)], WINDOWS, QUERIES)
    assert counts["late_edges"] == 0


def test_edges_before_1970_are_late_and_counted(spark: SparkSession, tmp_path: Path) -> None:
    write_batches(tmp_path / "in", [[at(-3, 1, 2), at(-0.1, 2, 3), at(1, 1, 3)], [FLUSH]])
    counts, found = run(spark, tmp_path)
    assert found == oracle.answers([at(1, 1, 3)], WINDOWS, QUERIES)
    assert counts["late_edges"] == 2


def test_rows_with_nulls_are_dropped_and_counted(spark: SparkSession, tmp_path: Path) -> None:
    whole = at(101, 1, 2)
    nulls = [whole._replace(src=None), whole._replace(dst=None), whole._replace(time=None)]
    write_batches(tmp_path / "in", [[whole, *nulls], [FLUSH]])
    counts, found = run(spark, tmp_path)
    assert found == oracle.answers([whole], WINDOWS, QUERIES)
    assert counts == told({"edges": 2, "late_edges": 0, "null_rows": 3, "windows": 3})


def test_a_restart_goes_on_where_the_stream_stopped(spark: SparkSession, tmp_path: Path) -> None:
    edges = [at(101, 1, 2), at(107, 5, 6), at(109, 2, 3)]
    found: object = None
    for number, batch in enumerate([*([edge] for edge in edges), [FLUSH]]):
        write_batches(tmp_path / "in", [batch], first=number)
        _, found = run(spark, tmp_path)
    assert found == oracle.answers(edges, WINDOWS, QUERIES)


def test_a_checkpoint_of_another_window_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    write_batches(tmp_path / "in", [[at(101, 1, 2)]])
    run(spark, tmp_path)
    write_batches(tmp_path / "in", [[at(102, 1, 2)]], first=1)
    edges = streamed_edges(spark, tmp_path / "in", DELAY)
    answers = bic_connectivity(edges, "10 minutes", "2 minutes", QUERIES)
    with pytest.raises(StreamingQueryException) as caught:
        run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")
    assert (
        "it belongs to a window of 10 minutes, a slide of 4 minutes and a start time of 0 seconds, "
        "but the query has a window of 10 minutes, a slide of 2 minutes and a start time of 0"
    ) in str(caught.value)


@pytest.mark.since("4.0", "counters of micro-batches without data")
def test_a_quiet_graph_is_answered_when_the_others_move_the_watermark(
    spark: SparkSession, tmp_path: Path
) -> None:
    quiet, busy = ("quiet",), ("busy",)
    first = [at(101, 1, 2)._replace(key=quiet), at(101, 1, 3)._replace(key=busy)]
    write_batches(tmp_path / "in", [first, [at(140, 2, 3)._replace(key=busy)]])
    edges = streamed_edges(spark, tmp_path / "in", DELAY)
    answers = bic_connectivity(edges, "10 minutes", "4 minutes", QUERIES, by="region")
    query = run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")
    found = collected(spark.read.parquet(str(tmp_path / "out")), ["region"])
    assert found == oracle.answers(first, WINDOWS, QUERIES)
    assert metrics(query)["windows"] == 6


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
