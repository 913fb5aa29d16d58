"""Turns bench/results/spark.json into bench/reports/spark.md.

python bench/spark_report.py [results.json [page.md]]

The rows of groups.json, marks.json and ids.json beside the results, if they are there, come after those of the results.
"""

# ruff: noqa: E501, RUF001  (prose of the report, and its signs)

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import charts
import group_report
import id_report
import mark_report
from report import machines, note

Row = dict[str, Any]
Setting = tuple[str, str, int, str, int]

SAYS = {
    "scan": "reads both endpoints and the time and folds them, in code generated for the whole stage",
    "rows": "the same fold over a typed `Dataset`, an object an edge",
    "count": "`groupBy(window(time, W, S)).count()`",
    "bic": '`bicConnectivity(..., index="bic")`',
    "recency": '`bicConnectivity(..., index="recency")`',
    "bic-panes": "`bic`, its state kept pane by pane in RocksDB (`spark.bic.stateLayout`)",
    "recency-panes": "`recency`, its state kept so",
    "scipy": "SciPy's `connected_components` for each window, by `applyInPandas` (batch) or `applyInPandasWithState` (stream), in a PySpark session of its own: one run, in a heap of 5 GiB that has not been touched before, from which the answers are collected",
    "union-find": "a union–find for each window, in `mapGroups`",
    "graphframes": "GraphFrames' `connectedComponents` for each window",
}


INDEXES = ("bic", "recency")
FROM_SCRATCH = ("scipy", "union-find", "graphframes")


def setting(row: Row) -> Setting:
    return (row["stream"], row["mode"], row["cores"], row["heap"], row["partitions"])


def title(key: Setting) -> str:
    stream, mode, cores, heap, partitions = key
    dealt = "" if partitions == 1 else f", {partitions} partitions"
    return f"{stream}, {mode}, {cores} {'core' if cores == 1 else 'cores'}, {heap} of heap{dealt}"


def ratio(row: Row, other: Row | None) -> str:
    return f"{row['edges_per_s'] / other['edges_per_s']:.2f}" if other else ""


def table(rows: list[Row]) -> str:
    by_query = {row["query"]: row for row in rows}
    head = (
        "| query | edges | M edges/s | × scan | × count | s | first s | CPU s | batch ms | peak heap MB | windows | answers |\n"
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n"
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
            "" if row["first_s"] is None else f"{row['first_s']:.1f}",
            "" if row["cpu_s"] is None else f"{row['cpu_s']:.1f}",
            "" if row["batch_ms"] is None else f"{row['batch_ms']:,}",
            "" if row["peak_heap_bytes"] is None else f"{row['peak_heap_bytes'] / 1e6:,.0f}",
            f"{row['windows']:,}" if row["windows"] else "",
            row["answers_crc"] or "",
        ]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return head + "\n".join(lines) + "\n"


def per_window(row: Row) -> float:
    return float(row["seconds"] / row["windows"])


def rivals(rows: list[Row]) -> str:
    """Ours against what computes a window from scratch, by new edges a second, as the chart has them.

    Not by the time of a window: ours also answer the last windows of a batch, which few edges are in.
    """
    lines = [
        "| stream | mode | rival | windows | s a window | `bic`: times the edges a second | `recency`: times the edges a second |",
        "|---|---|---|--:|--:|--:|--:|",
    ]
    at = {(*setting(row), row["query"]): row for row in rows}
    for (*key, query), row in at.items():
        stream, mode = key[:2]
        ours = [at.get((*key, index)) for index in INDEXES]
        if query in FROM_SCRATCH and all(ours):
            faster = " | ".join(
                f"{mine['edges_per_s'] / row['edges_per_s']:.1f}" for mine in ours if mine
            )
            lines.append(
                f"| {stream} | {mode} | {query} | {row['windows']} | {per_window(row):.2f} | {faster} |"
            )
    return "\n".join(lines) + "\n"


