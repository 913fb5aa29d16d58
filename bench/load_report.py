"""bench/reports/load.md, about an hour of load and about executors that are killed, of the rows that are there."""

# ruff: noqa: E501, RUF001  (prose of the report, and its signs)

import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

import charts
from matplotlib.ticker import MaxNLocator

Row = dict[str, Any]
MEASURES = {
    "Micro-batch, median": ("ms", lambda row: row["median_ms"]),
    "Heap in use after a collection": ("MB", lambda row: row["heap_bytes"] / 1e6),
    "State": ("MB", lambda row: row["state_bytes"] / 1e6),
    "Memory of the process": ("MB", lambda row: row["resident_bytes"] / 1e6),
}
BYTES_OF_EDGE = 24
"""Two ids and a time."""


def medians(rows: list[Row]) -> list[tuple[float, float]]:
    """Of each measure, over minutes five to fifteen, and over the last ten minutes."""
    early = [row for row in rows if 300 < row["second"] <= 900]
    late = [row for row in rows if row["second"] > rows[-1]["second"] - 600]
    return [(median(map(of, early)), median(map(of, late))) for _, of in MEASURES.values()]


def table(rows: list[Row]) -> list[str]:
    lines = [
        "| median of each minute's | minutes 5 to 15 | the last ten | ratio |",
        "| --- | ---: | ---: | ---: |",
    ]
    for (name, (unit, _)), (first, last) in zip(MEASURES.items(), medians(rows), strict=True):
        lines.append(f"| {name}, {unit} | {first:,.0f} | {last:,.0f} | {last / first:.2f} |")
    return lines


def draw(rows: list[Row], file: Path) -> None:
    figure, axes = charts.grid(len(MEASURES), 2, 5.0, 2.6)
    for axis, (name, (unit, of)) in zip(axes, MEASURES.items(), strict=True):
        minutes, values = [row["second"] / 60 for row in rows], [of(row) for row in rows]
        axis.plot(minutes, values, color=charts.TEAL, linewidth=2)
        axis.set_ylim(0, max(values) * 1.15)
        axis.set_xlim(0, minutes[-1])
        axis.set_title(f"{name}, {unit}", loc="left", fontsize=10, color=charts.MUTED)
        axis.set_xlabel("minutes since the start", fontsize=9)
        axis.grid(axis="y", color=charts.FAINT, linewidth=1)
        axis.yaxis.set_major_locator(MaxNLocator(4))
        charts.plain(axis)
    most = max(abs(last / first - 1) for first, last in medians(rows))
    length = f"{rows[-1]['second'] / 60:,.0f} minutes in which every edge brings a new vertex"
    charts.write(
        figure, f"{length}:\nmedians at the end are within {most:.0%} of the beginning", file
    )


def page(rows: list[Row], picture: Path) -> str:
    last = rows[-1]
    draw(rows, picture)
    seconds, edges = last["second"], last["edges"]
    parts = [
        "# An hour of load",
        "",
        f"One stream ran for {seconds // 60} minutes on two cores, as fast as the query took it. "
        f"{edges / 1e9:.2f} billion edges came, which are {edges * BYTES_OF_EDGE / 1e9:.0f} GB of ids and times, or "
        f"{edges / seconds / 1e6:.2f} million edges a second. Each edge brings one new vertex, and no vertex stays: all edges of "
        "a vertex come within 524,288 edges of the stream. Ids are hashes over all 64 bits, the slowest kind.",
        "",
        "The query is `bicComponentStats` over windows of two million edges by half a million. A micro-batch has a million "
        f"edges. The layout of the state is `{last['layout']}`, and a window has {last['live_vertices'] / 1e6:.2f} million "
        "vertices.",
        "",
        f"![Micro-batches, heap, state and memory over {seconds // 60} minutes]({picture.name})",
        "",
        *table(rows),
        "",
        "The heap is read just after a collection while the query goes on. So a value may hold garbage that has come since, as "
        "the highest one does.",
        "",
        f"The {last['windows']:,} windows of the run came in a row, each once. {last['checked']:,} of them, spread over the "
        "run, were computed again from scratch by union–find: all four numbers were the same.",
        "",
        f"Measured on {last['machine']}. `make bench-load` measures it again.",
        "",
    ]
    return "\n".join(parts)


def killed(rows: list[Row]) -> str:
    last = rows[-1]
    return "\n".join([
        "## Executors killed every minute",
        "",
        f"The same query ran on a local cluster of two executors for {last['second'] // 60} minutes, with the layout "
        f"`{last['layout']}`. Every minute one executor was killed, {last['killed']} in all. {last['edges'] / 1e6:,.0f} million "
        f"edges gave {last['windows']:,} windows in a row, each once. {last['checked']:,} of them were computed again from "
        "scratch: all the same. "
        "`make bench-load ARGS=\"--seconds 1200 --kill 60 --layout panes\"` runs it again.",
        "",
    ])  # fmt: skip


def main(results: Path, file: Path) -> None:
    kills = results.with_name("load-kills.json")
    text = page(json.loads(results.read_text()), file.with_suffix(".png"))
    if kills.exists():
        text += "\n" + killed(json.loads(kills.read_text()))
    file.write_text(text)
    print(f"wrote {file}")


if __name__ == "__main__":
    arguments = [Path(a) for a in sys.argv[1:]]
    defaults = [Path("bench/results/load.json"), Path("bench/reports/load.md")]
    main(*(arguments + defaults[len(arguments) :]))
