"""The part of bench/reports/spark.md about groups of vertices: tables and a chart, of the rows that are there."""

# ruff: noqa: E501, RUF001  (prose of the report, and its signs)

from pathlib import Path
from typing import Any

import charts

Row = dict[str, Any]
Setting = tuple[str, str, int, str, int, int, int]

SAYS = {
    "pairs": "`bicConnectivity`, for comparison: the index alone, with next to no rows",
    "pairs-early": "the same, with `early=True`, which counts in a stream alone",
    "pairs-since": "the same, with `since=True`",
    "connected": "`bicConnectedTo(...)`; every other marked vertex never occurs",
    "connected-early": "the same, with `early=True`",
    "connected-join": "the same vertices without `bicConnectedTo`: `bicComponents(...)`, joined with the marked vertices and then with the components found, both broadcast; without `since`",
    "connected-pairs": "the same by `bicConnectivity(...)`, with a pair of each vertex of the stream and each marked vertex",
    "as-of": "`bicAsOf(...)` of one edge in twelve, with both ends and the marked vertices; in a batch they are a table of their own",
    "as-of-now": "the same of one edge in ten, with `wait=False`",
    "as-of-self": "the same of all edges",
    "as-of-join": "the events of `as-of` without `bicAsOf`: `bicComponents(...)`, joined with the events by the end of the window and by each vertex, then with the sizes and marks of the components found. Small sides are broadcast. It leaves out `connected` and `since`, and holds for a slide that divides the window",
    "paths": "`bicPaths(...)`: the evidence for the same pairs, in the last full window alone",
    "components": "`bicComponents(...)`",
    "components-updates": "`bicComponents(..., updates_only=True)`",
    "components-stable": "`bicComponents(..., updates_only=True, stable=True)`",
    "stats": "`bicComponentStats(...)`",
    "largest": "`bicLargestComponents(..., top=10)`",
    "changes": "`bicChanges(...)`",
    "table": "`bicComponents()` of all edges, without windows",
}

# Not about groups, or not about windows: with few rows, and without rivals in windows.
ALONE = (
    *("pairs", "pairs-early", "pairs-since", "paths", "table"),
    *("as-of", "as-of-now", "as-of-self", "as-of-join"),
)

# By the suffix of a name; the longest suffix first.
RIVALS = {"-scipy-hash": "SciPy, by hashes", "-scipy": "SciPy", "-union-find": "union–find"}
COLOURS = {"ours": charts.TEAL, "SciPy": charts.ORANGE, "union–find": charts.MUTED}


def question(query: str) -> str:
    """The query of ours that asks what this one does."""
    suffix = next((suffix for suffix in RIVALS if query.endswith(suffix)), "")
    return query.removesuffix(suffix)


def setting(row: Row) -> Setting:
    windows = (row["window_edges"], row["slide_edges"], row["setting_edges"])
    return (row["stream"], row["mode"], row["cores"], row["heap"], *windows)


def title(key: Setting) -> str:
    stream, mode, cores, heap, window, slide, edges = key
    of = f"{stream}, {mode}, {cores} {'core' if cores == 1 else 'cores'}, {heap} of heap"
    return f"{of}: {edges:,} edges, windows of {window:,} by {slide:,}"


