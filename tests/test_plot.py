"""Pictures: what is drawn, as data of the figures; how it looks is for eyes."""

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from functools import partial
from math import dist
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.dates import num2date
from matplotlib.figure import Figure
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from oracle import Edge
from pyspark_bic import (
    bic_component_stats,
    bic_components,
    bic_connectivity,
    bic_largest_components,
)
from pyspark_bic.extras import plot
from pyspark_bic.extras.plot import _layout
from tables import SET_BACK, static_edges

pytestmark = pytest.mark.later("the core needs none of it")

HOUR = 3600 * 1_000_000
# By hour: 1-2-3 and 7-8; then 1-2 alone; then, after an hour without edges, 5-6-5 and 9 by itself.
EDGES = [
    *(Edge(1, 2, 0), Edge(3, 2, 1), Edge(8, 7, 2), Edge(1, 2, HOUR)),
    *(Edge(5, 6, 3 * HOUR), Edge(6, 5, 3 * HOUR), Edge(9, 9, 3 * HOUR)),
]
HOURS = [1, 2, 4]  # of 1970-01-01, at which a window with edges ends
EPOCH = datetime(1970, 1, 1)


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return static_edges(spark, EDGES).cache()


@pytest.fixture(scope="module")
def components(edges: DataFrame) -> DataFrame:
    return bic_components(edges, "1 hour").cache()