def summary(rows: list[Row]) -> str:
    """Ours as a multiple of what Spark does with the same rows, on one core."""
    lines = [
        "| stream | mode | heap | partitions | query | × scan | × rows | × count |",
        "|---|---|---|--:|---|--:|--:|--:|",
    ]
    at = {(*setting(row), row["query"]): row for row in rows}
    for (*key, query), row in at.items():
        stream, mode, cores, heap, partitions = key
        if cores == 1 and query.removesuffix("-panes") in INDEXES:
            found = " | ".join(
                ratio(row, at.get((*key, other))) for other in ("scan", "rows", "count")
            )
            lines.append(f"| {stream} | {mode} | {heap} | {partitions} | {query} | {found} |")
    return "\n".join(lines) + "\n"


def memory(rows: list[Row]) -> str:
    """The most that a small heap held."""
    small = [row for row in rows if row["heap"] == "1g" and row["query"] in INDEXES]
    if not small:
        return ""
    held = ", ".join(
        f"{row['peak_heap_bytes'] / 1e6:,.0f} MB with `{row['query']}`" for row in small
    )
    return (
        f"In a heap of 1 GiB, {small[0]['edges']:,} edges in batch with windows of {small[0]['window_edges']:,} held at "
        f"most {held}. Spark itself is included, and by itself holds about as much as the scan does. The window bounds the "
        "memory, not the table: the heap holds the live vertices of one window, the forests of the tasks of stage 1, and the "
        "blocks on their way.\n"
    )


def against_one(rows: list[Row], name: str) -> list[tuple[Row, Row]]:
    """Rows with several of `name`, which is a part of a setting, each with the row that has one and is alike else."""
    at = {(*setting(row), row["query"]): row for row in rows}
    pairs = ((row, at.get((*setting({**row, name: 1}), row["query"]))) for row in at.values())
    return [(row, one) for row, one in pairs if one and row[name] > 1]


def scaling(rows: list[Row]) -> str:
    """Two cores against one, where both were measured."""
    lines = [
        "| stream | mode | partitions | query | two cores / one |",
        "|---|---|--:|---|--:|",
    ]
    lines += [
        f"| {row['stream']} | {row['mode']} | {row['partitions']} | {row['query']} | {ratio(row, one)} |"
        for row, one in against_one(rows, "cores")
        if row["cores"] == 2
    ]
    return "\n".join(lines) + "\n"


def partitioned(rows: list[Row]) -> str:
    """Many input partitions against one, where both were measured."""
    lines = [
        "| stream | cores | partitions | query | times as long as with one partition |",
        "|---|--:|--:|---|--:|",
    ]
    lines += [
        f"| {row['stream']} | {row['cores']} | {row['partitions']} | {row['query']} | {ratio(one, row)} |"
        for row, one in against_one(rows, "partitions")
    ]
    return "\n".join(lines) + "\n"


def headline(rows: list[Row], file: Path) -> bool:
    """Whole queries beside what else there is, on one core of R-MAT; whether there is such a row."""
    names = {
        "scan": "reading the files",
        "recency": 'bicConnectivity, index="recency"',
        "bic": 'bicConnectivity, index="bic"',
        "scipy": "SciPy, each window anew",
        "count": "Spark's count of edges by window",
    }
    panels = []
    for mode in ("batch", "stream"):
        values = {
            names[query]: row["edges_per_s"] / 1e6
            for query in names
            for row in rows
            if (row["query"], *setting(row)[1:]) == (query, mode, 1, "2g", 1)
            and row["stream"].startswith("rmat")
        }
        if {names["bic"], names["count"]} <= values.keys():
            panels.append((mode, "million edges a second", values))
    if not panels:
        return False
    faster = " and ".join(
        f"{max(values[names['bic']], values[names['recency']]) / values[names['scipy']]:.0f} ({mode})"
        for mode, _, values in panels
        if names["scipy"] in values
    )
    charts.bars(
        panels,
        len(panels),
        f"bicConnectivity is {faster} times as fast as computing each window anew"
        if faster
        else "bicConnectivity beside a scan and a count",
        file,
        lambda name: charts.TEAL if name.startswith("bic") else "#b9c2ca",
    )
    return True


