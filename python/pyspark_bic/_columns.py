"""Columns that are expressions, or lie in a struct, become columns of the edges by name."""

import re
from itertools import combinations
from typing import Any

from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from pyspark_bic._arguments import is_series, text, wrong
from pyspark_bic._frames import folding, quoted

# The column before the first dot, which may be in backquotes and then have dots of its own.
_PATH = re.compile(r"(?:`(?P<quoted>(?:[^`]|``)+)`|(?P<plain>[^.`]+))\.")
_ENDS = ("src", "dst", "time")
_EXPECTED = "a column, as a name or a Column"


def by_name(edges: DataFrame, given: dict[str, Any]) -> tuple[DataFrame, dict[str, Any]]:
    """``edges`` with all columns of ``given`` that they lack, and the names of these columns.

    A column is a name, the path of a field of a struct such as ``"payment.payer"``, or a
    :class:`~pyspark.sql.Column`. The names are checked: src, dst, time and, as lists, by and keep.
    """
    edges, found = _apart(edges, {name: given[name] for name in _ENDS if name in given})
    for name in ("by", "keep"):
        if name in given:
            edges, found[name] = _several(edges, name, given[name])
    return edges, found


def of_events(
    events: DataFrame, given: dict[str, Any]
) -> tuple[DataFrame, dict[str, Any], list[str]]:
    """The same for ``events`` and their columns; also the names that ``events`` have got."""
    names = {name: given[name] for name in ("source", "target", "at") if given[name] is not None}
    held = len(events.columns)
    events, found = _apart(events, names)
    return events, found, events.columns[held:]


def _apart(frame: DataFrame, given: dict[str, Any]) -> tuple[DataFrame, dict[str, Any]]:
    """``frame`` with the columns that it lacks, and their names. No column may have two roles."""
    resolved = {name: _resolved(frame, name, value) for name, value in given.items()}
    lacking = [name for name, (_, column) in resolved.items() if column is not None]
    # The JVM compares names, but two columns that are made of one field have two names.
    if lacking:
        alone = {
            name: frame.select((F.col(quoted(shown)) if column is None else column).alias("one"))
            for name, (shown, column) in resolved.items()
            if column is not None or frame.columns.count(shown) == 1
        }
        for one, other in combinations(alone, 2):
            if {one, other} & set(lacking) and alone[one].sameSemantics(alone[other]):
                shown = given[one] if isinstance(given[one], str) else resolved[one][0]
                raise PySparkValueError(
                    message=f"column '{shown}' is given as {one} and as {other}: each needs a "
                    "column of its own"
                )
    found: dict[str, Any] = {}
    for name, (shown, column) in resolved.items():
        found[name] = shown
        if column is not None:
            found[name] = name
            while _has(frame, found[name]):
                found[name] += "_"
            frame = frame.withColumn(found[name], column)
    return frame, found


def _several(edges: DataFrame, name: str, value: object) -> tuple[DataFrame, list[str] | None]:
    if value is None:
        return edges, None
    single = isinstance(value, str | Column)
    # The order of a set differs from process to process.
    if not single and (not is_series(value) or isinstance(value, set | frozenset)):
        raise PySparkTypeError(
            message=wrong(name, "a column or a list of columns, as names or Columns", value)
        )
    columns: list[Any] = [value] if single else list(value)  # type: ignore[call-overload]
    names = []
    for position, each in enumerate(columns):
        at = name if single else f"{name}[{position}]"
        shown, lacking = _resolved(edges, at, each)
        if lacking is not None:
            if _has(edges, shown):
                raise PySparkValueError(
                    message=f"{at} is called '{shown}', as a column of edges is: give it another "
                    "name with .alias(...)"
                )
            edges = edges.withColumn(shown, lacking)
        names.append(shown)
    return edges, names


def _resolved(edges: DataFrame, name: str, value: object) -> tuple[str, Column | None]:
    """The name of a column, and its expression where ``edges`` lack it."""
    if isinstance(value, Column):
        shown = _shown(edges, value)
        # A Column of Spark Connect shows its name as it was given.
        names = [f"Column<'{name}'>" for name in (shown, quoted(shown))]
        is_name = str(value) in names and _has(edges, shown)
        return shown, None if is_name else value
    given = text(name, value, _EXPECTED)
    # A name without a dot, as nearly all are, costs no question to the session.
    path = _PATH.match(given)
    if path is None or _has(edges, given):
        return given, None
    if not _has(edges, path["plain"] or path["quoted"].replace("``", "`")):
        return given, None
    field = F.col(given)
    return _shown(edges, field), field


def _has(edges: DataFrame, name: str) -> bool:
    fold = folding(edges)
    return fold(name) in map(fold, edges.columns)


def _shown(edges: DataFrame, value: Column) -> str:
    """The name that Spark gives the column."""
    return edges.select(value).columns[0]
