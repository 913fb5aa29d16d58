"""What the live view draws of the answers of each method."""

import pytest
from pyspark.errors import PySparkValueError
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from oracle import Edge
from pyspark_bic import bic_changes, bic_component_stats, bic_components, bic_connectivity
from pyspark_bic.extras.live._snapshot import on_clock, series
from tables import SET_BACK, static_edges

MINUTE = 60 * 1_000_000


def test_results_of_every_method(spark: SparkSession) -> None:
    edges = static_edges(spark, [Edge(1, 2, 0), Edge(2, 3, 1), Edge(8, 9, 2), Edge(8, 9, MINUTE)])
    members = series(bic_components(edges, "1 minute")).lines
    assert members == {"components": [2, 1], "vertices of the largest": [3, 2]}
    assert series(bic_component_stats(edges, "1 minute")).lines == members
    assert series(bic_changes(edges, "1 minute")).lines == {
        "appeared": [2, 0, 0],
        "merged": [0, 0, 0],
        "split": [0, 0, 0],
        "vanished": [0, 1, 1],
    }
    with pytest.raises(PySparkValueError, match="but its columns are src, dst"):
        series(edges.select("src", "dst"))


def test_components_of_several_graphs(spark: SparkSession) -> None:
    given = [Edge(1, 2, 0, ("a",)), Edge(1, 3, 1, ("b",)), Edge(1, 4, 2, ("b",))]
    edges = static_edges(spark, given)
    members = series(bic_components(edges, "1 minute", by="region")).lines
    assert members == {"components": [2], "vertices of the largest": [3]}
    assert series(bic_component_stats(edges, "1 minute", by="region")).lines == members


@pytest.mark.parametrize(
    "name", ["component", "connected", "vertex", "change", "size", "count", "end", "a.b"]
)
def test_a_graph_key_of_any_name(spark: SparkSession, name: str) -> None:
    edges = static_edges(spark, [Edge(1, 2, 0, ("a",)), Edge(1, 3, 1, ("b",))])
    edges = edges.withColumnRenamed("region", name)
    stats = series(bic_component_stats(edges, "1 minute", by=name))
    assert stats.lines == {"components": [2], "vertices of the largest": [2]}
    if name not in ("component", "vertex"):
        assert series(bic_components(edges, "1 minute", by=name)).lines == stats.lines
    if name not in ("change", "size"):
        assert series(bic_changes(edges, "1 minute", by=name)).lines["appeared"] == [2, 0]
    if name != "connected":
        pairs = series(bic_connectivity(edges, "1 minute", None, [(1, 2)], by=name))
        assert pairs.lines == {"pairs asked": [2], "connected": [1]}


def test_graph_keys_with_the_names_of_what_another_method_gives(spark: SparkSession) -> None:
    edges = static_edges(spark, [Edge(1, 2, 0, ("a", 1))])
    edges = edges.withColumnsRenamed({"region": "source", "shard": "connected"})
    found = series(bic_components(edges, "1 minute", by=["source", "connected"]))
    assert found.lines == {"components": [1], "vertices of the largest": [2]}


@pytest.mark.usefixtures("new_york")
def test_windows_are_moments_of_one_length(spark: SparkSession) -> None:
    edges = static_edges(spark, SET_BACK)
    found = series(bic_connectivity(edges, "1 hour", None, [(1, 2)]))
    assert found.lines == {"pairs asked": [1, 1, 1], "connected": [1, 1, 0]}
    assert [end.hour for end in found.ends] == [1, 1, 2]
    several = bic_connectivity(edges, ["1 hour", "2 hours"], "1 hour", [(1, 2)], index="recency")
    with pytest.raises(PySparkValueError, match=r"of 2 lengths \(1:00:00, 2:00:00\): keep one"):
        series(several)
    local = edges.withColumn("time", F.col("time").cast("timestamp_ntz"))
    assert series(bic_component_stats(local, "1 hour")).lines["components"] == [1, 2]


@pytest.mark.parametrize(
    ("time", "zone", "shown"),
    [
        ("2024-05-01T10:00:00.000Z", "Europe/Berlin", "2024-05-01 12:00:00"),
        ("2024-05-01T10:00:00.000Z", "UTC", "2024-05-01 10:00:00"),
        ("2024-05-01T10:00:00.000Z", "+01:00", "2024-05-01 10:00:00 UTC"),
        ("+57351-06-01T00:00:00.000Z", "America/New_York", "+57351-06-01 00:00:00 UTC"),
        (None, "UTC", "none yet"),
    ],
)
def test_the_watermark_is_on_the_clock_of_the_session(
    time: str | None, zone: str, shown: str
) -> None:
    assert on_clock(time, zone) == shown
