"""A drawing of the largest components of one window."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType

from pyspark_bic._arguments import shown, spark_frame, wrong
from pyspark_bic._frames import (
    Window,
    edge_columns,
    quoted,
    resolved,
    window_bounds,
    window_of,
    window_type,
)
from pyspark_bic._times import moments, time_of, time_type
from pyspark_bic.extras import _colours
from pyspark_bic.extras.plot import _style
from pyspark_bic.extras.plot._layout import Points, pack, radius, spring

Vertex = Any


def largest_components(
    components: DataFrame,
    edges: DataFrame,
    start: datetime | None = None,
    *,
    count: int = 8,
    max_vertices: int = 400,
    labels: bool | None = None,
    src: str = "src",
    dst: str = "dst",
    time: str = "time",
) -> Figure:
    """Draw the largest components of one window, with the edges that hold them together.

    Parameters
    ----------
    components : pyspark.sql.DataFrame
        What ``bicComponents`` gives, or ``bicLargestComponents`` with ``members``; of one graph.
    edges : pyspark.sql.DataFrame
        The edges it was made of; a static frame.
    start : datetime.datetime, optional
        The start of the window: without ``tzinfo`` by the clock of the session, with it a moment
        to compare with a TIMESTAMP. By default the window that ends last is drawn, and the
        shortest if windows of several lengths end last.
    count : int
        At most so many components.
    max_vertices : int
        At most so many vertices in all. The largest component is drawn in any case: its vertices
        with the most neighbours, as many as fit.
    labels : bool, optional
        Whether vertices are named; by default where there are at most 60.
    src, dst, time : str
        The columns of ``edges``; ``time`` is TIMESTAMP or TIMESTAMP_NTZ.

    Returns
    -------
    matplotlib.figure.Figure
        One disc of vertices per component; the title tells what was left out.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        An argument is of a wrong type.
    pyspark.errors.PySparkValueError
        A column is missing, such as that of ``members``, or ``count`` or ``max_vertices`` is below
        1. No window starts at ``start``, or windows of several lengths do. The components are of
        several graphs, or a component has no edges. ``start`` has ``tzinfo`` where the windows are
        of TIMESTAMP_NTZ. ``start`` has no ``tzinfo``, and the clock of the session shows its time
        twice or never, because clocks are set back or forward.

    Examples
    --------
    >>> week = edges.bicComponents("7 days", "1 day")
    >>> plot.largest_components(week, edges, datetime(2004, 5, 10))  # doctest: +SKIP
    """
    for name, frame in (("components", components), ("edges", edges)):
        spark_frame(name, frame)
    for name, number in (("count", count), ("max_vertices", max_vertices)):
        if isinstance(number, bool) or not isinstance(number, int):
            raise PySparkTypeError(message=wrong(name, "an int", number))
        if number < 1:
            raise PySparkValueError(message=f"{name} must be at least 1, but it is {number}")
    if not isinstance(labels, bool | None):
        raise PySparkTypeError(message=wrong("labels", "a bool or None", labels))
    components = _with_vertices(components)
    columns = edge_columns(edges, src, dst, time)

    kind = window_type(components)
    window = _window(components, kind, start)
    members = components.where(
        (F.col("window.start") == time_of(window.begin, kind))
        & (F.col("window.end") == time_of(window.until, kind))
    ).select("vertex", "component")
    largest, found, total = _sizes(members, count)
    kept = _fitting([size for _, size in largest], count, max_vertices)
    names = [name for name, _ in largest[:kept]]
    links, of_largest = _links(
        members, _inside(edges, columns, window, kind), names, largest[0][1], max_vertices
    )
    groups = [of_largest or _strongest(links[name]) for name in names]

    figure = _draw(groups, [links[name] for name in names], labels)
    drawn = sum(map(len, groups))
    _style.title(
        figure.axes[0],
        f"{_number(kept, 'largest component')} of {found:,}",
        f"{window.start:%Y-%m-%d %H:%M} to {window.end:%Y-%m-%d %H:%M}, "
        f"{drawn:,} of {total:,} vertices",
    )
    return figure


def _with_vertices(components: DataFrame) -> DataFrame:
    """A row a vertex, also of rows of components."""
    if "size" in components.columns and "vertex" not in components.columns:
        [members] = resolved(components, ["members"])
        return components.withColumn("vertex", F.explode(quoted(members)))
    resolved(components, ["vertex", "component"])
    return components


def _window(components: DataFrame, kind: DataType, start: datetime | None) -> Window:
    windows = components.select("window").distinct()
    if start is not None:
        begin = moments(components.sparkSession, kind, start=start)[0]
        windows = windows.where(F.col("window.start") == time_of(begin, kind))
    last = windows.orderBy(F.desc("window.end"), F.desc("window.start")).limit(2)
    found = [window_of(row) for row in last.select(*window_bounds(kind)).collect()]
    if not found:
        at = "" if start is None else f" that starts at {start}"
        raise PySparkValueError(message=f"there is nothing to draw: no window{at}")
    if start is not None and len(found) > 1:
        raise PySparkValueError(
            message=f"windows of several lengths start at {start}: keep one length"
        )
    return found[0]


def _sizes(members: DataFrame, count: int) -> tuple[list[tuple[Vertex, int]], int, int]:
    """The largest components with the numbers of their vertices, the largest first; and how many
    components and vertices there are in all.

    Spark counts: a window may have millions of components, of which a few are drawn.
    """
    each = members.groupBy("vertex").agg(
        F.min("component").alias("component"), F.count("*").alias("times")
    )
    sizes = each.groupBy("component").agg(F.count("*").alias("size"), F.max("times").alias("times"))
    [(found, total, times)] = sizes.agg(F.count("*"), F.sum("size"), F.max("times")).collect()
    if times > 1:
        raise PySparkValueError(
            message="a vertex is there more than once in the window: keep one graph, as in "
            "components.where(\"site = 'a'\")"
        )
    first = sizes.orderBy(F.desc("size"), "component").limit(count).collect()
    return [(row["component"], row["size"]) for row in first], found, total


def _fitting(sizes: Sequence[int], count: int, max_vertices: int) -> int:
    """How many of the largest components fit; at least one."""
    room, kept = max_vertices, 0
    for size in sizes[:count]:
        room -= size
        if room < 0 and kept:
            break
        kept += 1
    return kept


def _inside(edges: DataFrame, columns: Sequence[str], window: Window, kind: DataType) -> DataFrame:
    """The different edges of the window; ``kind`` is the type of its bounds."""
    src, dst, time = (F.col(quoted(name)) for name in columns)
    time_type(f"column '{columns[2]}'", edges.schema[columns[2]].dataType)
    inside = (time >= time_of(window.begin, kind)) & (time < time_of(window.until, kind))
    ends = F.least(src, dst).alias("low"), F.greatest(src, dst).alias("high")
    return edges.where(inside & src.isNotNull() & dst.isNotNull()).select(*ends).distinct()


def _links(
    members: DataFrame, edges: DataFrame, names: Sequence[Vertex], largest: int, most: int
) -> tuple[dict[Vertex, list[tuple[Vertex, Vertex]]], list[Vertex]]:
    """The edges of each component: both ends are its own, of whatever graph the others are.

    Where the ``largest`` component, which is then the only one, does not fit, Spark picks the
    vertices of it to draw, which come as well, and gives the edges among these alone.
    """
    of = members.where(F.col("component").isin(list(names)))
    low, high = (
        of.select(F.col("vertex").alias(side), F.col("component").alias(f"{side} in"))
        for side in ("low", "high")
    )
    joined = edges.join(low, "low").join(high, "high").where("`low in` = `high in`")
    found: dict[Vertex, list[tuple[Vertex, Vertex]]] = {name: [] for name in names}
    links = joined.select(F.col("low in"), "low", "high")
    strongest = _strongest_of_many(links, most) if largest > most else []
    if strongest:
        links = links.where(F.col("low").isin(strongest) & F.col("high").isin(strongest))
    for component, one, other in links.sort("low", "high").collect():
        found[component].append((one, other))
    for name, held in found.items():
        if not held and not strongest:
            raise PySparkValueError(
                message=f"no edge of the window is of the component {shown(name)}: give the edges "
                "that the components were made of"
            )
    return found, strongest


def _strongest_of_many(links: DataFrame, most: int) -> list[Vertex]:
    """What :func:`_strongest` gives, at most so many of them, without the links."""
    ends = links.select(
        F.explode(F.array("low", "high")).alias("vertex"),
        (F.col("low") != F.col("high")).cast("int").alias("other"),
    )
    neighbours = ends.groupBy("vertex").agg(F.sum("other").alias("neighbours"))
    first = neighbours.orderBy(F.desc("neighbours"), "vertex").limit(most)
    return [row["vertex"] for row in first.collect()]


def _strongest(links: Sequence[tuple[Vertex, Vertex]]) -> list[Vertex]:
    """The vertices of these links, those with the most neighbours first."""
    neighbours: dict[Vertex, int] = defaultdict(int)
    for low, high in links:
        neighbours[low] += low != high
        neighbours[high] += low != high
    return sorted(neighbours, key=lambda vertex: (-neighbours[vertex], vertex))


def _draw(
    groups: Sequence[Sequence[Vertex]],
    links: Sequence[Sequence[tuple[Vertex, Vertex]]],
    labels: bool | None,
) -> Figure:
    named = sum(map(len, groups)) <= 60 if labels is None else labels
    figure, [axes] = _style.figure(1, (9, 6.2))
    centres = pack([radius(len(group)) for group in groups])
    for order, (group, held, centre) in enumerate(zip(groups, links, centres, strict=True)):
        colour = _colours.PALETTE[order % len(_colours.PALETTE)]
        number = {vertex: place for place, vertex in enumerate(group)}
        inner = [(number[a], number[b]) for a, b in held if a in number and b in number]
        at: Points = spring(len(group), inner) * radius(len(group)) * 0.92 + centre
        axes.add_collection(
            LineCollection(
                [at[list(link)] for link in inner], colors=colour, alpha=0.5, linewidths=0.9
            )
        )
        degree = np.bincount(np.array(inner, dtype=np.intp).ravel(), minlength=len(group))
        area = (30 if named else 14) + 6 * np.sqrt(degree)
        axes.scatter(
            at[:, 0], at[:, 1], s=area, color=colour, linewidths=0.7, edgecolors="white", zorder=2
        )
        if named:
            _name(axes, group, at)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.autoscale_view()
    axes.margins(0.04)
    return figure


def _name(axes: Axes, group: Sequence[Vertex], at: Points) -> None:
    for vertex, (x, y) in zip(group, at, strict=True):
        axes.annotate(
            str(vertex),
            (x, y),
            xytext=(0, 5),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=_colours.INK,
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
            zorder=3,
            # A name is a name, and no formula where it has two dollar signs.
            parse_math=False,
        )


def _number(count: int, noun: str) -> str:
    return f"The {noun}" if count == 1 else f"The {count:,} {noun}s"
