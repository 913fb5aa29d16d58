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

from pyspark_bic._arguments import wrong
from pyspark_bic._frames import clock_time, require, wall_clock
from pyspark_bic.plot import _style
from pyspark_bic.plot._layout import Points, pack, radius, spring

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
        What ``bicComponents`` gives, of one graph.
    edges : pyspark.sql.DataFrame
        The edges it was made of; a static frame.
    start : datetime.datetime, optional
        The start of the window, by the clock of the session; by default the last window's.
    count : int
        At most so many components.
    max_vertices : int
        At most so many vertices in all. The largest component is drawn in any case: as many of
        its vertices as fit, those with the most neighbours.
    labels : bool, optional
        Whether vertices are named; by default where there are at most 60.
    src, dst, time : str
        The columns of ``edges``.

    Returns
    -------
    matplotlib.figure.Figure
        One disc of vertices per component; the title tells what was left out.

    Raises
    ------
    pyspark.errors.PySparkTypeError, pyspark.errors.PySparkValueError
        An argument of a wrong type, a column that is missing, no window at ``start``.

    Examples
    --------
    >>> week = edges.bicComponents("7 days", "1 day")
    >>> plot.largest_components(week, edges, datetime(2004, 5, 10))  # doctest: +SKIP
    """
    for name, frame in (("components", components), ("edges", edges)):
        if not isinstance(frame, DataFrame):
            raise PySparkTypeError(message=wrong(name, "a Spark DataFrame", frame))
    for name, number in (("count", count), ("max_vertices", max_vertices)):
        if number < 1:
            raise PySparkValueError(message=f"{name} must be at least 1, but it is {number}")
    require(components.columns, ["window", "vertex", "component"])
    require(edges.columns, [src, dst, time])

    begin, end = _window(components, start)
    members = components.where(wall_clock("window.start") == clock_time(begin))
    sizes = members.groupBy("component").count().orderBy(F.desc("count"), "component")
    everything = [(row[0], row[1]) for row in sizes.collect()]
    kept = _fitting([size for _, size in everything], count, max_vertices)
    names = [name for name, _ in everything[:kept]]
    links = _links(members, edges, names, begin, end, (src, dst, time))
    groups = [_strongest(links[name], max_vertices) for name in names]

    figure = _draw(groups, [links[name] for name in names], labels)
    drawn = sum(map(len, groups))
    total = sum(size for _, size in everything)
    _style.title(
        figure.axes[0],
        f"{_number(kept, 'largest component')} of {len(everything):,}",
        f"{begin:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}, {drawn:,} of {total:,} vertices",
    )
    return figure


def _window(components: DataFrame, start: datetime | None) -> tuple[datetime, datetime]:
    begins, ends = wall_clock("window.start"), wall_clock("window.end")
    windows = components.select(begins.alias("start"), ends.alias("end")).distinct()
    if start is not None:
        windows = windows.where(F.col("start") == clock_time(start))
    found = windows.orderBy(F.desc("end"), F.desc("start")).take(1)
    if not found:
        at = "" if start is None else f" that starts at {start}"
        raise PySparkValueError(message=f"there is nothing to draw: no window{at}")
    return found[0][0], found[0][1]


def _fitting(sizes: Sequence[int], count: int, max_vertices: int) -> int:
    """How many of the largest components fit; at least one."""
    room, kept = max_vertices, 0
    for size in sizes[:count]:
        room -= size
        if room < 0 and kept:
            break
        kept += 1
    return kept


def _links(
    members: DataFrame,
    edges: DataFrame,
    names: Sequence[Vertex],
    begin: datetime,
    end: datetime,
    columns: tuple[str, str, str],
) -> dict[Vertex, list[tuple[Vertex, Vertex]]]:
    """The different edges of each component."""
    src, dst, time = columns
    inside = (wall_clock(time) >= clock_time(begin)) & (wall_clock(time) < clock_time(end))
    pairs = edges.where(inside).select(
        F.least(src, dst).alias("low"), F.greatest(src, dst).alias("high")
    )
    of = members.where(F.col("component").isin(list(names))).select("vertex", "component")
    joined = pairs.distinct().join(of, F.col("low") == F.col("vertex"))
    found: dict[Vertex, list[tuple[Vertex, Vertex]]] = defaultdict(list)
    for component, low, high in (
        joined.select("component", "low", "high").sort("low", "high").collect()
    ):
        found[component].append((low, high))
    return found


def _strongest(links: Sequence[tuple[Vertex, Vertex]], most: int) -> list[Vertex]:
    """The vertices of these links, those with the most neighbours first, at most so many."""
    neighbours: dict[Vertex, int] = defaultdict(int)
    for low, high in links:
        neighbours[low] += low != high
        neighbours[high] += low != high
    return sorted(neighbours, key=lambda vertex: (-neighbours[vertex], vertex))[:most]


def _draw(
    groups: Sequence[Sequence[Vertex]],
    links: Sequence[Sequence[tuple[Vertex, Vertex]]],
    labels: bool | None,
) -> Figure:
    named = sum(map(len, groups)) <= 60 if labels is None else labels
    figure, [axes] = _style.figure(1, (9, 6.2))
    centres = pack([radius(len(group)) for group in groups])
    for order, (group, held, centre) in enumerate(zip(groups, links, centres, strict=True)):
        colour = _style.PALETTE[order % len(_style.PALETTE)]
        number = {vertex: place for place, vertex in enumerate(group)}
        inner = [(number[a], number[b]) for a, b in held if a in number and b in number]
        at: Points = spring(len(group), inner) * radius(len(group)) * 0.92 + centre
        axes.add_collection(
            LineCollection(
                [at[list(link)] for link in inner], colors=colour, alpha=0.35, linewidths=0.8
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
            color=_style.INK,
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
            zorder=3,
        )


def _number(count: int, noun: str) -> str:
    return f"The {noun}" if count == 1 else f"The {count:,} {noun}s"
