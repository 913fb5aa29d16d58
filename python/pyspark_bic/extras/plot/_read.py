"""A result, from Spark or from pandas, as the columns that a picture needs.

A Spark result tells its windows apart as moments. In a pandas one they are what the clock of the
session showed: where clocks are set back it shows an hour twice, and one cannot be told from the
other.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, cast

from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame

from pyspark_bic._arguments import wrong
from pyspark_bic._frames import (
    Window,
    one_length,
    require,
    resolved,
    window_bounds,
    window_of,
    window_type,
)

Row = tuple[Any, ...]


def rows(result: Any, columns: Sequence[str]) -> list[Row]:
    """``(window, *columns)`` of every row, by window; these are all of one length."""
    if isinstance(result, DataFrame):
        resolved(result, ["window", *columns])
        read = result.select(*window_bounds(window_type(result)), *columns).collect()
        found: Iterable[Row] = [(window_of(row[:4]), *row[4:]) for row in read]
    elif hasattr(result, "to_dict") and hasattr(result, "columns"):
        require(result.columns, ["window", *columns])
        bounds = (_window(item) for item in result["window"])
        values = zip(*(result[name].tolist() for name in columns), strict=True)
        found = [(window, *row) for window, row in zip(bounds, values, strict=True)]
    else:
        raise PySparkTypeError(message=wrong("result", "a Spark or a pandas DataFrame", result))
    ordered = sorted(found, key=lambda row: row[0])
    if not ordered:
        raise PySparkValueError(message="there is nothing to draw: the result has no rows")
    windows = sorted({row[0] for row in ordered})
    if isinstance(result, DataFrame):
        one_length(windows)
    else:
        _one_at_a_time(windows)
    return ordered


def once(found: Sequence[Row]) -> None:
    """Refuse rows of more than one graph, in one line."""
    for (before, *_), (after, *_) in pairwise(found):
        if before == after:
            raise PySparkValueError(
                message=f"more than one row for a window that ends at {after.end}: keep one graph, "
                "as in result.where(\"site = 'a'\")"
            )


def _one_at_a_time(windows: Sequence[Window]) -> None:
    """What can be told of the lengths by the clock alone: where it is set, an hour is not one."""
    for before, after in pairwise(windows):
        if before.end == after.end:
            raise PySparkValueError(
                message=f"more than one window ends at {after.end}: keep one length; where clocks "
                "are set back, give the Spark DataFrame, which tells the windows apart"
            )


def _window(item: Any) -> Window:
    # Arrow hands a struct out as a dict or a Row, which read the same way.
    return window_of([_naive(item["start"]), _naive(item["end"]), None, None])


def _naive(moment: Any) -> datetime:
    if hasattr(moment, "to_pydatetime"):
        moment = moment.to_pydatetime()
    return cast(datetime, moment).replace(tzinfo=None)
