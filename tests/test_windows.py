"""Windows of several lengths in one call, against the oracle of each length."""

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.errors import AnalysisException, PySparkTypeError
from pyspark.sql import DataFrame, SparkSession

import oracle
from cases import Case, StreamCase, cases, stream_cases
from oracle import Answer, Edge
from pyspark_bic import bic_component_stats, bic_connectivity
from tables import collected, run_to_end, static_edges, streamed_edges, write_batches

EXTRAS = st.lists(st.integers(0, 40), max_size=2)


def all_lengths(case: Case, extras: list[int]) -> list[int]:
    unit = max(1, case.windows.slide // 12)
    return list(
        dict.fromkeys([case.windows.length, *(case.windows.slide + e * unit for e in extras)])
    )


def connectivity(edges: DataFrame, case: Case, lengths: list[int]) -> DataFrame:
    return bic_connectivity(
        edges,
        [f"{length} microseconds" for length in lengths],
        f"{case.windows.slide} microseconds",
        case.queries,
        by=case.by,
        start_time=f"{case.windows.start} microseconds",
        index="recency",
    )


def expected(edges: Any, case: Case, lengths: list[int]) -> Counter[Answer]:
    rows: Counter[Answer] = Counter()
    for length in lengths:
        rows += oracle.answers(edges, case.windows._replace(length=length), case.queries)
    return rows


@settings(max_examples=10)
@given(case=cases(), extras=EXTRAS)
def test_batch_equals_the_oracle(spark: SparkSession, case: Case, extras: list[int]) -> None:
    lengths = all_lengths(case, extras)
    found = collected(connectivity(static_edges(spark, case.edges), case, lengths), case.by)
    assert found == expected(case.edges, case, lengths)


@settings(max_examples=3)
@given(case=stream_cases(), extras=EXTRAS)
def test_streams_equal_the_oracle(spark: SparkSession, case: StreamCase, extras: list[int]) -> None:
    lengths = all_lengths(case, extras)
    # The watermark stays behind all edges up to the last batch, so that none is late.
    edges = [edge for edge in case.edges if (edge.time or 0) >= 0]
    delay = max((edge.time or 0 for edge in edges), default=0) // 1000 * 1000 + 1000
    flush = Edge(0, 0, 2 * delay + 4 * max(lengths) + 2000, case.edges[0].key)
    cut = min(case.restart_after * 7, len(edges))
    with tempfile.TemporaryDirectory() as folder:
        files, sink, checkpoint = (Path(folder, name) for name in ("in", "out", "checkpoint"))
        files.mkdir()
        answers = connectivity(streamed_edges(spark, files, delay), case, lengths)
        write_batches(files, [edges[:cut]])
        run_to_end(answers, sink, checkpoint)
        write_batches(files, [edges[cut:], [flush]], first=1)
        run_to_end(answers, sink, checkpoint)
        stored = spark.read.schema(answers.schema).parquet(str(sink))
        assert collected(stored, case.by) == expected(edges, case, lengths)


SECOND = 1_000_000


def test_rows_are_labelled_by_their_window(spark: SparkSession) -> None:
    edges = static_edges(spark, [Edge(1, 2, 0), Edge(2, 3, 3 * SECOND)])
    found = bic_component_stats(edges, ("2 seconds", "4 seconds"), "2 seconds", index="recency")
    assert sorted(
        tuple(row)
        for row in found.selectExpr(
            "unix_seconds(window.start)", "unix_seconds(window.end)", "edges", "largest"
        ).collect()
    ) == [(-2, 2, 1, 2), (0, 2, 1, 2), (0, 4, 2, 3), (2, 4, 1, 2), (2, 6, 1, 2)]


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (
            {"window": []},
            AnalysisException,
            "window is an empty list; give at least one duration, such as '1 hour'",
        ),
        (
            {"window": ["1 hour", 5]},
            PySparkTypeError,
            "window[1] must be a duration such as '1 hour' or timedelta(hours=1), not 5 (int)",
        ),
        (
            {"window": ["1 hour", "1 day"]},
            AnalysisException,
            "windows of several lengths (1 hour, 1 day) share one slide; give it, such as slide "
            "'1 hour'",
        ),
        (
            {"window": ["1 hour", "1 day"], "slide": "1 hour", "index": "bic"},
            AnalysisException,
            "windows of several lengths need the index 'recency', but index is 'bic'; give index "
            "'auto' or 'recency'",
        ),
    ],
)
def test_what_is_refused(
    spark: SparkSession, arguments: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error) as refused:
        bic_component_stats(static_edges(spark, []), **{"index": "recency", **arguments})
    assert text in str(refused.value)
