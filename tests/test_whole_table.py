"""The components of a whole table, without times: those of all its edges at once."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, Observation, SparkSession

from oracle import Answer, Edge, Pair
from questions import QUESTIONS, Question
from tables import static_edges, streamed_edges, write_batches
from test_methods import NAMES

TABLES = {name: question for name, question in QUESTIONS.items() if question.takes_tables}
each_question = pytest.mark.parametrize("question", TABLES.values(), ids=TABLES)


def ask(question: Question, edges: DataFrame, **more: Any) -> DataFrame:
    """The answers by the columns that tell them."""
    found = question.ask(edges, None, **more)
    keys = found.columns[:1] if more.get("by") else []
    return found.selectExpr(*keys, *question.columns)


def expected(question: Question, pairs: list[Pair]) -> list[Answer]:
    assert question.in_window is not None
    return question.in_window(pairs, 2, [])


def rows(found: DataFrame) -> Counter[Answer]:
    return Counter(
        tuple(tuple(each) if isinstance(each, list) else each for each in row)
        for row in found.collect()
    )


@each_question
def test_a_cached_table_of_numbers(spark: SparkSession, question: Question) -> None:
    """Spark has such a table in rows and in batches of columns, and gives its rows."""
    pairs: list[Pair] = [(n, n + 1) for n in range(10)]
    edges = spark.createDataFrame(pairs, "src long, dst long").cache()
    assert rows(ask(question, edges)) == Counter(expected(question, pairs))
    edges.unpersist()


@settings(max_examples=12)
@given(data=st.data(), name=st.sampled_from(list(TABLES)))
def test_whole_tables_equal_the_oracle(spark: SparkSession, data: st.DataObject, name: str) -> None:
    question = TABLES[name]
    ids: list[Any] = data.draw(
        st.one_of(
            st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=12, unique=True),
            st.lists(NAMES, min_size=1, max_size=12, unique=True),
        )
    )
    end = st.one_of(*[st.sampled_from(ids)] * 9, st.none())
    keys = st.sampled_from(["eu", "", None])
    edges = data.draw(st.lists(st.tuples(end, end, keys), max_size=30))
    by = data.draw(st.sampled_from([None, "region"]))
    held: dict[tuple[object, ...], list[Pair]] = defaultdict(list)
    for src, dst, region in edges:
        if src is not None and dst is not None:
            held[(region,) if by else ()].append((src, dst))

    kind = "string" if isinstance(ids[0], str) else "bigint"
    table = spark.createDataFrame(edges, f"src {kind}, dst {kind}, region string")
    seen = Observation()
    index = data.draw(st.sampled_from(["bic", "recency"]))
    found = ask(question, table, by=by, index=index, observation=seen)
    assert rows(found) == Counter(
        (*key, *row) for key, pairs in held.items() for row in expected(question, pairs)
    )
    kept = sum(map(len, held.values()))
    counts = {name: seen.get[name] for name in ("edges", "late_edges", "null_rows", "windows")}
    assert counts == {
        "edges": kept,
        "late_edges": 0,
        "null_rows": len(edges) - kept,
        "windows": len(held),
    }


EDGES = [Edge(1, 2, 0), Edge(2, 3, None), Edge(7, 7, 10**15)]


def test_a_null_time_is_no_null(spark: SparkSession) -> None:
    """The column ``time`` is not read, so a row is whole without it."""
    edges = cast(Any, static_edges(spark, EDGES))
    assert rows(edges.bicComponents()) == Counter([(1, 1), (2, 1), (3, 1), (7, 7)])
    assert rows(edges.bicComponents(min_size=2)) == Counter([(1, 1), (2, 1), (3, 1)])
    assert rows(edges.bicComponentStats(sizes=True).select("largest", "sizes")) == Counter(
        [(3, ((1, 1), (3, 1)))]
    )


@pytest.mark.since("4.0", "PARTITION BY after a table")
def test_sql(spark: SparkSession) -> None:
    static_edges(spark, EDGES).drop("time").createOrReplaceTempView("timeless")
    found = spark.sql("SELECT * FROM bic_components(TABLE(timeless))")
    assert rows(found) == Counter([(1, 1), (2, 1), (3, 1), (7, 7)])
    found = spark.sql("SELECT * FROM bic_components(TABLE(timeless) PARTITION BY (region))")
    assert rows(found) == Counter([(None, 1, 1), (None, 2, 1), (None, 3, 1), (None, 7, 7)])


@each_question
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            {"slide": "1 hour"},
            "slide '1 hour' is given without a window; give a window too, or no slide",
        ),
        (
            {"start_time": "1 minute"},
            "start_time '1 minute' is given without a window; give a window too, or no start_time",
        ),
        ({"src": "from"}, "edges have no column 'from' (given as src)"),
    ],
)
def test_what_is_refused(
    spark: SparkSession, question: Question, arguments: dict[str, Any], text: str
) -> None:
    with pytest.raises(AnalysisException) as refused:
        question.ask(static_edges(spark, EDGES), None, **arguments)
    assert text in str(refused.value)


@each_question
def test_a_stream_has_no_whole_table(
    spark: SparkSession, tmp_path: Path, question: Question
) -> None:
    write_batches(tmp_path / "in", [EDGES])
    with pytest.raises(AnalysisException) as refused:
        question.ask(streamed_edges(spark, tmp_path / "in", delay=0), None)
    assert (
        "window is not given, which asks for the components of a whole table, but the edges are a "
        "streaming DataFrame, which has no end; give a window, such as '1 hour'"
    ) in str(refused.value)
