"""One call, several ways: a table, a stream and SQL give the same rows.

The calls cover every pair of choices that can go together: question and index, layout and ids, and
so on. A call that is wrong in one way alone shows itself by other rows there.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pyspark
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from oracle import Edge
from questions import QUESTIONS, Question
from session_settings import set_to
from tables import rows, run_to_end, static_edges, streamed_edges, write_batches

pytestmark = pytest.mark.later("it compares what quicker tests compare with the oracle")

MINUTE = 60 * 1_000_000


class OfEvents(Question):
    """A question about events, which are the edges themselves."""

    def ask(self, edges: DataFrame, pairs: Any, size: int = 2, **more: Any) -> DataFrame:
        columns = self.columns_of(more)
        events = edges.where(f"{columns['source']} IS NOT NULL")
        return super().ask(edges, pairs, size, events=events, **columns, **more)

    def in_sql(self, view: str, pairs: Any, size: int = 2, **more: Any) -> str:
        columns = self.columns_of(more)
        statement = super().in_sql(view, pairs, size, **columns, **more)
        events = f"TABLE(SELECT * FROM {view} WHERE {columns['source']} IS NOT NULL)"
        return statement.replace(f"TABLE({view})", f"TABLE({view}), {events}")

    def columns_of(self, given: dict[str, Any]) -> dict[str, str]:
        roles = {"source": "src", "target": "dst", "at": "time"}
        return {role: given.get(column, column) for role, column in roles.items()}


ASKED = {**QUESTIONS, "events": OfEvents("bicAsOf", ("graph",), needs_recency=True)}
CHOICES: dict[str, tuple[str, ...]] = {
    "question": tuple(ASKED),
    "index": ("auto", "bic", "recency"),
    "layout": ("value", "panes"),
    "ids": ("numbers", "strings"),
    "by": ("no column", "one column", "two columns"),
    "windows": ("of whole slides", "of parts of slides", "of two lengths"),
    "start": ("of the epoch", "shifted"),
    "columns": ("usual", "of other names"),
}
WINDOWS: dict[str, tuple[Any, str]] = {
    "of whole slides": ("40 minutes", "10 minutes"),
    "of parts of slides": ("25 minutes", "10 minutes"),
    "of two lengths": (["40 minutes", "20 minutes"], "10 minutes"),
}
KEYS = {"no column": [], "one column": ["region"], "two columns": ["region", "shard"]}


class Call(NamedTuple):
    question: str
    by_index: str
    layout: str
    ids: str
    by: str
    windows: str
    start: str
    columns: str

    @property
    def can_be(self) -> bool:
        several = self.windows == "of two lengths"
        question = ASKED[self.question]
        if several and question.compares:
            return False
        return not ((several or question.needs_recency) and self.by_index == "bic")

    def pairs(self) -> Iterator[tuple[tuple[str, str], ...]]:
        return combinations(zip(CHOICES, self, strict=True), 2)


def draw(chance: Random) -> Call:
    return Call(*(chance.choice(values) for values in CHOICES.values()))


@cache
def calls() -> tuple[Call, ...]:
    """Calls that have every pair of choices that some call can have.

    At each turn it is, of many drawn calls, the call with most new pairs.
    """
    every = map(Call._make, product(*CHOICES.values()))
    left = {pair for call in every if call.can_be for pair in call.pairs()}
    chance, chosen = Random(1), []
    while left:
        drawn = [call for call in (draw(chance) for _ in range(300)) if call.can_be]
        best = max(drawn, key=lambda call: len(left.intersection(call.pairs())))
        if left.intersection(best.pairs()):
            left.difference_update(best.pairs())
            chosen.append(best)
    return tuple(chosen)


def some_edges() -> list[Edge]:
    chance = Random(7)
    found = []
    for step in range(60):
        src, dst = chance.randrange(12), chance.randrange(12)
        key = ("a" if chance.random() < 0.7 else "b", chance.randrange(2))
        time = (100 + 2 * step - chance.randrange(6)) * MINUTE
        found.append(Edge(src, dst, time, key))
    return found


def prepared(edges: DataFrame, call: Call) -> DataFrame:
    """The edges with the ids and under the names that the call has."""
    if call.ids == "strings":
        for end in ("src", "dst"):
            edges = edges.withColumn(end, F.concat(F.lit("v"), F.col(end).cast("string")))
    if call.columns == "of other names":
        edges = edges.withColumnsRenamed({"src": "payer", "dst": "payee", "time": "at"})
    return edges


def arguments(call: Call) -> dict[str, Any]:
    window, slide = WINDOWS[call.windows]
    given: dict[str, Any] = {"window": window, "slide": slide, "index": call.by_index}
    if KEYS[call.by]:
        given["by"] = KEYS[call.by]
    if call.start == "shifted":
        given["start_time"] = "3 minutes"
    if call.columns == "of other names":
        given |= {"src": "payer", "dst": "payee", "time": "at"}
    return given


@pytest.mark.parametrize("call", calls(), ids=lambda call: ", ".join(call))
def test_a_table_a_stream_and_sql_give_the_same_rows(
    spark: SparkSession, tmp_path: Path, call: Call
) -> None:
    if call.layout == "panes" and pyspark.__version__ < "4":
        pytest.skip("Spark 3.5 has no layout panes")
    edges = some_edges()
    table = prepared(static_edges(spark, edges), call)
    question, given = ASKED[call.question], arguments(call)
    pairs: list[Any] = [(0, 1), (2, 3), (4, 400)]
    if call.ids == "strings":
        pairs = [(f"v{source}", f"v{target}") for source, target in pairs]
    answers = question.ask(table, pairs, **given)
    wanted = rows(answers)
    assert wanted

    table.createOrReplaceTempView("edges_of_a_call")
    in_sql = spark.sql(question.in_sql("edges_of_a_call", pairs, **given))
    assert rows(in_sql) == wanted and in_sql.schema == answers.schema

    # Rows without an endpoint, which are dropped, move the watermark past every window.
    late = [[Edge(None, 1, (1000 + step) * MINUTE)] for step in range(2)]
    batches = [edges[:20], edges[20:35], edges[35:], *late]
    write_batches(tmp_path / "in", batches)
    state = "org.apache.spark.sql.execution.streaming.state"
    with set_to(
        spark,
        {
            "spark.bic.stateLayout": call.layout,
            "spark.sql.streaming.stateStore.providerClass": f"{state}.RocksDBStateStoreProvider",
        },
    ):
        stream = prepared(streamed_edges(spark, tmp_path / "in", 10 * MINUTE), call)
        streamed = question.ask(stream, pairs, **given)
        run_to_end(streamed, tmp_path / "out", tmp_path / "checkpoint")
    written = rows(spark.read.schema(streamed.schema).parquet(str(tmp_path / "out")))
    columns = answers.columns
    assert question.lasting(written, columns) == question.lasting(wanted, columns)
