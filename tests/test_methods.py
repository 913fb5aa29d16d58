"""The law again, for every method, with vertices that are numbers and with names of all kinds."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import oracle
from cases import Case, StreamCase, arguments, cases, stream_cases
from oracle import Answer, Edge
from pyspark_bic import (
    bic_changes,
    bic_component_stats,
    bic_components,
    bic_connectivity,
    bic_largest_components,
)
from tables import static_edges, through_a_restart

# Short and long, empty, not in ASCII, equal but for the end, and UUIDs.
NAMES = st.one_of(
    st.uuids().map(str),
    st.text(max_size=6),
    st.sampled_from(["", " ", "\x00", "é", "e\u0301", "語", "\U0001f600", "A", "a"]),
    st.integers(0, 20).map(lambda n: f"550e8400-e29b-41d4-a716-4466554400{n:02}"),
    st.integers(0, 2).map(lambda n: "x" * 70_000 + str(n)),
)
# What each id is called; None where ids are numbers.
Named = dict[int, str] | None


def start(column: str = "window.start") -> Column:
    return F.unix_micros(column)


def born_names(column: str) -> Column:
    """Stable names, with the time of birth as the oracle has it."""

    def name(each: Column) -> Column:
        return F.struct(each["component"], F.unix_micros(each["born"]))

    return F.transform(column, name)


# Each method with the columns that tell its answers, and the oracle's rows of these.
Ask = Callable[[DataFrame, Case, int], DataFrame]


METHODS: dict[str, Ask] = {
    "connectivity": lambda edges, case, _: bic_connectivity(
        edges, **arguments(case), queries=case.queries
    ).select(*case.by, start(), start("window.end"), "source", "target", "connected"),
    "components": lambda edges, case, min_size: bic_components(
        edges, **arguments(case), min_size=min_size
    ).select(*case.by, start(), "vertex", "component"),
    "updates": lambda edges, case, min_size: bic_components(
        edges, **arguments(case), min_size=min_size, updates_only=True
    ).select(*case.by, start(), "vertex", "component"),
    "stable": lambda edges, case, min_size: bic_components(
        edges, **arguments(case), min_size=min_size, stable=True
    ).select(*case.by, start(), "vertex", "component", start("born")),
    "stable updates": lambda edges, case, min_size: bic_components(
        edges, **arguments(case), min_size=min_size, updates_only=True, stable=True
    ).select(*case.by, start(), "vertex", "component", start("born")),
    "stable changes": lambda edges, case, min_size: bic_changes(
        edges, **arguments(case), min_size=min_size, stable=True
    ).select(*case.by, start(), "change", born_names("before"), born_names("after"), "size"),
    # The least size is also the number of components that are asked for.
    "largest": lambda edges, case, min_size: bic_largest_components(
        edges, **arguments(case), top=min_size, min_size=min_size, members=True
    ).select(*case.by, start(), "component", "size", "members"),
    "stats": lambda edges, case, _: bic_component_stats(
        edges, **arguments(case), sizes=True
    ).select(*case.by, start(), "vertices", "edges", "components", "largest", "sizes"),
    "changes": lambda edges, case, min_size: bic_changes(
        edges, **arguments(case), min_size=min_size
    ).select(*case.by, start(), "change", "before", "after", "size"),
}


def expected(method: str, edges: Sequence[Edge], case: Case, min_size: int) -> Counter[Answer]:
    if method == "connectivity":
        return oracle.answers(edges, case.windows, case.queries)
    stable = "stable" in method
    if "changes" in method:
        return oracle.changes(edges, case.windows, min_size=min_size, stable=stable)
    if stable or method == "updates":
        updates_only = "updates" in method
        return oracle.memberships(
            edges, case.windows, min_size=min_size, updates_only=updates_only, stable=stable
        )
    rows: Counter[Answer] = Counter()
    for (key, at), held in oracle.inside_windows(edges, case.windows).items():
        groups = oracle.grouped(held)
        if method == "largest":
            rows.update((*key, at, *row) for row in oracle.largest(held, min_size, min_size))
            continue
        sizes = Counter(len(group) for group in groups)
        stats = (sum(map(len, groups)), len(held), len(groups), max(sizes))
        if method == "stats":
            row: Answer = (*key, at, *stats, tuple(sorted(sizes.items())))
            rows[row] += 1
        else:
            large = (group for group in groups if len(group) >= min_size)
            rows.update((*key, at, vertex, min(group)) for group in large for vertex in group)
    return rows


def named_case(draw: st.DrawFn, case: Case) -> Named:
    if draw(st.integers(0, 3)) == 0:
        return None
    ends = (vertex for edge in case.edges for vertex in (edge.src, edge.dst) if vertex is not None)
    ids = sorted({0, *ends, *(vertex for pair in case.queries for vertex in pair)})
    names = draw(st.lists(NAMES, min_size=len(ids), max_size=len(ids), unique=True))
    return dict(zip(ids, names, strict=True))


@st.composite
def named_cases(draw: st.DrawFn) -> tuple[Case, Named]:
    case = draw(cases(nulls=True))
    return case, named_case(draw, case)


@st.composite
def named_streams(draw: st.DrawFn) -> tuple[StreamCase, Named]:
    case = draw(stream_cases())
    return case, named_case(draw, case)


def renamed(edge: Edge, names: Named) -> Edge:
    """The edge as the oracle sees it, to which a vertex is anything that can be compared."""
    if names is None:
        return edge
    ends: Any = [vertex if vertex is None else names[vertex] for vertex in (edge.src, edge.dst)]
    return edge._replace(src=ends[0], dst=ends[1])


def with_names(edges: DataFrame, names: Named) -> DataFrame:
    """The same edges with names, which are the positions of their ids in two arrays."""
    if names is None:
        return edges
    ids, texts = (
        F.array(*[F.lit(each) for each in some]) for some in (names.keys(), names.values())
    )

    def name_of(end: str) -> Column:
        # As a method, Spark 3.5's takes constants alone.
        position = F.call_function("array_position", ids, F.col(end))
        return F.when(F.col(end).isNotNull(), F.get(texts, position - 1))

    named = {end: name_of(end) for end in ("src", "dst")}
    return edges.withColumns(named)


def asking(case: Case, names: Named) -> Any:
    """The case with its queries by name."""
    if names is None:
        return case
    queries: Any = tuple((names[source], names[target]) for source, target in case.queries)
    return replace(case, queries=queries)


def rows(found: DataFrame) -> Counter[Answer]:
    return Counter(tuple(map(plain, row)) for row in found.collect())


def plain(value: object) -> object:
    return tuple(map(plain, value)) if isinstance(value, list | tuple) else value


@settings(max_examples=35)
@given(drawn=named_cases(), method=st.sampled_from(sorted(METHODS)), min_size=st.integers(1, 4))
def test_batch_equals_the_oracle(
    spark: SparkSession, drawn: tuple[Case, Named], method: str, min_size: int
) -> None:
    case, names = drawn
    asked = asking(case, names)
    edges = with_names(static_edges(spark, case.edges), names)
    found = rows(METHODS[method](edges, asked, min_size))
    renamed_edges = [renamed(edge, names) for edge in case.edges]
    assert found == expected(method, renamed_edges, asked, min_size)


@settings(max_examples=12)
@given(drawn=named_streams(), method=st.sampled_from(sorted(METHODS)), min_size=st.integers(1, 4))
def test_streams_equal_the_oracle_through_a_restart(
    spark: SparkSession, drawn: tuple[StreamCase, Named], method: str, min_size: int
) -> None:
    case, names = drawn
    asked = asking(case, names)

    def ask(edges: DataFrame) -> DataFrame:
        answers = METHODS[method](with_names(edges, names), asked, min_size)
        # Parquet wants names without brackets.
        return answers.toDF(*(f"c{position}" for position in range(len(answers.columns))))

    found, _ = through_a_restart(spark, case, ask, rows)
    taken, _ = oracle.split_late(case.batches, case.windows, case.delay)
    renamed_edges = [renamed(edge, names) for edge in taken]
    assert found == expected(method, renamed_edges, asked, min_size)
