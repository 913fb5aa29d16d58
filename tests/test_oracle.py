"""The oracle itself: its windows against Spark's own, its components against NetworkX."""

from collections import Counter

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import oracle
from cases import Case, cases
from tables import static_edges


@settings(max_examples=8)
@given(case=cases())
def test_windows_are_those_of_spark(spark: SparkSession, case: Case) -> None:
    window = F.window(
        "time",
        f"{case.windows.length} microseconds",
        f"{case.windows.slide} microseconds",
        f"{case.windows.start} microseconds",
    )
    rows = (
        static_edges(spark, case.edges)
        .select(window.alias("window"), "src", "dst")
        .select(F.unix_micros("window.start"), F.unix_micros("window.end"), "src", "dst")
        .collect()
    )
    expected = Counter(
        (start, start + case.windows.length, edge.src, edge.dst)
        for edge in case.edges
        for start in case.windows.holding(edge.time or 0)
    )
    assert Counter(tuple(row) for row in rows) == expected


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1))
def test_components_are_those_of_networkx(pairs: list[tuple[int, int]]) -> None:
    label = oracle.components(pairs)
    by_label: dict[int, set[int]] = {}
    for vertex, component in label.items():
        by_label.setdefault(component, set()).add(vertex)
    expected = nx.connected_components(nx.Graph(pairs))
    assert sorted(map(sorted, by_label.values())) == sorted(map(sorted, expected))
