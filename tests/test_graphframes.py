"""The columns that GraphFrames documents, and the graphs in them."""

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

HOUR = 3600 * 1_000_000
EDGES = [Edge(1, 2, 0), Edge(3, 2, 1), Edge(8, 7, 2), Edge(9, None, 3), Edge(1, 9, HOUR)]
START, END = datetime(1970, 1, 1), datetime(1970, 1, 1, 1)


def rows(frame: DataFrame) -> list[tuple[object, ...]]:
    return sorted(map(tuple, frame.collect()))


def test_a_window_and_back(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES)
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


def test_other_names(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES).toDF("from", "to", "region", "shard", "at")
    graph = window_graph(edges, START, END, src="from", dst="to", time="at")
    assert graph.edges.columns == ["src", "dst", "region", "shard", "at"]
    assert graph.edges.count() == 3


def test_refusals(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES)
    with pytest.raises(PySparkValueError, match="there is no column 'at', only src, dst, region"):
        from_edges(edges, "at")
    with pytest.raises(PySparkValueError, match="start must be before end, but 1970-01-01 01:00"):
        window_graph(edges, END, START)
    with pytest.raises(PySparkValueError, match="two columns would have the name 'src'"):
        window_graph(edges, START, END, src="shard")
    with pytest.raises(PySparkValueError, match="column 'dst' is given twice: src, dst and time"):
        window_graph(edges, START, END, src="dst")
    with pytest.raises(PySparkValueError, match="column 'src' is given twice: src, dst and time"):
        from_edges(edges.drop("time"), "src")


def test_of_several_lengths_the_end_tells_the_window(spark: SparkSession) -> None:
    lengths = ["1 hour", "2 hours"]
    several = bic_components(static_edges(spark, EDGES), lengths, "1 hour", index="recency")
    with pytest.raises(PySparkValueError, match=f"lengths start at {START}: give the end"):
        window_components(several, START)
    short = window_components(several, START, END)
    assert rows(short) == [(1, 1), (2, 1), (3, 1), (7, 7), (8, 7)]
    long = window_components(several, START, datetime(1970, 1, 1, 2))
    assert rows(long) == [(1, 1), (2, 1), (3, 1), (7, 7), (8, 7), (9, 1)]


@pytest.mark.usefixtures("new_york")
def test_windows_of_a_clock_that_is_set_back(spark: SparkSession) -> None:
    edges = static_edges(spark, SET_BACK)
    components = bic_components(edges, "1 hour")
    again = datetime(2024, 11, 3, 1)
    first = again.replace(tzinfo=timezone(timedelta(hours=-4)))
    second = first + timedelta(hours=1)
    assert rows(window_components(components, first)) == [(1, 1), (2, 1)]
    assert rows(window_components(components, second)) == [(3, 3), (4, 3)]
    # Python compares times of one zone by what its clock shows.
    new_york_at = again.replace(tzinfo=ZoneInfo("America/New_York"))
    late = window_graph(edges, new_york_at.replace(minute=30), new_york_at.replace(fold=1))
    assert late.edges.count() == 0
    assert rows(window_graph(edges, first, second).edges.select("src", "dst")) == [(1, 2)]
    with pytest.raises(PySparkValueError, match="start 2024-11-03 01:00:00 comes twice in Amer"):
        window_components(components, again)
    with pytest.raises(PySparkValueError, match="end 2024-11-03 01:30:00 comes twice in Amer"):
        window_graph(edges, datetime(2024, 11, 3), datetime(2024, 11, 3, 1, 30))
    with pytest.raises(PySparkValueError, match="comes never in America/New_York, where clocks"):
        window_graph(edges, datetime(2024, 3, 10, 2, 30), datetime(2024, 3, 10, 4))
    day = window_graph(edges, datetime(2024, 11, 3), datetime(2024, 11, 3, 2))
    assert day.edges.count() == 3
    ever = window_graph(edges, datetime.min, datetime.max)
    assert ever.edges.count() == 3


