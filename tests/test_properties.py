"""The one law: in batch and in streaming, exactly the oracle's rows."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from pyspark.sql import DataFrame, SparkSession

import oracle
from cases import Case, StreamCase, cases, stream_cases
from oracle import Edge
from pyspark_bic import bic_connectivity
from tables import collected, counted, run_to_end, static_edges, streamed_edges, write_batches


def connectivity(edges: DataFrame, case: Case) -> DataFrame:
    return bic_connectivity(
        edges,
        f"{case.windows.length} microseconds",
        f"{case.windows.slide} microseconds",
        case.queries,
        by=case.by,
        start_time=f"{case.windows.start} microseconds",
        index=case.index,
    )


@settings(max_examples=30)
@given(case=cases(nulls=True))
def test_batch_gives_exactly_the_rows_of_the_oracle(spark: SparkSession, case: Case) -> None:
    found = collected(connectivity(static_edges(spark, case.edges), case), case.by)
    assert found == oracle.answers(case.edges, case.windows, case.queries)


@settings(max_examples=12)
@given(case=stream_cases())
def test_streaming_gives_exactly_the_rows_of_the_oracle(
    spark: SparkSession, case: StreamCase
) -> None:
    taken, late = oracle.split_late(case.batches, case.windows, case.delay)
    expected = oracle.answers(taken, case.windows, case.queries)
    # One edge so far ahead that the watermark passes every window but its own.
    ahead = max([edge.time for edge in case.edges if edge.time is not None], default=0)
    time = max(0, ahead) + 3 * case.windows.length + case.delay + 2000
    flush = Edge(0, 0, time, case.edges[0].key)

    with tempfile.TemporaryDirectory() as folder:
        files, sink, checkpoint = (Path(folder, name) for name in ("in", "out", "checkpoint"))
        files.mkdir()
        answers = connectivity(streamed_edges(spark, files, case.delay), case)
        write_batches(files, case.batches[: case.restart_after])
        before = run_to_end(answers, sink, checkpoint)
        rest = [*case.batches[case.restart_after :], [flush]]
        write_batches(files, rest, first=case.restart_after)
        after = run_to_end(answers, sink, checkpoint)
        found = collected(spark.read.schema(answers.schema).parquet(str(sink)), case.by)

    assert found == expected
    assert counted([*before.recentProgress, *after.recentProgress]) == {
        "edges": len(taken) + 1,
        "late_edges": len(late),
        "null_rows": sum(not oracle.is_whole(edge) for edge in case.edges),
        "windows": len({row[: len(case.by) + 1] for row in expected}),
    }
    if case.in_time and all((edge.time or 0) >= 0 for edge in case.edges):
        assert late == []
