"""The columns that GraphFrames documents, and the graphs in them."""

from datetime import datetime

import networkx as nx
import pytest
from pyspark.errors import PySparkValueError
from pyspark.sql import SparkSession

from oracle import Edge
from pyspark_bic import bic_components
from pyspark_bic.graphframes import from_edges, window_components, window_graph
from tables import static_edges

HOUR = 3600 * 1_000_000
EDGES = [Edge(1, 2, 0), Edge(3, 2, 1), Edge(8, 7, 2), Edge(9, None, 3), Edge(1, 9, HOUR)]
START, END = datetime(1970, 1, 1), datetime(1970, 1, 1, 1)


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