@pytest.mark.usefixtures("new_york")
def test_clocks_that_are_ahead_of_utc(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    edges = static_edges(spark, EDGES)
    with pytest.raises(PySparkValueError, match="start 2024-10-27 02:30:00 comes twice in Eur"):
        window_graph(edges, datetime(2024, 10, 27, 2, 30), datetime(2024, 10, 27, 4))
    with pytest.raises(PySparkValueError, match="start 2024-03-31 02:30:00 comes never in Eur"):
        window_graph(edges, datetime(2024, 3, 31, 2, 30), datetime(2024, 3, 31, 4))
    assert window_graph(edges, datetime(1970, 1, 1, 1), datetime(1970, 1, 1, 2)).edges.count() == 3


@pytest.mark.usefixtures("new_york")
def test_times_with_a_zone_are_moments(spark: SparkSession) -> None:
    edges = static_edges(spark, SET_BACK)
    components = bic_components(edges, "1 hour")
    four, six = (datetime(2024, 11, 3, hour, tzinfo=timezone.utc) for hour in (4, 6))
    assert window_graph(edges, four, six).edges.count() == 2
    assert rows(window_components(components, four)) == [(1, 1), (2, 1)]
    with pytest.raises(PySparkValueError, match=r"start 2024-11-03 04:00:00\+00:00 and end 2024"):
        window_graph(edges, four, datetime(2024, 11, 3, 6))
    local = edges.withColumn("time", F.col("time").cast("timestamp_ntz"))
    assert window_graph(local, datetime(2024, 11, 3), datetime(2024, 11, 3, 1)).edges.count() == 1
    # Both hours from one o'clock are one where there is no zone.
    by_clock = bic_components(local, "1 hour")
    found = rows(window_components(by_clock, datetime(2024, 11, 3, 1)))
    assert found == [(1, 1), (2, 1), (3, 3), (4, 3)]
    with pytest.raises(PySparkValueError, match="has a time zone, but the times are TIMESTAMP_NTZ"):
        window_graph(local, four, six)
    with pytest.raises(PySparkValueError, match="has a time zone, but the times are TIMESTAMP_NTZ"):
        window_components(by_clock, four)


def test_names_of_columns_are_those_of_spark(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES).drop("region", "shard")
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
    with set_to(spark, {"spark.sql.caseSensitive": "True"}):
        with pytest.raises(PySparkValueError, match="there is no column 'Time', only src"):
            from_edges(edges, "Time")
        assert window_graph(both, START, END, src="from").edges.columns[-1] == "SRC"


def test_arguments_of_other_types(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES)
    text: Any = "1970-01-01"
    with pytest.raises(PySparkTypeError, match="start must be a datetime, not '1970-01-01'"):
        window_graph(edges, text, END)
    none_of_pandas = import_module("pandas").NaT
    with pytest.raises(PySparkTypeError, match="start must be a datetime, not NaT"):
        window_graph(edges, none_of_pandas, END)
    with pytest.raises(PySparkTypeError, match="end must be a datetime, not '1970-01-01'"):
        window_components(bic_components(edges, "1 hour"), START, text)
    number: Any = 5
    with pytest.raises(PySparkTypeError, match="the name of a column must be a str, not 5"):
        from_edges(edges, number)
    with pytest.raises(PySparkValueError, match="'region' must be TIMESTAMP or TIMESTAMP_NTZ, not"):
        window_graph(edges, START, END, time="region")
    of_pandas: Any = edges.toPandas()
    with pytest.raises(
        PySparkTypeError, match="edges must be a Spark DataFrame, not one of pandas"
    ):
        window_graph(of_pandas, START, END)
    with pytest.raises(
        PySparkTypeError, match="edges must be a Spark DataFrame, not one of pandas"
    ):
        from_edges(of_pandas, "time")
    with pytest.raises(PySparkTypeError, match="components must be a Spark DataFrame, not 5"):
        window_components(number, START)
    flat = bic_components(edges, "1 hour").withColumn("window", F.col("window.start"))
    with pytest.raises(PySparkValueError, match="'window' must be a struct with start and end"):
        window_components(flat, START)


def test_the_window_of_a_stream_needs_its_end(spark: SparkSession) -> None:
    rate = (
        spark.readStream.format("rate").load().selectExpr("value src", "0L dst", "timestamp time")
    )
    components = bic_components(rate.withWatermark("time", "1 minute"), "1 hour")
    with pytest.raises(PySparkValueError, match="components is a stream: give the end"):
        window_components(components, START)
    assert window_components(components, START, END).isStreaming
