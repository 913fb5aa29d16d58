"""The one law: in batch and in streaming, exactly the oracle's rows."""

from collections import Counter
from collections.abc import Mapping
from math import gcd
from typing import Any

from hypothesis import given, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import oracle
from cases import Case, StreamCase, arguments, cases, stream_cases
from pyspark_bic import bic_connectivity
from tables import collected, counted, static_edges, through_a_restart, told


def connectivity(edges: DataFrame, case: Case) -> DataFrame:
    return bic_connectivity(edges, **arguments(case), queries=case.queries)


@settings(max_examples=16)
@given(case=cases(nulls=True))
def test_batch_gives_exactly_the_rows_of_the_oracle(spark: SparkSession, case: Case) -> None:
    found = collected(connectivity(static_edges(spark, case.edges), case), case.by)
    assert found == oracle.answers(case.edges, case.windows, case.queries)


def since(case: Case) -> Counter[Any]:
    """All rows with `since`, by a search over all starts, each from scratch."""
    pane = gcd(case.windows.length, case.windows.slide)
    rows: Counter[Any] = Counter()
    for row, count in oracle.answers(case.edges, case.windows, case.queries).items():
        *key, start, end, source, target, joined = row
        assert isinstance(start, int) and isinstance(end, int)
        own = [edge for edge in case.edges if edge.key == tuple(key)]
        found = None
        for begin in range(end - pane, start - 1, -pane) if joined else ():
            held = [(e.src, e.dst) for e in own if begin <= (e.time or 0) < end]
            label: Mapping[Any, int] = oracle.components(held) if held else {}  # type: ignore[arg-type]
            if source in label and label[source] == label.get(target, -1):
                found = begin
                break
        with_since = (*row, found)
        rows[with_since] += count
    return rows


@settings(max_examples=8)
@given(case=cases())
def test_since_is_the_latest_start_from_which_edges_connect(
    spark: SparkSession, case: Case
) -> None:
    options = {**arguments(case), "index": "auto", "queries": case.queries}
    found = bic_connectivity(static_edges(spark, case.edges), **options, since=True)
    bounds = [F.unix_micros(f"window.{bound}") for bound in ("start", "end")]
    columns = ("source", "target", "connected", F.unix_micros("since"))
    rows = found.select(*case.by, *bounds, *columns).collect()
    assert Counter(map(tuple, rows)) == since(case)


@settings(max_examples=5)
@given(case=stream_cases())
def test_streaming_gives_exactly_the_rows_of_the_oracle(
    spark: SparkSession, case: StreamCase
) -> None:
    taken, late = oracle.split_late(case.batches, case.windows, case.delay)
    expected = oracle.answers(taken, case.windows, case.queries)
    found, progress = through_a_restart(
        spark,
        case,
        lambda edges: connectivity(edges, case),
        lambda stored: collected(stored, case.by),
    )
    assert found == expected
    counts = {"edges": len(taken) + 1, "late_edges": len(late)}
    counts["null_rows"] = sum(not oracle.is_whole(edge) for edge in case.edges)
    counts["windows"] = len({row[: len(case.by) + 1] for row in expected})
    assert counted(progress) == told(counts)
    if case.in_time and all((edge.time or 0) >= 0 for edge in case.edges):
        assert late == []
