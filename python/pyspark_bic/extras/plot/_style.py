"""The look that all pictures share."""

from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from pyspark_bic.extras._colours import FAINT, INK, MUTED

_TEXT: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": MUTED,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
}


def figure(rows: int, size: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """A figure with ``rows`` axes one above the other, outside pyplot: nothing to close."""
    layout = ConstrainedLayoutEngine(h_pad=0.08, w_pad=0.12, hspace=0.04)
    with matplotlib.rc_context(_TEXT):
        made = Figure(figsize=size, dpi=144, facecolor="white", layout=layout)
        axes = made.subplots(rows, 1, sharex=True, squeeze=False)
    return made, list(axes[:, 0])


def title(axes: Axes, text: str, subtitle: str) -> None:
    axes.set_title(subtitle, loc="left", color=MUTED, fontsize=10, pad=10)
    axes.figure.suptitle(
        text, x=0.012, ha="left", fontsize=14, fontweight="bold", color=INK, wrap=True
    )


def plain(axes: Axes) -> None:
    """No box; thin horizontal lines behind the data."""
    axes.spines[:].set_visible(False)
    axes.grid(axis="y", color=FAINT, linewidth=1)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)


def dates(axes: Axes, label: str) -> None:
    locator = AutoDateLocator(minticks=4, maxticks=9)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    axes.set_xlabel(label)


def grouped(value: float, _position: Any = None) -> str:
    """1234567 as 1,234,567."""
    return f"{value:,.0f}"
