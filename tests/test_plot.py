"""Pictures: what is drawn, as data of the figures; how it looks is for eyes."""

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from math import dist
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.dates import num2date
from matplotlib.figure import Figure
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from oracle import Edge
from pyspark_bic import bic_component_stats, bic_components, bic_connectivity
from pyspark_bic.extras import plot
from pyspark_bic.extras.plot import _layout
from session_settings import set_to
from tables import SET_BACK, static_edges

HOUR = 3600 * 1_000_000
# By hour: 1-2-3 and 7-8; then 1-2 alone; then, after an hour without edges, 5-6-5 and 9 by itself.
EDGES = [
    Edge(1, 2, 0),
    Edge(3, 2, 1),
    Edge(8, 7, 2),
    Edge(1, 2, HOUR),
    Edge(5, 6, 3 * HOUR),
    Edge(6, 5, 3 * HOUR),
    Edge(9, 9, 3 * HOUR),
]
HOURS = [1, 2, 4]  # of 1970-01-01, at which a window with edges ends


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return static_edges(spark, EDGES).cache()


def line(figure: Figure, axes: int, number: int) -> tuple[list[int], list[int]]:
    """The hours and the values of one of the lines."""
    drawn = figure.axes[axes].lines[number]
    dates = [num2date(float(day)) for day in np.asarray(drawn.get_xdata(orig=False))]
    hours = [date.day * 24 - 24 + date.hour for date in dates]
    return hours, [int(value) for value in np.asarray(drawn.get_ydata())]


@pytest.mark.parametrize("pandas", [False, True])
def test_connected_pairs(edges: DataFrame, pandas: bool, tmp_path: Path) -> None:
    answers: Any = bic_connectivity(edges, "1 hour", None, [(1, 2), (1, 3), (5, 6), (2, 9)])
    figure = plot.connected_pairs(answers.toPandas() if pandas else answers)
    assert line(figure, 0, 0) == (HOURS, [2, 1, 1])
    assert figure.axes[0].get_title(loc="left") == "of 4 pairs asked in each window"
    figure.savefig(tmp_path / "pairs.png")
    assert (tmp_path / "pairs.png").stat().st_size > 10_000


