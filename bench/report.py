"""Turns bench/results/index.json into bench/reports/index.md and its plots.

python bench/report.py [results.json [folder]]
"""

# ruff: noqa: E501  (prose of the report)

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import charts

Row = dict[str, Any]

# Fields of a row that are drawn, their names and units.
FIELDS = (
    ("edges_per_s", "throughput", "edges a second"),
    ("p99_ms", "P99 of an answer", "ms"),
    ("retained_bytes", "memory", "bytes"),
)
AXES = {
    "window_edges": "edges in a window",
    "slide_edges": "edges in a slide",
    "queries": "queries in a window",
    "edges": "edges of the stream",
}

# Title, what is varied, and the words that the text says of it.
SECTIONS = {
    "performance": (
        "Throughput, latency and memory",
        None,
        "Window 3 M, slide 150 K edges, 100 queries.",
    ),
    "performance-all": ("All systems, on 4 M edges", None, "The same window."),
    "window": (
        "Scenario 1: the slide fixed",
        "window_edges",
        "Four windows, slide 150 K edges.",
    ),
    "slide": (
        "Scenario 2: the window fixed",
        "slide_edges",
        "Four slides, window 3 M edges.",
    ),
    "workload": (
        "Number of queries in a window",
        "queries",
        "Window 3 M, slide 150 K edges.",
    ),
    "ratio": (
        "Window over slide, from 5 to 1,000, and a slide of one timestamp",
        "slide_edges",
        "Window 3 M edges; the last slide, of 100 edges, with a window of 300 K.",
    ),
    "fresh": (
        "Ever new vertices",
        "edges",
        "No vertex comes back; window 100 K, slide 5 K edges. Memory after 5 windows and after 50.",
    ),
}


def machines(rows: list[Row]) -> str:
    """What the figures were measured on, which each of them tells."""
    return " and ".join(dict.fromkeys(row["machine"] for row in rows))


def lengths(rows: list[Row]) -> str:
    """How long the streams were, but for those that were stopped."""
    found = sorted({row["edges"] for row in rows if not row["capped"]})
    return " to ".join(f"{each / 1e6:g} M" for each in dict.fromkeys([found[0], found[-1]]))