def intro(rows: list[Row], queries: list[str]) -> list[str]:
    absent = (
        ""
        if "graphframes" in queries
        else " GraphFrames is left out: its jar was not handed in (`--graphframes JAR`)."
    )
    first = rows[0]
    return [
        "# Benchmarks in Spark\n",
        f"Measured on {machines(rows)}. Each query runs in a JVM of its own, in Spark's local mode, over the same "
        "parquet files. Times are elapsed time from the start of the query to its end, in a heap that has been touched before: "
        f"the median of up to {max(row['runs'] for row in rows)} runs. Before these runs the query runs over and over for "
        f"{first['warm_up_s']} seconds, by when the JVM has compiled nearly all of its code. `first s` is the first of these "
        "passes: the cost of a query that starts in a JVM of its own and ends soon. Streams are read in micro-batches of one "
        "file of 2 M edges. All queries but `scipy` write their rows to memory through the same sink. A window is "
        f"{first['window_edges']:,} edges, a slide {first['slide_edges']:,}, unless the table is of many graphs; "
        f"{first['pairs']} pairs are asked in every window.{absent}\n",
        "\n".join(f"- `{query}`: {SAYS[query]}." for query in queries) + "\n",
        "Queries that compute windows from scratch compute a part of the windows, and each such window adds one slide of edges. "
        "All queries that tell which pairs are connected gave the same answers in the windows that they all answered; the "
        "checksum is over these answers. Peak heap is the most heap in use right after a garbage collection, the whole of Spark "
        "included. CPU time is the time of the process: tasks, planning, garbage collection and just-in-time compilation.\n",
        "Everything is made again by `make bench-spark` and `make bench-report`; `make bench-spark ARGS=--help` tells how "
        "to run one setting.\n",
    ]


def sections(rows: list[Row]) -> list[str]:
    """What there is to say of pairs; nothing if no row is about pairs."""
    settings: dict[Setting, list[Row]] = defaultdict(list)
    for row in rows:
        settings[setting(row)].append(row)
    if not settings:
        return []
    tables = [
        part for key, found in settings.items() for part in (f"## {title(key)}\n", table(found))
    ]
    return [
        *tables,
        "## Against a scan and a count\n",
        "One core. `scan` is the fastest way that Spark has to touch every edge: nothing leaves the generated code. `rows` is "
        "the cost of a loop that a user writes, with an object for each edge. In a stream, both include Spark's own operator of "
        "the watermark.\n",
        summary(rows),
        "## Against windows from scratch\n",
        rivals(rows),
        "## Two cores against one\n",
        "Stage 1 runs on both cores. In a stream the index of the one graph runs on one core; in a batch the graph is cut into "
        "[segments](../scaling.md#segments-of-a-batch) of four window lengths, of which these tables, of not quite seven, "
        "have two or three.\n",
        scaling(rows),
        "## Many partitions against one\n",
        "A micro-batch has the same edges in all rows. With several partitions these are dealt to the partitions in turn, so "
        "each partition holds edges of every pane, as the partitions of a Kafka topic do.\n",
        partitioned(rows),
        "## Memory\n",
        memory(rows),
        "[Choose how the state is kept](../../docs/how-to/state-layouts.md) has the cost of an empty micro-batch.\n",
    ]


def main(results: Path, page: Path) -> None:
    def rows_of(name: str) -> list[Row]:
        file = results.with_name(name)
        return json.loads(file.read_text()) if file.exists() else []

    rows: list[Row] = json.loads(results.read_text())
    pairs = [row for row in rows if row["query"] in SAYS]
    groups = [row for row in rows if row["query"] not in SAYS] + rows_of("groups.json")
    marks, ids = rows_of("marks.json"), rows_of("ids.json")
    queries = list(dict.fromkeys(row["query"] for row in pairs))
    page.parent.mkdir(parents=True, exist_ok=True)
    parts = intro(pairs or groups or marks or ids, queries)
    if headline(pairs, page.parent / "headline.png"):
        parts.append("![Millions of edges a second, on one core](headline.png)\n")
    parts += note(results) + sections(pairs)
    if groups:
        parts += group_report.section(groups, page.parent)
    if marks:
        parts += mark_report.section(marks)
    if ids:
        parts += id_report.section(ids)
    page.write_text("\n".join(parts))
    print(f"wrote {page}")


if __name__ == "__main__":
    arguments = [Path(a) for a in sys.argv[1:]]
    defaults = [Path("bench/results/spark.json"), Path("bench/reports/spark.md")]
    main(*(arguments + defaults[len(arguments) :]))
