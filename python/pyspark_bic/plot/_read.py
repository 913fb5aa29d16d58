"""A result, from Spark or from pandas, as the columns that a picture needs.

Windows come as naive ``datetime`` in the time zone of the session, which is how Spark shows them
and how ``toPandas`` hands them out.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, cast

from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame

from pyspark_bic._arguments import wrong
from pyspark_bic._frames import require, wall_clock

Row = tuple[Any, ...]


def rows(result: Any, columns: Sequence[str]) -> list[Row]:
    """``(window start, window end, *columns)`` of every row, by window."""
    if isinstance(result, DataFrame):
        require(result.columns, ["window", *columns])
        ends = [wall_clock(f"window.{side}").alias(side) for side in ("start", "end")]
        found: Iterable[Row] = map(tuple, result.select(*ends, *columns).collect())
    elif hasattr(result, "to_dict") and hasattr(result, "columns"):
        require(result.columns, ["window", *columns])
        windows = (_window(item) for item in result["window"])
        values = zip(*(result[name].tolist() for name in columns), strict=True)
        found = ((*window, *row) for window, row in zip(windows, values, strict=True))
    else:
        raise PySparkTypeError(message=wrong("result", "a Spark or a pandas DataFrame", result))
    ordered = sorted(found, key=lambda row: (row[1], row[0]))
    if not ordered:
        raise PySparkValueError(message="there is nothing to draw: the result has no rows")
    return ordered


def once(found: Sequence[Row]) -> None:
    """Refuse rows of more than one graph, or more than one length of window, in one line."""
    for before, after in pairwise(found):
        if before[1] == after[1]:
            raise PySparkValueError(
                message=f"more than one row for a window that ends at {after[1]}: keep one graph "
                "and one length of window, as in result.where(\"site = 'a'\")"
            )


def _window(item: Any) -> tuple[datetime, datetime]:
    # Arrow hands a struct out as a dict or a Row, which read the same way.
    return _naive(item["start"]), _naive(item["end"])


def _naive(moment: Any) -> datetime:
    if hasattr(moment, "to_pydatetime"):
        moment = moment.to_pydatetime()
    return cast(datetime, moment).replace(tzinfo=None)
