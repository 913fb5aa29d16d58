"""The part of bench/reports/spark.md about marked vertices and events: the figures that matter, and a table a setting."""

# ruff: noqa: E501  (prose of the report)

from collections.abc import Callable

from group_report import Row, asked, by_setting, number, table, title, warm_up

Rows = dict[str, Row]
Figure = Callable[[Rows], float]


def beyond(query: str, other: str, unit: float) -> Figure:
    """What a row of `query` costs, when the time of `other` is taken off."""
    return lambda rows: (
        (rows[query]["seconds"] - rows[other]["seconds"]) / rows[query]["rows"] / unit
    )


def times(query: str, other: str) -> Figure:
    return lambda rows: rows[query]["seconds"] / rows[other]["seconds"]


# What a figure says, its mode, the queries that it needs, and how it is computed.
FIGURES: tuple[tuple[str, str, tuple[str, ...], Figure], ...] = (
    (
        "`connected`, beyond `stats`: ns a row",
        "batch",
        ("connected", "stats"),
        beyond("connected", "stats", 1e-9),
    ),
    (
        "`as-of`, beyond `stats`: µs an event",
        "batch",
        ("as-of", "stats"),
        beyond("as-of", "stats", 1e-6),
    ),
    (
        "`as-of-self`: µs an event",
        "batch",
        ("as-of-self",),
        lambda rows: rows["as-of-self"]["seconds"] * 1e6 / rows["as-of-self"]["rows"],
    ),
    (
        "`connected-join` / `connected`",
        "batch",
        ("connected-join", "connected"),
        times("connected-join", "connected"),
    ),
    (
        "`connected-pairs` / `connected`",
        "batch",
        ("connected-pairs", "connected"),
        times("connected-pairs", "connected"),
    ),
    ("`as-of-join` / `as-of`", "batch", ("as-of-join", "as-of"), times("as-of-join", "as-of")),
    (
        "`connected-early` / `connected`",
        "stream",
        ("connected-early", "connected"),
        times("connected-early", "connected"),
    ),
    ("`connected` / `pairs`", "stream", ("connected", "pairs"), times("connected", "pairs")),
    ("`as-of` / `stats`", "stream", ("as-of", "stats"), times("as-of", "stats")),
    (
        "`pairs-early`: ms, the median micro-batch",
        "stream",
        ("pairs-early",),
        lambda rows: rows["pairs-early"]["batch_ms"],
    ),
    (
        "`as-of-now`: ms, the median micro-batch",
        "stream",
        ("as-of-now",),
        lambda rows: rows["as-of-now"]["batch_ms"],
    ),
)


def figures(rows: list[Row]) -> str:
    lines = ["| stream | mode | edges | window | figure | value |", "|---|---|--:|--:|---|--:|"]
    for (stream, mode, _, _, window, _, edges), found in by_setting(rows).items():
        lines += [
            f"| {stream} | {mode} | {edges:,} | {window:,} | {says} | {number(figure(found), 2)} |"
            for says, of_mode, queries, figure in FIGURES
            if mode == of_mode and all(query in found for query in queries)
        ]
    return "\n".join(lines) + "\n"


def section(rows: list[Row]) -> list[str]:
    """The parts of the page."""
    marks = " or ".join(f"{each:,}" for each in sorted({row["marks"] for row in rows}))
    parts = [
        "## Marked vertices and events\n",
        f"Which vertices are connected to a marked one, and what was the graph like just before an event? {warm_up(rows)} Rows go to "
        f"Spark's `noop` sink. Of {marks} marked vertices half occur. In a stream, questions of events read the files twice: once as edges, "
        "once as events. A query whose first pass took longer than 100 seconds was measured in this pass.\n",
        asked(rows),
        "`stats` stands for the components of all windows without their rows. `/` divides times.\n",
        figures(rows),
    ]
    for key, found in by_setting(rows).items():
        parts += [f"### {title(key)}\n", table(found)]
    return parts
