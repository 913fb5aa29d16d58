"""Answers for events, by methods and by SQL: tables give the oracle's rows.

`test_equivalence.py` has streams.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import oracle
import pyspark_bic
from oracle import Answer, Edge
from tables import rows, static_edges

SECOND = 1_000_000
LENGTHS, SLIDE = (10 * SECOND, 20 * SECOND), 5 * SECOND
MARKED = [1, 4, 400]


class Event(NamedTuple):
    number: int
    region: str
    payer: int | None
    payee: int | None
    micros: int | None


def some_edges() -> list[Edge]:
    chance = Random(5)
    return [
        Edge(
            chance.randrange(9),
            chance.randrange(9),
            (100 + step - chance.randrange(5)) * SECOND + chance.randrange(SECOND),
            ("a" if chance.random() < 0.7 else "b", 0),
        )
        for step in range(60)
    ]


def some_events(edges: Sequence[Edge]) -> list[Event]:
    """Events at the times of edges or later; vertices may not occur, or be null, as times may."""
    chance = Random(6)

    def vertex() -> int | None:
        return None if chance.random() < 0.1 else chance.randrange(10)

    return [
        Event(
            number,
            str(edge.key[0]),
            vertex(),
            vertex(),
            None if number % 17 == 0 else edge.time + chance.randrange(8) * SECOND,
        )
        for number, edge in enumerate(edges)
        if edge.time is not None
    ]


def expected(
    edges: Sequence[Edge], events: Sequence[Event], of: Mapping[str, Sequence[int]] | None = None
) -> Counter[Answer]:
    """Each event by itself: the edges of its windows, and components from scratch.

    The marked vertices of a region are those `of` it, or else the same everywhere.
    """

    def answers(event: Event) -> Any:
        if event.micros is None:
            return None
        end = event.micros - event.micros % SLIDE
        marked = {*(MARKED if of is None else of.get(event.region, ()))}
        return tuple(_answer(edges, event, marked, end - length, end) for length in LENGTHS)

    return Counter((*event, answers(event)) for event in events)


def _answer(edges: Sequence[Edge], event: Event, marked: set[int], start: int, end: int) -> Answer:
    def label(since: int) -> dict[Any, Any]:
        held: list[Any] = [
            (edge.src, edge.dst)
            for edge in edges
            if edge.key[0] == event.region and since <= (edge.time or 0) < end
        ]
        return oracle.components(held)

    def side(vertex: int | None) -> Answer:
        found = label(start)
        members = [other for other in found if vertex in found and found[other] == found[vertex]]
        return (min(members, default=None), len(members), len(marked & {*members}))

    def joined(since: int) -> bool:
        found = label(since)
        ends = (event.payer, event.payee)
        return all(end in found for end in ends) and found[ends[0]] == found[ends[1]]

    since = next((pane for pane in range(end - SLIDE, start - 1, -SLIDE) if joined(pane)), None)
    return (start, end, since is not None, since, side(event.payer), side(event.payee))


def static_events(spark: SparkSession, events: Sequence[Event]) -> DataFrame:
    raw = spark.createDataFrame(
        events, "number long, region string, payer long, payee long, micros long"
    )
    return raw.withColumn("at", F.timestamp_micros("micros"))


def told(answers: DataFrame) -> Counter[Answer]:
    """The rows as the oracle has them."""
    sides = [
        f"struct({side}.component, {side}.size, {side}.marked)"
        for side in ("each.source", "each.target")
    ]
    times = ["window.start", "window.end", "since"]
    start, end, since = [f"unix_micros(each.{time})" for time in times]
    fields = ", ".join([start, end, "each.connected", since, *sides])
    graph = F.expr(f"transform(graph, each -> struct({fields}))")
    return rows(answers.select("number", "region", "payer", "payee", "micros", graph))


def in_method(
    edges: DataFrame, events: DataFrame, marked: DataFrame | list[int] = MARKED
) -> DataFrame:
    return pyspark_bic.bic_as_of(
        edges,
        events,
        ["10 seconds", "20 seconds"],
        "5 seconds",
        source="payer",
        target="payee",
        at="at",
        marked=marked,
        by="region",
    )


def in_sql(edges: DataFrame, events: DataFrame) -> DataFrame:
    edges.createOrReplaceTempView("edges_of_events")
    events.createOrReplaceTempView("events")
    return edges.sparkSession.sql(
        "SELECT * FROM bic_as_of(TABLE(edges_of_events), TABLE(events), "
        "array('10 seconds', '20 seconds'), '5 seconds', source => 'payer', target => 'payee', "
        "at => 'at', marked => array(1, 4, 400), by => 'region')"
    )


EDGES = some_edges()
EVENTS = some_events(EDGES)
EXPECTED = expected(EDGES, EVENTS)


@pytest.mark.both("frames and lists arrive in two ways")
def test_tables(spark: SparkSession) -> None:
    """By the method with the marks of each graph, and by SQL with the same marks for all."""
    edges, events = static_edges(spark, EDGES), static_events(spark, EVENTS)
    answers = in_sql(edges, events)
    assert told(answers) == EXPECTED
    graphs: list[Any] = [graph for *_, graph in EXPECTED if graph is not None]
    assert any(joined for (_, _, joined, *_), _ in graphs)
    assert len({size for _, (*_, (_, size, _)) in graphs}) > 3

    regions = sorted({event.region for event in EVENTS})
    of = {region: [1, place] for place, region in enumerate(regions[1:])}
    marks = [(region, vertex) for region, vertices in of.items() for vertex in vertices]
    marked = spark.createDataFrame(marks, "region string, vertex long")
    wanted = expected(EDGES, EVENTS, of)
    assert wanted != expected(EDGES, EVENTS, {})
    by_method = in_method(edges, events, marked)
    assert told(by_method) == wanted and by_method.schema == answers.schema
