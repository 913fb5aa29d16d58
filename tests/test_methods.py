"""The law again, for every question, with vertices that are numbers and with names of all kinds."""

from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import oracle
from cases import Case, StreamCase, arguments, cases, stream_cases
from oracle import Answer, Edge
from questions import QUESTIONS, Question
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


def ask(question: Question, edges: DataFrame, case: Case, size: int) -> DataFrame:
    """The answers by the columns that tell them."""
    found = question.ask(edges, case.queries, size, **usable(question, case))
    return found.selectExpr(*case.by, "unix_micros(window.start)", *question.columns)


def usable(question: Question, case: Case) -> dict[str, Any]:
    given = arguments(case)
    return {**given, "index": "auto"} if question.needs_recency else given


@settings(max_examples=35)
@given(drawn=named_cases(), name=st.sampled_from(list(QUESTIONS)), size=st.integers(1, 4))
def test_batch_equals_the_oracle(
    spark: SparkSession, drawn: tuple[Case, Named], name: str, size: int
) -> None:
    (case, names), question = drawn, QUESTIONS[name]
    asked = asking(case, names)
    edges = with_names(static_edges(spark, case.edges), names)
    renamed_edges = [renamed(edge, names) for edge in case.edges]
    wanted = question.rows(renamed_edges, case.windows, asked.queries, size)
    assert rows(ask(question, edges, asked, size)) == wanted


@settings(max_examples=12)
@given(drawn=named_streams(), name=st.sampled_from(list(QUESTIONS)), size=st.integers(1, 4))
def test_streams_equal_the_oracle_through_a_restart(
    spark: SparkSession, drawn: tuple[StreamCase, Named], name: str, size: int
) -> None:
    (case, names), question = drawn, QUESTIONS[name]
    asked = asking(case, names)

    def told(edges: DataFrame) -> DataFrame:
        answers = ask(question, with_names(edges, names), asked, size)
        # Parquet wants names without brackets.
        return answers.toDF(*(f"c{position}" for position in range(len(answers.columns))))

    found, _ = through_a_restart(spark, case, told, rows)
    taken, _ = oracle.split_late(case.batches, case.windows, case.delay)
    renamed_edges = [renamed(edge, names) for edge in taken]
    assert found == question.rows(renamed_edges, case.windows, asked.queries, size)