def by_setting(rows: list[Row]) -> dict[Setting, dict[str, Row]]:
    found: dict[Setting, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(setting(row), {})[row["query"]] = row
    return found


def per_window(row: Row) -> float:
    # Paths are asked of a single window.
    return float(row["seconds"] / (1 if row["query"] == "paths" else row["windows"]))


def number(value: float | None, digits: int = 0) -> str:
    return "" if value is None else f"{value:,.{digits}f}"


def faster(row: Row, rival: Row | None) -> float | None:
    """How many times as long the rival takes for a window."""
    return per_window(rival) / per_window(row) if rival else None


def per_row(row: Row) -> float | None:
    """None for queries with a few rows a window, of which no row costs much."""
    few = question(row["query"]) in (
        "pairs",
        "pairs-early",
        "pairs-since",
        "paths",
        "stats",
        "largest",
    )
    return None if few or not row["rows"] else row["seconds"] * 1e9 / row["rows"]


def beyond(row: Row, pairs: Row | None) -> float | None:
    """Nanoseconds a vertex and window more than pairs take."""
    # Of many graphs, vertices are not counted.
    if pairs is None or row is pairs or question(row["query"]) in ALONE or not row["vertices"]:
        return None
    return float((row["seconds"] - pairs["seconds"]) * 1e9 / row["vertices"])


def table(rows: dict[str, Row]) -> str:
    lines = [
        "| query | s | windows | rows | ms a window | ns a row | ns a vertex and window beyond pairs | × SciPy | × SciPy, by hashes | × union–find | peak heap MB |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for query, row in rows.items():
        ours = query == question(query)
        rivals = {name: rows.get(query + suffix) for suffix, name in RIVALS.items() if ours}
        ratios = (
            faster(row, rivals.get(name)) for name in ("SciPy", "SciPy, by hashes", "union–find")
        )
        heap = row["peak_heap_bytes"]
        cells = [
            query,
            number(row["seconds"], 2),
            f"{row['windows']:,}",
            number(row["rows"]),
            number(per_window(row) * 1e3, 1),
            number(per_row(row), 1),
            number(beyond(row, rows.get("pairs")) if ours else None, 1),
            *(number(ratio, 2) for ratio in ratios),
            number(heap / 1e6 if heap and ours else None),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def changelogs(settings: dict[Setting, dict[str, Row]]) -> str:
    """What is written where only the rows are asked for that differ from the window before."""
    lines = [
        "| stream | mode | changed rows | of all rows | s | s of twice the statistics | ns a changed row beyond these | `stable`: changed rows | `stable`: times as long |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for (stream, mode, *_), rows in settings.items():
        updates, stats = rows.get("components-updates"), rows.get("stats")
        stable, full = rows.get("components-stable"), rows.get("components")
        if not updates or not stats or not updates["rows"]:
            continue
        twice = 2 * stats["seconds"]
        cells = [
            stream,
            mode,
            number(updates["rows"]),
            f"{updates['rows'] / full['rows']:.1%}" if full else "",
            number(updates["seconds"], 2),
            number(twice, 2),
            number((updates["seconds"] - twice) * 1e9 / updates["rows"], 1),
            number(stable["rows"]) if stable else "",
            number(stable["seconds"] / updates["seconds"], 2) if stable else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "" if len(lines) == 2 else "\n".join(lines) + "\n"


def memory(settings: dict[Setting, dict[str, Row]]) -> str:
    """What a query holds beyond pairs, whose heap has the same index."""
    lines = [
        "| stream | mode | heap | query | vertices of the largest window | MB held | bytes a vertex beyond pairs |",
        "|---|---|---|---|--:|--:|--:|",
    ]
    for (stream, mode, _, heap, *_), rows in settings.items():
        pairs = rows.get("pairs")
        for query, row in rows.items():
            if not row["held_bytes"]:
                continue
            more = None
            if pairs and pairs["held_bytes"] and query not in ALONE:
                more = (row["held_bytes"] - pairs["held_bytes"]) / row["largest_window_vertices"]
            cells = (
                *(stream, mode, heap, query, number(row["largest_window_vertices"])),
                *(number(row["held_bytes"] / 1e6), number(more, 1)),
            )
            lines.append(f"| {' | '.join(cells)} |")
    return "" if len(lines) == 2 else "\n".join(lines) + "\n"


def charted(settings: dict[Setting, dict[str, Row]]) -> dict[str, dict[str, Row]]:
    """The rows of batches on one core, by stream: of several such settings, the first."""
    found: dict[str, dict[str, Row]] = {}
    for (stream, mode, cores, *_), rows in settings.items():
        asked = {query: row for query, row in rows.items() if question(query) not in ALONE}
        if mode == "batch" and cores == 1 and asked:
            found.setdefault(stream, asked)
    return found


def chart(streams: dict[str, dict[str, Row]], file: Path) -> None:
    """A panel for each stream and question, with the time that a window takes."""
    panels, most = [], 1.0
    systems = {"ours": "", "SciPy": "-scipy", "union–find": "-union-find"}
    for stream, rows in streams.items():
        for asked in dict.fromkeys(map(question, rows)):
            values = {
                system: per_window(rows[asked + suffix]) * 1e3
                for system, suffix in systems.items()
                if asked + suffix in rows
            }
            if len(values) > 1:
                most = max(most, values.get("SciPy", 0) / values.get("ours", float("inf")))
                panels.append((f"{stream}: {asked}", "ms a window", values))
    if panels:
        title = f"Groups of a sliding window, up to {most:.0f} times as fast as with SciPy"
        charts.bars(panels, 2, title, file, COLOURS.__getitem__)


def warm_up(rows: list[Row]) -> str:
    """How these queries were measured, which need not be as those about pairs were."""
    seconds = " or ".join(f"{each}" for each in sorted({row["warm_up_s"] for row in rows}))
    runs = max(row["runs"] for row in rows)
    measured = "once" if runs == 1 else f"up to {runs} times, of which the median is told"
    return f"Each was measured {measured}, after a warm-up of {seconds} seconds. Each setting is of one run."


def asked(rows: list[Row]) -> str:
    """The queries of ours that the rows answer, and what they are."""
    names = dict.fromkeys(question(row["query"]) for row in rows)
    return "\n".join(f"- `{name}`: {SAYS[name]}." for name in names if name in SAYS) + "\n"


def section(rows: list[Row], folder: Path) -> list[str]:
    """The parts of the page. The chart is written into `folder`."""
    settings = by_setting(rows)
    index = " and ".join(f"`{name}`" for name in dict.fromkeys(row["index"] for row in rows))
    parts = [
        "## Groups of vertices\n",
        f"These queries ask which groups there are. The index is {index}. {warm_up(rows)} Rows go to Spark's `noop` sink, which drops them. So the "
        "time includes making the rows, and no use of the rows. One more pass checks the rows: each rival gave the rows of our "
        "query in each window that the rival answered.\n",
        asked(rows),
        "Rivals compute windows from scratch, for some windows spread evenly over all windows. A rival has the edges as arrays in "
        "memory, so a rival reads no files in its time. Only SciPy's time for `table` includes reading the files. Where windows "
        "are compared, a rival's time leaves out the components of the window before.\n",
        "- `-scipy`: SciPy's `connected_components`, with rows as columns of Arrow. An array numbers the vertices, since the ids are "
        "dense.\n"
        "- `-scipy-hash`: the same, but hashes number the vertices, which ids of any kind need.\n"
        "- `-union-find`: a union–find in the JVM over an array, in which ids are places.\n",
        "The columns `×` tell how many times as long a rival takes for a window. A vertex that occurs in several windows counts "
        "once in each of these windows.\n",
    ]
    streams = charted(settings)
    if streams:
        chart(streams, folder / "groups.png")
        parts.append("![Time that a window takes](groups.png)\n")
    for key, found in settings.items():
        parts += [f"### {title(key)}\n", table(found)]
    if written := changelogs(settings):
        parts += ["### Changelogs\n", written]
    if held := memory(settings):
        parts += [
            "### Memory of groups\n",
            "Held is the most heap that was alive at moments of one pass, in which all garbage is collected over and over. Pairs "
            "hold the same index, so the difference is what the groups take.\n",
            held,
        ]
    return parts
