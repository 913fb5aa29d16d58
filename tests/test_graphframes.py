"""The columns that GraphFrames documents, and the graphs in them."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from importlib import import_module
from typing import Any
from zoneinfo import ZoneInfo

import networkx as nx
import pytest
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from oracle import Edge
from pyspark_bic import bic_components
from pyspark_bic.extras.graphframes import from_edges, window_components, window_graph
from session_settings import set_to
from tables import SET_BACK, static_edges

pytestmark = pytest.mark.later("the core needs none of it")

HOUR = 3600 * 1_000_000
EDGES = [Edge(1, 2, 0), Edge(3, 2, 1), Edge(8, 7, 2), Edge(9, None, 3), Edge(1, 9, HOUR)]
START, END = datetime(1970, 1, 1), datetime(1970, 1, 1, 1)


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return static_edges(spark, EDGES)


def rows(frame: DataFrame) -> list[tuple[object, ...]]:
    return sorted(map(tuple, frame.collect()))


def test_a_window_and_back(edges: DataFrame) -> None:
    graph = window_graph(edges, START, END)
    assert graph.vertices.columns == ["id"]
    assert graph.edges.columns == ["src", "dst", "region", "shard", "time"]
    vertices = [row.id for row in graph.vertices.collect()]
    assert sorted(vertices) == [1, 2, 3, 7, 8]

    plain = nx.Graph()
    plain.add_nodes_from(vertices)
    plain.add_edges_from((row.src, row.dst) for row in graph.edges.collect())
    expected = {(each, min(held)) for held in nx.connected_components(plain) for each in held}
    found = window_components(bic_components(edges, "1 hour"), START)
    assert found.columns == ["id", "component"]
    assert {tuple(row) for row in found.collect()} == expected

    again = from_edges(graph.edges.withColumnRenamed("time", "at"), "at")
    members = bic_components(again, "1 hour").select("vertex", "component").collect()
    assert {tuple(row) for row in members} == expected


def test_of_several_lengths_the_end_tells_the_window(edges: DataFrame) -> None:
    several = bic_components(edges, ["1 hour", "2 hours"], "1 hour")
    with pytest.raises(PySparkValueError, match=f"lengths start at {START}: give the end"):
        window_components(several, START)
    short = [(1, 1), (2, 1), (3, 1), (7, 7), (8, 7)]
    assert rows(window_components(several, START, END)) == short
    long = window_components(several, START, datetime(1970, 1, 1, 2))
    assert rows(long) == [*short, (9, 1)]


@pytest.mark.usefixtures("new_york")
def test_moments_of_a_clock_that_is_set(spark: SparkSession) -> None:
    edges = static_edges(spark, SET_BACK)
    components = bic_components(edges, "1 hour")
    again = datetime(2024, 11, 3, 1)
    first = again.replace(tzinfo=timezone(timedelta(hours=-4)))
    second = first + timedelta(hours=1)
    assert rows(window_components(components, first)) == [(1, 1), (2, 1)]
    assert rows(window_components(components, second)) == [(3, 3), (4, 3)]
    assert rows(window_graph(edges, first, second).edges.select("src", "dst")) == [(1, 2)]
    # Python compares times of one zone by what its clock shows.
    new_york_at = again.replace(tzinfo=ZoneInfo("America/New_York"))
    late = window_graph(edges, new_york_at.replace(minute=30), new_york_at.replace(fold=1))
    assert late.edges.count() == 0
    for from_, until in (
        (datetime(2024, 11, 3), datetime(2024, 11, 3, 2)),
        (datetime.min, datetime.max),
    ):
        assert window_graph(edges, from_, until).edges.count() == 3
    local = edges.withColumn("time", F.col("time").cast("timestamp_ntz"))
    # Both hours from one o'clock are one where there is no zone.
    by_clock = bic_components(local, "1 hour")
    assert rows(window_components(by_clock, again)) == [(1, 1), (2, 1), (3, 3), (4, 3)]
    assert window_graph(local, datetime(2024, 11, 3), again).edges.count() == 1
    none = "has a time zone, but the times are TIMESTAMP_NTZ"
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: window_components(components, again), "01:00:00 comes twice in America/New_York"),
        (lambda: window_graph(local, first, second), none),
        (lambda: window_components(by_clock, first), none),
    ]
    for call, text in refused:
        with pytest.raises(PySparkValueError, match=text):
            call()


@pytest.mark.usefixtures("new_york")
def test_times_that_a_clock_shows_twice_or_never(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES)
    autumn, spring = datetime(2024, 11, 3), datetime(2024, 3, 10, 2, 30)
    moment = datetime(2024, 11, 3, 4, tzinfo=timezone.utc)
    refused: list[tuple[str, datetime, datetime, str]] = [
        ("America/New_York", autumn, datetime(2024, 11, 3, 1, 30), "end .* 01:30:00 comes twice"),
        (
            "America/New_York",
            spring,
            datetime(2024, 3, 10, 4),
            "02:30:00 comes never in Am.*clocks",
        ),
        ("America/New_York", moment, datetime(2024, 11, 3, 6), r"04:00:00\+00:00 and end 2024"),
        # Clocks that are ahead of UTC.
        ("Europe/Berlin", datetime(2024, 10, 27, 2, 30), autumn, "start .* 02:30:00 comes twice"),
        ("Europe/Berlin", datetime(2024, 3, 31, 2, 30), autumn, "start .* 02:30:00 comes never"),
    ]
    for zone, start, end, text in refused:
        spark.conf.set("spark.sql.session.timeZone", zone)
        with pytest.raises(PySparkValueError, match=text):
            window_graph(edges, start, end)
    assert window_graph(edges, datetime(1970, 1, 1, 1), datetime(1970, 1, 1, 2)).edges.count() == 3


def test_names_of_columns_are_those_of_spark(edges: DataFrame) -> None:
    edges = edges.drop("region", "shard")
    dotted = edges.toDF("a.b", "c`d", "e.f")
    graph = window_graph(dotted, START, END, src="a.b", dst="c`d", time="e.f")
    assert graph.edges.columns == ["src", "dst", "e.f"]
    assert graph.edges.count() == 3
    assert from_edges(dotted, "E.F", src="A.B", dst="c`d").columns == ["src", "dst", "time"]
    assert window_graph(edges, START, END, src="SRC", time="Time").edges.columns == edges.columns
    upper = bic_components(edges, "1 hour").toDF("WINDOW", "VERTEX", "COMPONENT")
    assert window_components(upper, START).columns == ["id", "component"]
    both = edges.withColumnRenamed("src", "from").withColumn("SRC", F.lit("x"))
    with pytest.raises(PySparkValueError, match="two columns would have the name 'src'"):
        window_graph(both, START, END, src="from")
    with pytest.raises(PySparkValueError, match="2 columns are called 'Src': rename or drop"):
        window_graph(both.withColumnRenamed("from", "src"), START, END, src="Src")
    with set_to(edges.sparkSession, {"spark.sql.caseSensitive": "True"}):
        with pytest.raises(PySparkValueError, match="there is no column 'Time', only src"):
            from_edges(edges, "Time")
        assert window_graph(both, START, END, src="from").edges.columns[-1] == "SRC"


def test_refusals(edges: DataFrame) -> None:
    of_pandas, number, text = edges.toPandas(), 5, "1970-01-01"
    none: Any = import_module("pandas").NaT
    components = bic_components(edges, "1 hour")
    flat = components.withColumn("window", F.col("window.start"))
    frame = "must be a Spark DataFrame, not"
    refused: list[tuple[Callable[..., object], tuple[Any, ...], str]] = [
        (window_graph, (of_pandas, START, END), f"edges {frame} one of pandas"),
        (window_graph, (edges, text, END), "start must be a datetime, not '1970-01-01'"),
        (window_graph, (edges, none, END), "start must be a datetime, not NaT"),
        (window_graph, (edges, END, START), "start must be before end, but 1970-01-01 01:00"),
        (from_edges, (of_pandas, "time"), f"edges {frame} one of pandas"),
        (from_edges, (edges, number), "the name of a column must be a str, not 5"),
        (from_edges, (edges, "at"), "there is no column 'at', only src, dst, region"),
        (from_edges, (edges, "src"), "column 'src' is given twice: src, dst and time"),
        (window_components, (number, START), f"components {frame} 5"),
        (window_components, (components, START, text), "end must be a datetime, not '1970-01-01'"),
        (window_components, (flat, START), "'window' must be a struct with start and end"),
    ]
    for function, arguments, told in refused:
        with pytest.raises((PySparkTypeError, PySparkValueError), match=told):
            function(*arguments)
    for columns, told in (
        ({"src": "shard"}, "two columns would have the name 'src'"),
        ({"src": "dst"}, "column 'dst' is given twice: src, dst and time"),
        ({"time": "region"}, "'region' must be TIMESTAMP or TIMESTAMP_NTZ, not"),
    ):
        with pytest.raises(PySparkValueError, match=told):
            window_graph(edges, START, END, **columns)


def test_the_window_of_a_stream_needs_its_end(spark: SparkSession) -> None:
    rate = spark.readStream.format("rate").load()
    edges = rate.selectExpr("value src", "0L dst", "timestamp time")
    components = bic_components(edges.withWatermark("time", "1 minute"), "1 hour")
    with pytest.raises(PySparkValueError, match="components is a stream: give the end"):
        window_components(components, START)
    assert window_components(components, START, END).isStreaming