def table(rows: list[Row]) -> str:
    head = (
        "| stream | system | window / slide | queries | M edges/s | P50 ms | P95 ms | P99 ms | max ms "
        "| burst ms | retained MB |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    )
    lines = []
    for r in rows:
        name = r["system"] + (f" (stopped after {r['edges']:,} edges)" if r["capped"] else "")
        memory = "" if r["retained_bytes"] is None else f"{r['retained_bytes'] / 1e6:.1f}"
        if memory and "retained_min_bytes" in r:
            memory += (
                f" ({r['retained_min_bytes'] / 1e6:.1f} to {r['retained_max_bytes'] / 1e6:.1f})"
            )
        cells = [
            r["stream"],
            name,
            f"{r['window_edges']:,} / {r['slide_edges']:,}",
            f"{r['queries']:,}",
            f"{r['edges_per_s'] / 1e6:.2f}",
            # A system that was stopped before its first window has no latency.
            *(
                "" if r[k] is None else f"{r[k]:.2f}"
                for k in ("p50_ms", "p95_ms", "p99_ms", "max_ms", "burst_max_ms")
            ),
            memory,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return head + "\n".join(lines) + "\n"


def found(rows: list[Row], name: str) -> str:
    """The title of a chart: what it shows of our indexes."""
    ours = [r for r in rows if r["system"] in ("bic", "recency")]
    slowest = max(r["p99_ms"] for r in ours if r["p99_ms"] is not None)
    least = min(r["edges_per_s"] for r in ours) / 1e6
    said = f"at least {least:.1f} M edges/s, 99 of 100 windows within {charts.short(slowest)} ms"
    return f"{name}\nbic and recency: {said}"


def bars(rows: list[Row], name: str, file: Path) -> None:
    panels = []
    for stream in dict.fromkeys(r["stream"] for r in rows):
        of_stream = [r for r in rows if r["stream"] == stream]
        for field, label, unit in FIELDS:
            values = {r["system"]: r[field] for r in of_stream if r[field]}
            panels.append((f"{stream}: {label}", unit, values))
    charts.bars(panels, len(FIELDS), found(rows, name), file, charts.COLOURS.__getitem__)


def lines(rows: list[Row], x: str, name: str, file: Path) -> None:
    panels = []
    for stream in dict.fromkeys(r["stream"] for r in rows):
        for field, label, unit in FIELDS:
            series = {}
            for system in dict.fromkeys(r["system"] for r in rows):
                points = sorted(
                    (r[x], r[field])
                    for r in rows
                    if r["system"] == system and r["stream"] == stream and r[field]
                )
                if points:
                    series[system] = points
            if series:
                panels.append((f"{stream}: {label}", unit, series))
    columns = len(panels) // len({r["stream"] for r in rows})
    charts.lines(panels, columns, AXES[x], found(rows, name), file)


def ratios(rows: list[Row]) -> str:
    """Throughput as a share of each union-find's, per stream."""
    limits = ("union-find-directory", "union-find", "union-find-range")
    text = (
        "This table gives each index's throughput as a share of three lower limits in the same run, all of them "
        "insertion-only union-find. `union-find-directory` looks vertices up in batches, in a hash table, as `bic` and "
        "`recency` do where ids are not dense. `union-find` has one flat table instead. That table is the fastest while "
        "it lies in the cache, slower than look-ups in batches where it does not, and stalls when it doubles. "
        "`union-find-range` looks nothing up, since it takes ids for vertex numbers; `bic` and `recency` look dense ids up "
        "in an array, once they have noticed that the ids are dense.\n\n"
    )
    result = [
        "| stream | system | " + " | ".join(f"share of {limit}" for limit in limits) + " |",
        "|---|---|" + "--:|" * len(limits),
    ]
    for stream in dict.fromkeys(r["stream"] for r in rows):
        rates = {r["system"]: r["edges_per_s"] for r in rows if r["stream"] == stream}
        for system, rate in rates.items():
            if system not in limits:
                shares = [f"{rate / rates[x]:.2f}" if x in rates else "" for x in limits]
                result.append(f"| {stream} | {system} | {' | '.join(shares)} |")
    return text + "\n".join(result) + "\n"


def note(results: Path) -> list[str]:
    """What is to be said of the run, if anything is: the text beside `results`, with `-note.md` for its suffix."""
    file = results.with_name(f"{results.stem}-note.md")
    return [file.read_text()] if file.exists() else []


def main(results: Path, folder: Path) -> None:
    rows: list[Row] = json.loads(results.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    by_experiment: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_experiment[row["experiment"]].append(row)

    clocks = {
        "cpu": "CPU time of the measuring thread, which leaves out the time in which other processes had the core",
        "wall": "elapsed time",
    }
    used = " and ".join(clocks[c] for c in sorted({r["clock"] for r in rows}))
    most = max(r["runs"] for r in rows)
    runs = f"Figures are medians of {most} runs in the first section, of one run in the others"
    parts = [
        "# Benchmarks\n",
        f"Measured on {machines(rows)}. Each system has one thread and a JVM of its own with a heap of "
        f"{rows[0]['heap']}, touched beforehand, and the serial collector. It warms up for a second or more. Times are {used}. "
        f"{'Each figure is of one run' if most == 1 else runs}.\n",
        "Latency is the response time when an edge completes a window: expiry, the answers to all queries, and the "
        "first edge of the next pane. A burst is 1,000 edges without the end of a window. The slowest burst shows how "
        "long edges may wait. P95 is the latency that 95 % of the windows do not exceed, and P50 and P99 likewise; of "
        "fewer than a hundred windows, P99 is the slowest. Retained memory is the heap that a system keeps after a full "
        "collection: the median over windows, and in brackets the least and the most. All exact systems gave the same "
        "answers, window by window. The systems named `union-find` never forget an edge, so they answer for all edges so "
        "far. Their answers are only checked to deny no connection of a window. They show what an answer costs at "
        "least, and are no systems for windows.\n",
        "Streams: Graph500 R-MAT of scale 20 (`rmat-20`), and both ends uniform among 8 M vertices "
        "(`uniform-8000000`), 100 edges a timestamp. Their ids are dense; `-scattered` are the same edges between ids "
        "from all 64-bit numbers. Everything is made again by `make bench-index` and "
        "`make bench-report`; `make bench-index ARGS=--help` tells how to run one setting, or a file of your own.\n",
    ]
    if any(r["system"] == "bic-paper" for r in rows):
        parts.append(
            "`bic-paper` is the paper's index to the letter, with its bipartite graph stored; `bic` is the product's version "
            "of the same index.\n"
        )
    parts += note(results)
    for name, (title, varied, text) in SECTIONS.items():
        measured = by_experiment.get(name)
        if not measured:
            continue
        file = f"{name}.png"
        if varied:
            lines(measured, varied, title, folder / file)
        else:
            bars(measured, title, folder / file)
        told = f"{text} Streams of {lengths(measured)} edges."
        parts += [f"## {title}\n", told + "\n", f"![{title}]({file})\n", table(measured)]
        if name == "performance":
            parts.append(ratios(measured))
    (folder / "index.md").write_text("\n".join(parts))
    print(f"wrote {folder / 'index.md'}")


if __name__ == "__main__":
    arguments = [Path(a) for a in sys.argv[1:]]
    defaults = [Path("bench/results/index.json"), Path("bench/reports")]
    main(*(arguments + defaults[len(arguments) :]))
