"""The one law: every question, in batch, in streaming and of whole tables, has the oracle's rows.

Vertices are numbers, and names of all kinds.
"""

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

import oracle
from cases import Case, StreamCase, arguments, cases, closing_vertex, stream_cases
from oracle import Edge, Pair, Windows
from questions import QUESTIONS, Question
from tables import counted, rows, static_edges, through_a_restart, told

# Short and long, empty, not in ASCII, equal but for the end, and UUIDs.
NAMES = st.one_of(
    st.uuids().map(str),
    st.text(max_size=6),
    st.sampled_from(["", " ", "\x00", "é", "e\u0301", "語", "\U0001f600", "A", "a"]),
    st.integers(0, 20).map(lambda n: f"550e8400-e29b-41d4-a716-4466554400{n:02}"),
    st.integers(0, 2).map(lambda n: "x" * 70_000 + str(n)),
)
ASKED = st.sampled_from(list(QUESTIONS))
# What each id is called; None where ids are numbers.
Named = dict[int, str] | None


@st.composite
def named(draw: st.DrawFn, of: st.SearchStrategy[Any]) -> tuple[Any, Named]:
    """A case, and what its ids are called."""
    case = draw(of)
    if draw(st.integers(0, 3)) == 0:
        return case, None
    ends = (vertex for edge in case.edges for vertex in (edge.src, edge.dst) if vertex is not None)
    ids = sorted(
        {closing_vertex(case), *ends, *(vertex for pair in case.queries for vertex in pair)}
    )
    names = draw(st.lists(NAMES, min_size=len(ids), max_size=len(ids), unique=True))
    return case, dict(zip(ids, names, strict=True))


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

    return edges.withColumns({end: name_of(end) for end in ("src", "dst")})


def asking(case: Case, names: Named) -> Any:
    """The case with its queries by name."""
    if names is None:
        return case
    queries: Any = tuple((names[source], names[target]) for source, target in case.queries)
    return replace(case, queries=queries)


def ask(question: Question, edges: DataFrame, case: Case, size: int) -> DataFrame:
    """The answers by the columns that tell them."""
    found = question.ask(edges, case.queries, size, **usable(question, case))
    return found.selectExpr(*case.by, "unix_micros(window.start)", *question.columns)


def usable(question: Question, case: Case) -> dict[str, Any]:
    given = arguments(case)
    return {**given, "index": "auto"} if question.needs_recency else given


@pytest.mark.both("arguments arrive in two ways")
@settings(max_examples=20)
@given(drawn=named(cases(nulls=True)), name=ASKED, size=st.integers(1, 4))
def test_batch_gives_exactly_the_rows_of_the_oracle(
    spark: SparkSession, drawn: tuple[Case, Named], name: str, size: int
) -> None:
    (case, names), question = drawn, QUESTIONS[name]
    asked = asking(case, names)
    edges = with_names(static_edges(spark, case.edges), names)
    renamed_edges = [renamed(edge, names) for edge in case.edges]
    wanted = question.rows(renamed_edges, case.windows, asked.queries, size)
    assert rows(ask(question, edges, asked, size)) == wanted


OF_ONE_NULL = StreamCase(
    Windows(1000, 1000, 0),
    by=(),
    index="bic",
    edges=(Edge(None, 0, -10_000_000, ()),),
    queries=((0, 0),),
    batches=((Edge(None, 0, -10_000_000, ()),),),
    delay=0,
    in_time=False,
    restart_after=0,
)


@settings(max_examples=4)
@given(drawn=named(stream_cases()), name=ASKED, size=st.integers(1, 4))
@example(drawn=(OF_ONE_NULL, None), name="early", size=1)
def test_streaming_gives_exactly_the_rows_of_the_oracle(
    spark: SparkSession, drawn: tuple[StreamCase, Named], name: str, size: int
) -> None:
    """Through a restart."""
    (case, names), question = drawn, QUESTIONS[name]
    asked = asking(case, names)

    def answers(edges: DataFrame) -> DataFrame:
        found = ask(question, with_names(edges, names), asked, size)
        # Parquet wants names without brackets.
        return found.toDF(*(f"c{position}" for position in range(len(found.columns))))

    found, progress = through_a_restart(spark, case, answers, rows)
    taken, late = oracle.split_late(case.batches, case.windows, case.delay)
    renamed_edges = [renamed(edge, names) for edge in taken]
    expected = question.rows(renamed_edges, case.windows, asked.queries, size)
    columns = (*case.by, "start", *question.columns)
    assert question.lasting(found, columns) == question.lasting(expected, columns)
    counts = {"edges": len(taken) + 1, "late_edges": len(late)}
    counts["null_rows"] = sum(not oracle.is_whole(edge) for edge in case.edges)
    found_counts = counted(progress)
    if question.compares:
        # The first window without edges is answered as well.
        found_counts.pop("windows", None)
    else:
        counts["windows"] = len(oracle.inside_windows(taken, case.windows))
    assert found_counts == told(counts)
    if case.in_time and all((edge.time or 0) >= 0 for edge in case.edges):
        assert late == []


@pytest.mark.both("arguments arrive in two ways")
@settings(max_examples=6)
@given(data=st.data())
def test_whole_tables_have_the_rows_of_the_oracle(spark: SparkSession, data: st.DataObject) -> None:
    tables = [question for question in QUESTIONS.values() if question.takes_tables]
    question = data.draw(st.sampled_from(tables))
    ids: list[Any] = data.draw(
        st.one_of(
            st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=12, unique=True),
            st.lists(NAMES, min_size=1, max_size=12, unique=True),
        )
    )
    end = st.one_of(*[st.sampled_from(ids)] * 9, st.none())
    keys = st.sampled_from(["eu", "", None])
    edges = data.draw(st.lists(st.tuples(end, end, keys), max_size=30))
    by = data.draw(st.sampled_from([[], ["region"]]))
    held: dict[tuple[object, ...], list[Pair]] = defaultdict(list)
    for src, dst, region in edges:
        if src is not None and dst is not None:
            held[(region,) if by else ()].append((src, dst))

    kind = "string" if isinstance(ids[0], str) else "bigint"
    table = spark.createDataFrame(edges, f"src {kind}, dst {kind}, region string")
    seen = Observation()
    index = data.draw(st.sampled_from(["bic", "recency"]))
    asked = list(zip(ids, reversed(ids), strict=True))[:3]
    found = question.ask(table, asked, by=by, index=index, observation=seen)
    assert question.in_window is not None
    assert rows(found.selectExpr(*by, *question.columns)) == Counter(
        (*key, *row) for key, pairs in held.items() for row in question.in_window(pairs, 2, asked)
    )
    kept = sum(map(len, held.values()))
    counts = {"edges": kept, "late_edges": 0, "null_rows": len(edges) - kept}
    assert {name: seen.get[name] for name in (*counts, "windows")} == {
        **counts,
        "windows": len(held),
    }
