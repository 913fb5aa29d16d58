"""Turns bench/results/spark.json into docs/benchmarks/spark.md.

python bench/spark_report.py [results.json [page.md]]
"""

# ruff: noqa: E501, RUF001  (prose of the report, and its signs)

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from report import machine

Row = dict[str, Any]
Setting = tuple[str, str, int, str]

SAYS = {
    "scan": "reads both endpoints and the time and folds them, in code generated for the whole stage",
    "rows": "the same fold over a typed `Dataset`, an object an edge",
    "count": "`groupBy(window(time, W, S)).count()`",
    "bic": '`bicConnectivity(..., index="bic")`',
    "recency": '`bicConnectivity(..., index="recency")`',
    "scipy": "SciPy's `connected_components` for each window, by `applyInPandas` (batch) or `applyInPandasWithState` (stream)",
    "union-find": "a union–find for each window, in `mapGroups`",
    "graphframes": "GraphFrames' `connectedComponents` for each window",
}


def setting(row: Row) -> Setting:
    return (row["stream"], row["mode"], row["cores"], row["heap"])


def title(key: Setting) -> str:
    stream, mode, cores, heap = key
    return f"{stream}, {mode}, {cores} {'core' if cores == 1 else 'cores'}, {heap} of heap"


def ratio(row: Row, other: Row | None) -> str:
    return f"{row['edges_per_s'] / other['edges_per_s']:.2f}" if other else ""


def table(rows: list[Row]) -> str:
    by_query = {row["query"]: row for row in rows}
    head = (
        "| query | edges | M edges/s | × scan | × count | s | CPU s | batch ms | peak heap MB | windows | answers |\n"
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n"
    )
    lines = []
    for row in rows:
        cells = [
            row["query"],
            f"{row['edges']:,}",
            f"{row['edges_per_s'] / 1e6:.2f}",
            ratio(row, by_query.get("scan")),
            ratio(row, by_query.get("count")),
            f"{row['seconds']:.1f}",
            "" if row["cpu_s"] is None else f"{row['cpu_s']:.1f}",
            "" if row["batch_ms"] is None else f"{row['batch_ms']:,}",
            "" if row["peak_heap_bytes"] is None else f"{row['peak_heap_bytes'] / 1e6:,.0f}",
            row["windows"] or "",
            row["answers_crc"] or "",
        ]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return head + "\n".join(lines) + "\n"


def scaling(rows: list[Row]) -> str:
    """Two cores against one, where both were measured."""
    at = {(*setting(row), row["query"]): row for row in rows}
    lines = ["| stream | mode | query | two cores / one |", "|---|---|---|--:|"]
    for (stream, mode, cores, heap, query), row in at.items():
        one = at.get((stream, mode, 1, heap, query))
        if cores == 2 and one:
            lines.append(f"| {stream} | {mode} | {query} | {ratio(row, one)} |")
    return "\n".join(lines) + "\n"


def main(results: Path, page: Path) -> None:
    rows: list[Row] = json.loads(results.read_text())
    settings: dict[Setting, list[Row]] = defaultdict(list)
    for row in rows:
        settings[setting(row)].append(row)
    queries = list(dict.fromkeys(row["query"] for row in rows))
    absent = (
        ""
        if "graphframes" in queries
        else " GraphFrames is left out: its jar was not handed in (`--graphframes JAR`)."
    )
    first = rows[0]
    parts = [
        "# Benchmarks in Spark\n",
        f"Machine of this report: {machine()}. Each query runs in a JVM of its own, in Spark's local mode, over the same "
        "parquet files; elapsed time from the start of the query to its end, after a warm-up pass; the median of up to "
        f"{max(row['runs'] for row in rows)} runs. Streams are read in micro-batches of one file of 2 M edges. A window is "
        f"{first['window_edges']:,} edges, a slide {first['slide_edges']:,}, unless the table is of many graphs; "
        f"{first['pairs']} pairs are asked in every window.{absent}\n",
        "\n".join(f"- `{query}`: {SAYS[query]}." for query in queries) + "\n",
        "Those that compute windows from scratch do so for a part of them, and get one slide of edges further with each. "
        "All queries that tell which pairs are connected gave the same answers in the windows that they all answered; the "
        "checksum is over those. Peak heap is the most that was in use right after a garbage collection, the whole of Spark "
        "included. CPU time is that of the process: tasks, planning, garbage collection and just-in-time compilation.\n",
        "Everything is made again by `make bench-spark` and `make bench-report`; `make bench-spark ARGS=--help` tells how "
        "to run one setting.\n",
    ]
    for key, found in settings.items():
        parts += [f"## {title(key)}\n", table(found)]
    parts += ["## Two cores against one\n", scaling(rows)]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(parts))
    print(f"wrote {page}")


if __name__ == "__main__":
    arguments = [Path(a) for a in sys.argv[1:]]
    defaults = [Path("bench/results/spark.json"), Path("docs/benchmarks/spark.md")]
    main(*(arguments + defaults[len(arguments) :]))