def test_only_what_is_drawn_comes_to_the_driver(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not a row for every pair that was asked, nor all edges of the largest component."""
    fetched: list[int] = []
    kind: Any = type(spark.range(1))
    collect = kind.collect

    def counting(frame: DataFrame) -> list[Any]:
        found: list[Any] = collect(frame)
        fetched.append(len(found))
        return found

    # A star with a triangle and a loop, which makes no neighbour; and a pair without room.
    ends = [(0, leaf) for leaf in range(1, 40)] + [(38, 39), (7, 7), (50, 51)]
    edges = static_edges(spark, [Edge(*pair, 0) for pair in ends]).cache()
    answers = bic_connectivity(edges, "1 hour", None, [(0, leaf) for leaf in range(1, 60)])
    components = bic_components(edges, "1 hour")
    monkeypatch.setattr(kind, "collect", counting)
    assert line(plot.connected_pairs(answers), 0, 0) == ([1], [39])
    assert fetched == [1]
    fetched.clear()
    figure = plot.largest_components(components, edges, max_vertices=4)
    assert [text.get_text() for text in figure.axes[0].texts] == ["0", "38", "39", "1"]
    # The centre with the others, and the third side of the triangle.
    assert drawing(figure) == [(4, 4)]
    assert max(fetched) == 4
    only = plot.largest_components(components, edges.where("src <> dst"), max_vertices=1)
    assert drawing(only) == [(1, 0)]


@pytest.mark.parametrize("pandas", [False, True])
def test_component_stats(edges: DataFrame, pandas: bool) -> None:
    stats: Any = bic_component_stats(edges, "1 hour")
    figure = plot.component_stats(stats.toPandas() if pandas else stats)
    assert line(figure, 0, 0) == (HOURS, [2, 1, 2])
    assert line(figure, 1, 0) == (HOURS, [5, 2, 3])
    assert line(figure, 1, 1) == (HOURS, [3, 2, 2])


def drawing(figure: Figure) -> list[tuple[int, int]]:
    """Vertices and links of each component, in the order they are drawn."""
    axes = figure.axes[0]
    vertices = [item for item in axes.collections if isinstance(item, PathCollection)]
    links = [item for item in axes.collections if isinstance(item, LineCollection)]
    return [
        (len(np.asarray(at.get_offsets())), len(held.get_segments()))
        for at, held in zip(vertices, links, strict=True)
    ]


def test_largest_components(edges: DataFrame, tmp_path: Path) -> None:
    components = bic_components(edges, "1 hour")
    first = plot.largest_components(components, edges, datetime(1970, 1, 1))
    assert drawing(first) == [(3, 2), (2, 1)]
    assert [text.get_text() for text in first.axes[0].texts] == ["2", "1", "3", "7", "8"]
    subtitle = "1970-01-01 00:00 to 1970-01-01 01:00, 5 of 5 vertices"
    assert first.axes[0].get_title(loc="left") == subtitle
    # An edge both ways is one; a loop is a vertex without a line of length.
    last = plot.largest_components(components, edges)
    assert drawing(last) == [(2, 1), (1, 1)]
    assert last.get_suptitle() == "The 2 largest components of 2"
    last.savefig(tmp_path / "drawing.png")
    one = plot.largest_components(components, edges, datetime(1970, 1, 1), count=1, labels=False)
    assert drawing(one) == [(3, 2)]
    assert not one.axes[0].texts
    few = plot.largest_components(components, edges, datetime(1970, 1, 1), max_vertices=2)
    assert drawing(few) == [(2, 1)]
    assert few.axes[0].get_title(loc="left").endswith("2 of 5 vertices")


def test_the_clock_is_that_of_the_session(edges: DataFrame, spark: SparkSession) -> None:
    with set_to(spark, {"spark.sql.session.timeZone": "Asia/Tokyo"}):
        figure = plot.component_stats(bic_component_stats(edges, "1 hour"))
        drawn = plot.largest_components(bic_components(edges, "1 hour"), edges)
    assert line(figure, 0, 0)[0] == [hour + 9 for hour in HOURS]
    title = drawn.axes[0].get_title(loc="left")
    assert title == "1970-01-01 12:00 to 1970-01-01 13:00, 3 of 3 vertices"


def test_refusals(edges: DataFrame) -> None:
    stats = bic_component_stats(edges, "1 hour")
    components = bic_components(edges, "1 hour")
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: plot.connected_pairs([1]), "result must be a Spark or a pandas DataFrame, not"),
        (
            lambda: plot.connected_pairs(stats),
            "there is no column 'connected', only window, vertices",
        ),
        (
            lambda: plot.component_stats(stats.where("false")),
            "there is nothing to draw: the result has no rows",
        ),
        (
            lambda: plot.component_stats(stats.union(stats)),
            "more than one row for a window that ends at 1970-01-01 01:00:00: keep one graph",
        ),
        (
            lambda: plot.largest_components(components, edges, datetime(1970, 1, 2)),
            "there is nothing to draw: no window that starts at 1970-01-02 00:00:00",
        ),
        (
            lambda: plot.largest_components(components, edges, src="from"),
            "there is no column 'from', only src, dst",
        ),
        (
            lambda: plot.largest_components(components, edges, count=0),
            "count must be at least 1, but it is 0",
        ),
    ]
    for call, text in refused:
        with pytest.raises((PySparkTypeError, PySparkValueError)) as caught:
            call()
        assert str(caught.value).startswith(text)


def test_one_length_of_window_is_drawn(edges: DataFrame) -> None:
    lengths = ["1 hour", "2 hours"]
    pairs = bic_connectivity(edges, lengths, "1 hour", [(1, 2)], index="recency")
    stats = bic_component_stats(edges, lengths, "1 hour", index="recency")
    with pytest.raises(PySparkValueError, match=r"of 2 lengths \(1:00:00, 2:00:00\): keep one"):
        plot.connected_pairs(pairs)
    with pytest.raises(PySparkValueError, match=r"of 2 lengths \(1:00:00, 2:00:00\): keep one"):
        plot.component_stats(stats)
    in_pandas: Any = pairs.toPandas()
    with pytest.raises(PySparkValueError, match="more than one window ends at 1970-01-01 01:00"):
        plot.connected_pairs(in_pandas)
    one = pairs.where("unix_seconds(window.end) - unix_seconds(window.start) = 3600")
    assert line(plot.connected_pairs(one), 0, 0) == (HOURS, [1, 1, 0])

    components = bic_components(edges, lengths, "1 hour", index="recency")
    with pytest.raises(PySparkValueError, match="windows of several lengths start at 1970-01-01"):
        plot.largest_components(components, edges, datetime(1970, 1, 1))
    last = plot.largest_components(components.where("window.end <= '1970-01-01 02:00'"), edges)
    title = "1970-01-01 01:00 to 1970-01-01 02:00, 2 of 2 vertices"
    assert last.axes[0].get_title(loc="left") == title


@pytest.mark.usefixtures("new_york")
def test_windows_of_a_clock_that_is_set_back(spark: SparkSession) -> None:
    edges = static_edges(spark, SET_BACK)
    figure = plot.connected_pairs(bic_connectivity(edges, "1 hour", None, [(1, 2)]))
    assert figure.axes[0].get_title(loc="left") == "of 1 pairs asked in each window"
    assert [int(value) for value in np.asarray(figure.axes[0].lines[0].get_ydata())] == [1, 1, 0]
    stats = plot.component_stats(bic_component_stats(edges, "1 hour"))
    assert len(np.asarray(stats.axes[0].lines[0].get_ydata())) == 3

    components = bic_components(edges, "1 hour")
    last = plot.largest_components(components, edges)
    assert [text.get_text() for text in last.axes[0].texts] == ["3", "4"]
    with pytest.raises(PySparkValueError, match="start 2024-11-03 01:00:00 comes twice in Amer"):
        plot.largest_components(components, edges, datetime(2024, 11, 3, 1))
    first = datetime(2024, 11, 3, 1, tzinfo=timezone(timedelta(hours=-4)))
    drawn = plot.largest_components(components, edges, first)
    assert [text.get_text() for text in drawn.axes[0].texts] == ["1", "2"]


def test_windows_without_a_zone(edges: DataFrame) -> None:
    local = edges.withColumn("time", F.col("time").cast("timestamp_ntz"))
    assert line(plot.component_stats(bic_component_stats(local, "1 hour")), 0, 0)[0] == HOURS
    components = bic_components(local, "1 hour")
    assert drawing(plot.largest_components(components, local, datetime(1970, 1, 1, 1))) == [(2, 1)]
    with pytest.raises(PySparkValueError, match="has a time zone, but the times are TIMESTAMP_NTZ"):
        plot.largest_components(components, local, datetime(1970, 1, 1, tzinfo=timezone.utc))


def test_several_graphs_are_refused(spark: SparkSession) -> None:
    edges = static_edges(
        spark, [Edge(1, 2, 0, ("a",)), Edge(2, 3, 1, ("b",)), Edge(2, 4, 2, ("b",))]
    )
    components = bic_components(edges, "1 hour", by="region")
    with pytest.raises(PySparkValueError, match="a vertex is there more than once in the window"):
        plot.largest_components(components, edges)
    # Edges of the other graphs do no harm.
    one = plot.largest_components(components.where("region = 'a'"), edges)
    assert drawing(one) == [(2, 1)]
    assert one.axes[0].get_title(loc="left").endswith("2 of 2 vertices")
    with pytest.raises(PySparkValueError, match="no edge of the window is of the component 1"):
        plot.largest_components(components.where("region = 'a'"), edges.where("src > 1"))


def test_edges_of_other_graphs_join_nothing(spark: SparkSession) -> None:
    """Those between two components of the one that is drawn."""
    of_a = [Edge(1, 2, 0, ("a",)), Edge(7, 8, 0, ("a",))]
    edges = static_edges(spark, [*of_a, Edge(2, 7, 0, ("b",))]).cache()
    components = bic_components(edges, "1 hour", by="region").where("region = 'a'")
    assert drawing(plot.largest_components(components, edges)) == [(2, 1), (2, 1)]


def test_names_of_vertices_are_not_formulas(spark: SparkSession, tmp_path: Path) -> None:
    edges = spark.createDataFrame([("$x_$", "$^$")], "src string, dst string")
    edges = edges.withColumn("time", F.timestamp_seconds(F.lit(0)))
    figure = plot.largest_components(bic_components(edges, "1 hour"), edges)
    figure.savefig(tmp_path / "names.png")
    assert [text.get_text() for text in figure.axes[0].texts] == ["$^$", "$x_$"]


def test_names_of_columns_are_those_of_spark(edges: DataFrame) -> None:
    odd = edges.withColumnsRenamed({"src": "a.b", "dst": "c`d", "time": "e.f"})
    components = bic_components(odd, "1 hour", src="a.b", dst="c`d", time="e.f")
    figure = plot.largest_components(components, odd, src="A.B", dst="C`D", time="E.F")
    assert drawing(figure) == [(2, 1), (1, 1)]
    upper = bic_component_stats(edges, "1 hour").withColumnRenamed("components", "COMPONENTS")
    assert line(plot.component_stats(upper), 0, 0) == (HOURS, [2, 1, 2])


def test_arguments_of_other_types(edges: DataFrame) -> None:
    components = bic_components(edges, "1 hour")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"count": "3"}, "count must be an int, not '3' .str."),
        ({"count": 2.5}, "count must be an int, not 2.5"),
        ({"max_vertices": True}, "max_vertices must be an int, not True"),
        ({"start": "1970-01-01"}, "start must be a datetime, not '1970-01-01'"),
        ({"labels": "no"}, "labels must be a bool or None, not 'no'"),
        ({"src": 1}, "the name of a column must be a str, not 1"),
    ]
    for arguments, text in wrong:
        with pytest.raises(PySparkTypeError, match=text):
            plot.largest_components(components, edges, **arguments)


def test_spark_counts_the_components_of_a_window(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window may have millions of components, of which the picture has a few."""
    edges = spark.range(2000).selectExpr(
        "2 * id AS src", "2 * id + 1 AS dst", "TIMESTAMP'2024-05-01 10:00:00' AS time"
    )
    components = bic_components(edges, "1 hour")
    frame, rows = type(components), []
    collect = frame.collect

    def counting(self: DataFrame) -> Any:
        found = collect(self)
        rows.append(len(found))
        return found

    monkeypatch.setattr(frame, "collect", counting)
    figure = plot.largest_components(components, edges, count=3)
    assert figure.get_suptitle() == "The 3 largest components of 2,000"
    assert sum(rows) < 30


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


def test_without_matplotlib_it_says_what_to_install() -> None:
    program = (
        "import importlib.util as util; find = util.find_spec; "
        "util.find_spec = lambda name: None if name == 'matplotlib' else find(name); "
        "import pyspark_bic.extras.plot"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert 'pyspark_bic.extras.plot needs matplotlib: pip install "pyspark-bic[plot]"' in run.stderr
