"""The charts of the benchmarks, in the style of all pictures of this project.

Bars lie, so that names stand beside them and never over one another. A bar's value stands at its
end, and a line's name at its last point: no chart needs a legend. Titles say what was found. A page
shows a chart at 600 to 1,200 pixels, so a chart is never wider than `WIDEST`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from pyspark_bic.extras._colours import FAINT, GOLD, INDIGO, INK, MUTED, ORANGE, PALETTE, PLUM, TEAL

OURS = {"recency": TEAL, "bic": ORANGE, "bic-paper": GOLD}
OTHERS = {
    "union-find": MUTED,
    "union-find-directory": "#94a0ab",
    "union-find-range": "#b9c2ca",
    "RWC": INDIGO,
    "DFS": PLUM,
    **dict(zip(("D-Tree", "HDT", "ET-Tree"), PALETTE[5:], strict=True)),
}
COLOURS = {**OURS, **OTHERS}
WIDEST = 10.4
"""Inches, of 120 pixels each."""

plt.rcParams.update(
    {
        "font.family": "sans-serif",
        "font.size": 10,
        "text.color": INK,
        "axes.labelcolor": MUTED,
        "xtick.color": MUTED,
        "ytick.color": INK,
    }
)


def short(value: float) -> str:
    """A value beside its bar: two significant digits, and thousands by their letters."""
    for least, unit, letter in ((1e9, 1e9, " G"), (1e6, 1e6, " M"), (1e4, 1e3, " k")):
        if value >= least:
            return f"{value / unit:.3g}{letter}"
    return f"{value:.2g}" if value < 10 else f"{value:,.0f}"


def plain(axes: Axes) -> None:
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_axisbelow(True)


def bars(
    panels: Sequence[tuple[str, str, Mapping[str, float]]],
    columns: int,
    title: str,
    file: Path,
    colour: Callable[[str], str],
) -> None:
    """A panel for each (title, unit, values by name), so many beside one another.

    Where the values of a unit differ too much for the lengths of bars, its panels have dots on a
    logarithmic axis.
    """
    far = far_apart((unit, list(values.values())) for _, unit, values in panels)
    tallest = max(len(values) for _, _, values in panels)
    figure, axes = grid(len(panels), columns, 5.2, 1.0 + 0.27 * tallest)
    for axis, (name, unit, values) in zip(axes, panels, strict=True):
        names = list(values)[::-1]
        colours = [colour(n) for n in names]
        if unit in far:
            axis.scatter([values[n] for n in names], names, color=colours, s=60)
            axis.set_xscale("log")
            axis.grid(axis="y", color=FAINT, linewidth=1)
            axis.xaxis.set_minor_locator(NullLocator())
        else:
            axis.barh(names, [values[n] for n in names], color=colours, height=0.72)
        for place, n in enumerate(names):
            axis.annotate(
                short(values[n]),
                (values[n], place),
                xytext=(8 if unit in far else 4, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
                color=INK,
                # So that no line behind a value crosses it out.
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            )
        least, most = min(values.values()), max(values.values())
        limits = (least / 2, most * (most / least) ** 0.25) if unit in far else (0, most * 1.18)
        axis.set_xlim(*limits)
        axis.set_ylim(-0.6, len(names) - 0.4)
        scale = " (log)" if unit in far else ""
        _head(axis, f"{name}, {unit}{scale}", columns)
        axis.set_xticks([])
        plain(axis)
    write(figure, title, file)


def far_apart(panels: Iterable[tuple[str, Sequence[float]]], times: float = 30) -> set[str]:
    """The units of which some panel has values that differ by more than so many times."""
    return {unit for unit, values in panels if max(values) > times * min(values)}


def apart(ticks: Sequence[float]) -> list[str]:
    """Texts of rising ticks on a logarithmic axis, without any that touches the text before."""
    texts: list[str] = []
    last = 0.0
    for tick in ticks:
        is_clear = not last or tick / last > (ticks[-1] / ticks[0]) ** 0.1
        texts.append(short(tick) if is_clear else "")
        last = tick if is_clear else last
    return texts


def lines(
    panels: Sequence[tuple[str, str, Mapping[str, Sequence[tuple[float, float]]]]],
    columns: int,
    below: str,
    title: str,
    file: Path,
) -> None:
    """A panel for each (title, unit, points by name), over a logarithmic axis.

    The other axis is logarithmic and the same in all panels of a unit, where values of one differ
    by more than a factor of ten. Else it begins at zero, so that noise looks like noise.
    """
    values_of = [
        (unit, [y for points in series.values() for _, y in points]) for _, unit, series in panels
    ]
    far = far_apart(values_of, 10)
    figure, axes = grid(len(panels), columns, 5.0, 3.1)
    for axis, (name, unit, series) in zip(axes, panels, strict=True):
        axis.set_xscale("log")
        if unit in far:
            axis.set_yscale("log")
            of_unit = [y for each, values in values_of if each == unit for y in values]
            axis.set_ylim(min(of_unit) / 1.4, max(of_unit) * 1.4)
            axis.yaxis.set_major_locator(LogLocator(numticks=6))
        else:
            axis.set_ylim(0, max(y for points in series.values() for _, y in points) * 1.1)
            axis.yaxis.set_major_locator(MaxNLocator(5))
        axis.yaxis.set_minor_locator(NullLocator())
        for system, points in series.items():
            axis.plot(
                *zip(*points, strict=True),
                marker="o",
                markersize=3.5,
                linewidth=2 if system in OURS else 1.2,
                color=COLOURS[system],
                zorder=3 if system in OURS else 2,
            )
        _head(axis, f"{name}, {unit}", columns)
        axis.set_xlabel(below, fontsize=9)
        axis.grid(axis="y", color=FAINT, linewidth=1)
        ticks = sorted({x for points in series.values() for x, _ in points})
        axis.set_xticks(ticks, apart(ticks), fontsize=8)
        axis.xaxis.set_minor_locator(NullLocator())
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: short(y) if y else "0"))
        # Room for the names at the right.
        axis.set_xlim(ticks[0] / 1.15, ticks[-1] * (ticks[-1] / ticks[0]) ** 0.55)
        plain(axis)
        _label(axis, series)
    write(figure, title, file)


def _head(axis: Axes, text: str, columns: int) -> None:
    """What a panel shows, of which stream; in a narrow panel each on a line of its own."""
    if columns > 2:
        text = text.replace(": ", "\n", 1)
    axis.set_title(text, loc="left", fontsize=10, color=MUTED)


def _label(axis: Axes, series: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """Names beside the last points, moved apart where they would overlap."""
    axis.figure.canvas.draw()
    last = {name: points[-1] for name, points in series.items()}
    at = {name: axis.transData.transform(point)[1] for name, point in last.items()}
    # Pixels between two names, and where each goes: from the lowest up.
    gap, floor = 12.5 * axis.figure.dpi / 100, float("-inf")
    bottom, top = axis.bbox.y0, axis.bbox.y1
    places: dict[str, float] = {}
    for name in sorted(at, key=lambda n: at[n]):
        floor = max(at[name], floor + gap, bottom)
        places[name] = floor
    over = max(0.0, floor - top)
    ceiling = float("inf")
    for name in sorted(places, key=lambda n: -places[n]):
        ceiling = min(places[name] - (over if places[name] > top else 0), ceiling - gap, top)
        places[name] = ceiling
    for name, (x, y) in last.items():
        _, there = axis.transData.inverted().transform((0, places[name]))
        axis.annotate(
            f"  {name}",
            (x, y),
            xytext=(x, there),
            textcoords="data",
            va="center",
            fontsize=8,
            fontweight="bold" if name in OURS else "normal",
            color=COLOURS[name],
        )


def grid(panels: int, columns: int, width: float, height: float) -> tuple[plt.Figure, list[Axes]]:
    """A figure with room for so many panels, each of this size in inches, and their axes."""
    rows = -(-panels // columns)
    size = (min(width * columns, WIDEST), 0.6 + height * rows)
    figure, axes = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    for spare in list(axes.flat)[panels:]:
        spare.set_visible(False)
    return figure, list(axes.flat)[:panels]


def write(figure: plt.Figure, title: str, file: Path) -> None:
    figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold", color=INK)
    figure.savefig(file, dpi=120)
    plt.close(figure)