@pytest.fixture
def fetched(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each `collect` has brought to the driver."""
    counts: list[int] = []
    kind: Any = type(spark.range(1))
    collect = kind.collect

    def counting(frame: DataFrame) -> list[Any]:
        found: list[Any] = collect(frame)
        counts.append(len(found))
        return found

    monkeypatch.setattr(kind, "collect", counting)
    return counts


def line(figure: Figure, axes: int, number: int) -> tuple[list[int], list[int]]:
    """The hours and the values of one of the lines."""
    drawn = figure.axes[axes].lines[number]
    dates = [num2date(float(day)) for day in np.asarray(drawn.get_xdata(orig=False))]
    hours = [date.day * 24 - 24 + date.hour for date in dates]
    return hours, [int(value) for value in np.asarray(drawn.get_ydata())]


def drawing(figure: Figure) -> list[tuple[int, int]]:
    """Vertices and links of each component, in the order they are drawn."""
    axes = figure.axes[0]
    vertices = [item for item in axes.collections if isinstance(item, PathCollection)]
    links = [item for item in axes.collections if isinstance(item, LineCollection)]
    return [
        (len(np.asarray(at.get_offsets())), len(held.get_segments()))
        for at, held in zip(vertices, links, strict=True)
    ]


def names(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def title(figure: Figure) -> str:
    return figure.axes[0].get_title(loc="left")


@pytest.mark.parametrize("kept", [lambda frame: frame, lambda frame: frame.toPandas()])
def test_lines_of_frames_of_spark_and_of_pandas(
    edges: DataFrame, kept: Callable[[DataFrame], Any], tmp_path: Path
) -> None:
    answers = bic_connectivity(edges, "1 hour", None, [(1, 2), (1, 3), (5, 6), (2, 9)])
    figure = plot.connected_pairs(kept(answers))
    assert line(figure, 0, 0) == (HOURS, [2, 1, 1])
    assert title(figure) == "of 4 pairs asked in each window"
    figure.savefig(tmp_path / "pairs.png")
    assert (tmp_path / "pairs.png").stat().st_size > 10_000
    figure = plot.component_stats(kept(bic_component_stats(edges, "1 hour")))
    assert line(figure, 0, 0) == (HOURS, [2, 1, 2])
    assert line(figure, 1, 0) == (HOURS, [5, 2, 3])
    assert line(figure, 1, 1) == (HOURS, [3, 2, 2])


def test_largest_components(edges: DataFrame, components: DataFrame) -> None:
    first = plot.largest_components(components, edges, EPOCH)
    assert drawing(first) == [(3, 2), (2, 1)]
    assert names(first) == ["2", "1", "3", "7", "8"]
    assert title(first) == "1970-01-01 00:00 to 1970-01-01 01:00, 5 of 5 vertices"
    # An edge both ways is one; a loop is a vertex without a line of length.
    last = plot.largest_components(components, edges)
    assert drawing(last) == [(2, 1), (1, 1)]
    assert last.get_suptitle() == "The 2 largest components of 2"
    one = plot.largest_components(components, edges, EPOCH, count=1, labels=False)
    assert drawing(one) == [(3, 2)] and not names(one)
    few = plot.largest_components(components, edges, EPOCH, max_vertices=2)
    assert drawing(few) == [(2, 1)]
    assert title(few).endswith("2 of 5 vertices")


def test_only_what_is_drawn_comes_to_the_driver(spark: SparkSession, fetched: list[int]) -> None:
    """And not a row for every pair that was asked, nor all edges of the largest component."""
    # A star with a triangle and a loop, which makes no neighbour; and a pair without room.
    ends = [(0, leaf) for leaf in range(1, 40)] + [(38, 39), (7, 7), (50, 51)]
    edges = static_edges(spark, [Edge(*pair, 0) for pair in ends]).cache()
    answers = bic_connectivity(edges, "1 hour", None, [(0, leaf) for leaf in range(1, 60)])
    components = bic_components(edges, "1 hour")
    fetched.clear()
    assert line(plot.connected_pairs(answers), 0, 0) == ([1], [39])
    assert fetched == [1]
    fetched.clear()
    figure = plot.largest_components(components, edges, max_vertices=4)
    assert names(figure) == ["0", "38", "39", "1"]
    # The centre with the others, and the third side of the triangle.
    assert drawing(figure) == [(4, 4)]
    assert max(fetched) == 4
    only = plot.largest_components(components, edges.where("src <> dst"), max_vertices=1)
    assert drawing(only) == [(1, 0)]


def test_spark_counts_the_components_of_a_window(spark: SparkSession, fetched: list[int]) -> None:
    """A window may have millions of components, of which the picture has a few."""
    edges = spark.range(2000).selectExpr(
        "2 * id AS src", "2 * id + 1 AS dst", "TIMESTAMP'2024-05-01 10:00:00' AS time"
    )
    components = bic_components(edges, "1 hour")
    fetched.clear()
    figure = plot.largest_components(components, edges, count=3)
    assert figure.get_suptitle() == "The 3 largest components of 2,000"
    assert sum(fetched) < 30


def test_refusals(edges: DataFrame, components: DataFrame) -> None:
    stats = bic_component_stats(edges, "1 hour")
    given: Any = [1]
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: plot.connected_pairs(given), "result must be a Spark or a pandas DataFrame, not"),
        (lambda: plot.connected_pairs(stats), "there is no column 'connected', only window"),
        (
            lambda: plot.component_stats(stats.where("false")),
            "there is nothing to draw: the result has no rows",
        ),
        (
            lambda: plot.component_stats(stats.union(stats)),
            "more than one row for a window that ends at 1970-01-01 01:00:00: keep one graph",
        ),
    ]
    arguments: list[tuple[dict[str, Any], str]] = [
        (
            {"start": datetime(1970, 1, 2)},
            "there is nothing to draw: no window that starts at 1970-01-02 00:00:00",
        ),
        ({"src": "from"}, "there is no column 'from', only src, dst"),
        ({"count": 0}, "count must be at least 1, but it is 0"),
        ({"count": "3"}, "count must be an int, not '3' (str)"),
        ({"count": 2.5}, "count must be an int, not 2.5"),
        ({"max_vertices": True}, "max_vertices must be an int, not True"),
        ({"start": "1970-01-01"}, "start must be a datetime, not '1970-01-01'"),
        ({"labels": "no"}, "labels must be a bool or None, not 'no'"),
        ({"src": 1}, "the name of a column must be a str, not 1"),
    ]
    largest = partial(plot.largest_components, components, edges)
    refused += [(partial(largest, **each), text) for each, text in arguments]
    for call, text in refused:
        with pytest.raises((PySparkTypeError, PySparkValueError)) as caught:
            call()
        assert str(caught.value).startswith(text)


def test_one_length_of_window_is_drawn(edges: DataFrame) -> None:
    lengths = ["1 hour", "2 hours"]
    pairs = bic_connectivity(edges, lengths, "1 hour", [(1, 2)])
    several = r"of 2 lengths \(1:00:00, 2:00:00\): keep one"
    with pytest.raises(PySparkValueError, match=several):
        plot.connected_pairs(pairs)
    with pytest.raises(PySparkValueError, match=several):
        plot.component_stats(bic_component_stats(edges, lengths, "1 hour"))
    in_pandas: Any = pairs.toPandas()
    with pytest.raises(PySparkValueError, match="more than one window ends at 1970-01-01 01:00"):
        plot.connected_pairs(in_pandas)
    one = pairs.where("unix_seconds(window.end) - unix_seconds(window.start) = 3600")
    assert line(plot.connected_pairs(one), 0, 0) == (HOURS, [1, 1, 0])
    components = bic_components(edges, lengths, "1 hour")
    with pytest.raises(PySparkValueError, match="windows of several lengths start at 1970-01-01"):
        plot.largest_components(components, edges, EPOCH)
    last = plot.largest_components(components.where("window.end <= '1970-01-01 02:00'"), edges)
    assert title(last) == "1970-01-01 01:00 to 1970-01-01 02:00, 2 of 2 vertices"


@pytest.mark.usefixtures("new_york")
def test_windows_of_a_clock_that_is_set_back(spark: SparkSession) -> None:
    """The clock is that of the session, not of the machine."""
    edges = static_edges(spark, SET_BACK)
    figure = plot.connected_pairs(bic_connectivity(edges, "1 hour", None, [(1, 2)]))
    # Hours since the beginning of the month, as the clock shows them.
    assert line(figure, 0, 0) == ([49, 49, 50], [1, 1, 0])
    components = bic_components(edges, "1 hour")
    last = plot.largest_components(components, edges)
    assert names(last) == ["3", "4"]
    assert title(last) == "2024-11-03 01:00 to 2024-11-03 02:00, 2 of 2 vertices"
    with pytest.raises(PySparkValueError, match="start 2024-11-03 01:00:00 comes twice in Amer"):
        plot.largest_components(components, edges, datetime(2024, 11, 3, 1))
    first = datetime(2024, 11, 3, 1, tzinfo=timezone(timedelta(hours=-4)))
    assert names(plot.largest_components(components, edges, first)) == ["1", "2"]


def test_windows_without_a_zone(edges: DataFrame) -> None:
    local = edges.withColumn("time", F.col("time").cast("timestamp_ntz"))
    assert line(plot.component_stats(bic_component_stats(local, "1 hour")), 0, 0)[0] == HOURS
    components = bic_components(local, "1 hour")
    assert drawing(plot.largest_components(components, local, datetime(1970, 1, 1, 1))) == [(2, 1)]
    with pytest.raises(PySparkValueError, match="has a time zone, but the times are TIMESTAMP_NTZ"):
        plot.largest_components(components, local, EPOCH.replace(tzinfo=timezone.utc))


def test_one_graph_is_drawn_and_edges_of_others_join_nothing(spark: SparkSession) -> None:
    of_a = [Edge(1, 2, 0, ("a",)), Edge(7, 8, 0, ("a",))]
    edges = static_edges(spark, [*of_a, Edge(2, 7, 0, ("b",))]).cache()
    components = bic_components(edges, "1 hour", by="region")
    with pytest.raises(PySparkValueError, match="a vertex is there more than once in the window"):
        plot.largest_components(components, edges)
    one = components.where("region = 'a'")
    drawn = plot.largest_components(one, edges)
    assert drawing(drawn) == [(2, 1), (2, 1)]
    assert title(drawn).endswith("4 of 4 vertices")
    with pytest.raises(PySparkValueError, match="no edge of the window is of the component 1"):
        plot.largest_components(one, edges.where("src > 1"))


def test_names_of_vertices_are_not_formulas(spark: SparkSession, tmp_path: Path) -> None:
    edges = spark.createDataFrame([("$x_$", "$^$")], "src string, dst string")
    edges = edges.withColumn("time", F.timestamp_seconds(F.lit(0)))
    figure = plot.largest_components(bic_components(edges, "1 hour"), edges)
    figure.savefig(tmp_path / "names.png")
    assert names(figure) == ["$^$", "$x_$"]


def test_names_of_columns_are_those_of_spark(edges: DataFrame) -> None:
    odd = edges.withColumnsRenamed({"src": "a.b", "dst": "c`d", "time": "e.f"})
    components = bic_components(odd, "1 hour", src="a.b", dst="c`d", time="e.f")
    figure = plot.largest_components(components, odd, src="A.B", dst="C`D", time="E.F")
    assert drawing(figure) == [(2, 1), (1, 1)]
    upper = bic_component_stats(edges, "1 hour").withColumnRenamed("components", "COMPONENTS")
    assert line(plot.component_stats(upper), 0, 0) == (HOURS, [2, 1, 2])


def test_discs_do_not_overlap_and_vertices_stay_inside() -> None:
    radii = [_layout.radius(size) for size in (90, 40, 12, 12, 5, 3, 2, 2, 2, 1)]
    centres = _layout.pack(radii)
    for one, (centre, size) in enumerate(zip(centres, radii, strict=True)):
        for other in range(one):
            assert dist(centre, centres[other]) >= size + radii[other]
    ring = [(vertex, (vertex + 1) % 20) for vertex in range(20)]
    at = _layout.spring(20, ring)
    assert np.linalg.norm(at, axis=1).max() <= 1 + 1e-9
    apart = np.linalg.norm(at[:, None] - at[None, :], axis=2)
    # What joins them may have been left out.
    assert _layout.spring(3, []).shape == (3, 2)
    joined = np.mean([apart[a, b] for a, b in ring])
    assert joined < apart.sum() / (20 * 19)


def test_rows_of_the_largest_components_are_drawn_as_well(
    edges: DataFrame, components: DataFrame
) -> None:
    largest = bic_largest_components(edges, "1 hour", members=True)
    drawn = plot.largest_components(largest, edges, EPOCH)
    assert drawing(drawn) == [(3, 2), (2, 1)]
    assert names(drawn) == names(plot.largest_components(components, edges, EPOCH))
    with pytest.raises(PySparkValueError, match="there is no column 'members', only window"):
        plot.largest_components(largest.drop("members"), edges)


def test_a_window_as_a_graph_of_networkx(edges: DataFrame) -> None:
    named = edges.withColumn("id", F.col("src") + F.col("dst"))
    graph = plot.to_networkx(named, EPOCH, EPOCH + timedelta(hours=1))
    assert sorted(graph.edges(data="id")) == [(1, 2, 3), (3, 2, 5), (8, 7, 15)]
    of_some = plot.to_networkx(edges, EPOCH, EPOCH + timedelta(hours=1), vertices=[1, 2, 8])
    assert [*of_some.edges()] == [(1, 2)]
    figure = plot.network(graph, path=[{"src": 2, "dst": 1}])
    assert sorted(names(figure)) == ["1", "2", "3", "7", "8"]
    [lines] = [each for each in figure.axes[0].collections if isinstance(each, LineCollection)]
    assert len(lines.get_segments()) == 3
    assert len({tuple(map(float, colour)) for colour in np.asarray(lines.get_colors())}) == 2
    refused: Any = edges
    with pytest.raises(PySparkTypeError, match="graph must be a graph of networkx, not "):
        plot.network(refused)
    with pytest.raises(PySparkValueError, match="1 to 400 vertices, but the graph has 0"):
        plot.network(nx.Graph())


def test_without_matplotlib_it_says_what_to_install() -> None:
    program = (
        "import importlib.util as util; find = util.find_spec; "
        "util.find_spec = lambda name: None if name == 'matplotlib' else find(name); "
        "import pyspark_bic.extras.plot"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert 'pyspark_bic.extras.plot needs matplotlib: pip install "pyspark-bic[plot]"' in run.stderr
