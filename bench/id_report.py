"""The part of bench/reports/spark.md about ids that are not dense."""

# ruff: noqa: E501, RUF001  (prose of the report, and its signs)

from group_report import Row, Setting, by_setting, number, warm_up

# The last words of the streams whose ids are not dense; the others are compared with the first.
KINDS = ("scattered", "names", "uuids")


def kinds_of_ids(settings: dict[Setting, dict[str, Row]]) -> str:
    """What strings cost: time beyond a scan, as a multiple of the time with scattered numbers."""
    lines = [
        "| stream | mode | edges a window | ids | query | s | s beyond a scan | × scattered numbers |",
        "|---|---|--:|---|---|--:|--:|--:|",
    ]
    for key, rows in settings.items():
        stream, mode, _, _, window, *_ = key
        name, kind = stream.rsplit("-", 1)
        numbers = settings.get((f"{name}-{KINDS[0]}", *key[1:]), {})
        for query, row in rows.items():
            if query == "scan":
                continue
            took, wanted = (
                each[query]["seconds"] - each["scan"]["seconds"]
                if "scan" in each and query in each
                else None
                for each in (rows, numbers)
            )
            ratio = took / wanted if took is not None and wanted else None
            cells = [number(row["seconds"], 2), number(took, 2), number(ratio, 2)]
            lines.append(
                f"| {name} | {mode} | {window:,} | {kind} | {query} | {' | '.join(cells)} |"
            )
    return "\n".join(lines) + "\n"


def section(rows: list[Row]) -> list[str]:
    return [
        "## Strings and scattered numbers\n",
        f"The same edges with other ids: `scattered` numbers of 64 bits, `names` such as `acct-123456`, and `uuids`. {warm_up(rows)} "
        "A slide is a twentieth of a window, or a fifth with 100,000 graphs. The kinds of ids of one setting were measured one "
        "after the other, the settings on different days. The scan reads the same columns row by row. A query that reads them as "
        "columns may therefore take less time than the scan.\n",
        kinds_of_ids(by_setting(rows)),
    ]
