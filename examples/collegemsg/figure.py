"""The picture: which pairs are connected in which window, and what share of them."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

INK = "#22303c"
MUTED = "#6b7a87"
EMPTY = "#eef1f4"
CONNECTED = "#0b6e75"
ACCENT = "#e07a3f"


def draw(path: Path, ends: NDArray[np.datetime64], connected: NDArray[np.bool_]) -> None:
    """Draw `connected` (pairs x windows, in the order of `ends`, a day apart) to `path`."""
    share = connected.mean(axis=0)
    # Longest connected first; among equals, the earlier ones first.
    first = np.where(connected.any(axis=1), connected.argmax(axis=1), connected.shape[1])
    rows = connected[np.lexsort((first, -connected.sum(axis=1)))]

    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10, "text.color": INK})
    figure, (heat, line) = plt.subplots(
        2,
        1,
        figsize=(11, 7.6),
        height_ratios=[3, 1.15],
        sharex=True,
        gridspec_kw={"hspace": 0.09, "left": 0.075, "right": 0.955, "top": 0.845, "bottom": 0.075},
    )
    days = mdates.date2num(ends)
    heat.imshow(
        rows,
        aspect="auto",
        interpolation="nearest",
        cmap=ListedColormap([EMPTY, CONNECTED]),
        vmin=0,
        vmax=1,
        extent=(days[0] - 0.5, days[-1] + 0.5, len(rows), 0),
    )
    heat.set_ylabel(f"{len(rows)} pairs, longest connected on top", color=MUTED)
    heat.set_yticks([])
    heat.tick_params(axis="x", length=0)

    peak = int(share.argmax())
    line.fill_between(days, share, step="mid", color=CONNECTED, alpha=0.18, linewidth=0)
    line.step(days, share, where="mid", color=CONNECTED, linewidth=1.6)
    line.plot(days[peak], share[peak], "o", color=ACCENT, markersize=6)
    line.annotate(
        f"{share[peak]:.0%} on {_day(ends[peak])}",
        (days[peak], share[peak]),
        xytext=(0, 8),
        textcoords="offset points",
        ha="center",
        color=ACCENT,
        fontweight="bold",
    )
    line.set_ylim(0, 1.25)
    line.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
    line.set_ylabel("share connected", color=MUTED)
    line.grid(axis="y", color=EMPTY)
    heat.grid(axis="x", color="white", linewidth=0.8)
    line.set_axisbelow(True)
    line.xaxis.set_major_locator(mdates.MonthLocator())
    line.xaxis.set_major_formatter(mdates.DateFormatter("%B"))
    line.set_xlabel(f"end of the 7-day window, {ends[0].astype('datetime64[Y]')}", color=MUTED)
    for axes in (heat, line):
        axes.spines[:].set_visible(False)
        axes.tick_params(colors=MUTED)
    line.tick_params(axis="y", length=0)

    figure.text(0.075, 0.945, _finding(ends, share), fontsize=16, fontweight="bold")
    figure.text(
        0.075,
        0.905,
        "100 pairs among the 200 busiest students of CollegeMsg, asked once a day: does a chain of "
        "messages of the last 7 days connect them?",
        color=MUTED,
    )
    for position, (colour, label) in enumerate(
        [(CONNECTED, "connected"), (EMPTY, "not connected")]
    ):
        left = 0.075 + 0.105 * position
        figure.patches.append(
            Rectangle((left, 0.866), 0.014, 0.016, color=colour, transform=figure.transFigure)
        )
        figure.text(left + 0.019, 0.868, label, color=MUTED, fontsize=9)
    figure.savefig(path, dpi=150, facecolor="white")
    plt.close(figure)


def _finding(ends: NDArray[np.datetime64], share: NDArray[np.float64]) -> str:
    peak = int(share.argmax())
    text = f"{share[peak]:.0%} of the pairs are connected on {_day(ends[peak])}"
    none = np.flatnonzero(share[peak:] == 0)
    return f"{text}, none on {_day(ends[peak + none[0]])}" if none.size else text


def _day(moment: np.datetime64) -> str:
    date = moment.astype("datetime64[D]").item()
    return f"{date.day} {date:%B}"
