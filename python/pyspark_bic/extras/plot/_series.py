"""Lines over time: how many pairs are connected, how many components there are, and how large."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, MaxNLocator
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from pyspark_bic._frames import resolved, window_type
from pyspark_bic.extras import _colours
from pyspark_bic.extras.plot import _style
from pyspark_bic.extras.plot._read import once, rows


def connected_pairs(answers: Any) -> Figure:
    """Draw how many of the queried pairs each window connects.

    Parameters
    ----------
    answers : pyspark.sql.DataFrame or pandas.DataFrame
        What ``bicConnectivity`` gives, for one length of window; with ``by``, the pairs of all
        graphs are counted together.

    Returns
    -------
    matplotlib.figure.Figure
        One line: connected pairs over the end of the window.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``answers`` is no DataFrame.
    pyspark.errors.PySparkValueError
        ``answers`` lacks a column, has no rows, or has windows of several lengths.

    Examples
    --------
    >>> from pyspark_bic.extras import plot
    >>> plot.connected_pairs(answers).savefig("pairs.png")  # doctest: +SKIP
    """
    asked: dict[Any, int] = {}
    connected: dict[Any, int] = {}
    for window, pairs, joined in _pairs(answers):
        asked[window] = asked.get(window, 0) + pairs
        connected[window] = connected.get(window, 0) + joined
    ends, counts = [window.end for window in connected], list(connected.values())
    most = max(asked.values())

    figure, [axes] = _style.figure(1, (9, 3.8))
    _area(axes, ends, counts, _colours.TEAL)
    _mark_peak(axes, ends, counts)
    axes.set_ylim(0, max(most, 1) * 1.12)
    axes.axhline(most, color=_colours.MUTED, linewidth=0.8, linestyle=(0, (4, 4)))
    axes.annotate(
        f"{most:,} asked",
        (1, most),
        xycoords=axes.get_yaxis_transform(),
        xytext=(0, 4),
        textcoords="offset points",
        ha="right",
        color=_colours.MUTED,
        fontsize=9,
    )
    _style.title(axes, "Connected pairs", f"of {most:,} pairs asked in each window")
    _finish([axes])
    return figure


def component_stats(stats: Any) -> Figure:
    """Draw how many components each window has, and how large the largest is.

    Parameters
    ----------
    stats : pyspark.sql.DataFrame or pandas.DataFrame
        What ``bicComponentStats`` gives, of one graph and for one length of window.

    Returns
    -------
    matplotlib.figure.Figure
        Two lines, one above the other: components, and the vertices of the largest beside all
        vertices, over the end of the window.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``stats`` is no DataFrame.
    pyspark.errors.PySparkValueError
        ``stats`` lacks a column, has no rows, has several rows for a window, or has windows of
        several lengths.

    Examples
    --------
    >>> plot.component_stats(edges.bicComponentStats("7 days", "1 day"))  # doctest: +SKIP
    """
    found = rows(stats, ["components", "largest", "vertices"])
    once(found)
    ends = [row[0].end for row in found]
    components, largest, vertices = ([int(row[column]) for row in found] for column in (1, 2, 3))

    figure, [number, size] = _style.figure(2, (9, 5.6))
    _area(number, ends, components, _colours.TEAL)
    _mark_peak(number, ends, components)
    number.set_ylim(0, max(components) * 1.2)
    size.step(ends, vertices, where="mid", color=_colours.MUTED, linewidth=1, label="all vertices")
    _area(size, ends, largest, _colours.ORANGE, label="largest component")
    size.set_ylim(0, max(vertices) * 1.2)
    size.legend(frameon=False, loc="upper right", ncols=2, fontsize=9, labelcolor=_colours.MUTED)
    _style.title(number, "Components of each window", "number of components")
    size.set_title("vertices", loc="left", color=_colours.MUTED, fontsize=10, pad=10)
    _finish([number, size])
    return figure


def _pairs(answers: Any) -> list[tuple[Any, ...]]:
    """Windows with pairs that were asked, and how many of these are connected.

    Spark counts them: a window may be asked a million pairs.
    """
    if not isinstance(answers, DataFrame):
        return [(window, 1, int(holds)) for window, holds in rows(answers, ["connected"])]
    resolved(answers, ["window", "connected"])
    window_type(answers)
    counted = answers.groupBy("window").agg(
        F.count("*").alias("asked"), F.count_if("connected").alias("connected")
    )
    return rows(counted, ["asked", "connected"])


def _area(
    axes: Axes, ends: list[Any], values: list[int], colour: str, label: str | None = None
) -> None:
    axes.fill_between(ends, values, step="mid", color=colour, alpha=0.16, linewidth=0)
    axes.step(ends, values, where="mid", color=colour, linewidth=1.8, label=label)
    if len(ends) == 1:
        axes.plot(ends, values, "o", color=colour, markersize=6)


def _mark_peak(axes: Axes, ends: list[Any], values: list[int]) -> None:
    peak = max(range(len(values)), key=values.__getitem__)
    axes.plot(ends[peak], values[peak], "o", color=_colours.ORANGE, markersize=5)
    axes.annotate(
        f"{values[peak]:,}",
        (ends[peak], values[peak]),
        xytext=(0, 4),
        textcoords="offset points",
        ha="center",
        fontsize=9,
        color=_colours.ORANGE,
        fontweight="bold",
        # So that a line behind the number does not cross it out.
        path_effects=[withStroke(linewidth=3, foreground="white")],
    )


def _finish(stack: list[Axes]) -> None:
    for axes in stack:
        _style.plain(axes)
        axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
        axes.yaxis.set_major_formatter(FuncFormatter(_style.grouped))
        axes.margins(x=0.01)
    _style.dates(stack[-1], "end of the window")
