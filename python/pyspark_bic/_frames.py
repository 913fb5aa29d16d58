"""The columns and windows of a frame, as pictures, the live page and GraphFrames read them."""

import re
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from pyspark.errors import PySparkValueError
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, StructType, TimestampType

from pyspark_bic._arguments import spark_frame, text
from pyspark_bic._times import MICROSECOND, micros, time_type

_QUOTED = re.compile("`((?:[^`]|``)+)`")


class Window(NamedTuple):
    """A window: in microseconds, which order it, and as the clock of the session shows it."""

    until: int
    begin: int
    start: datetime
    end: datetime


def require(held: Iterable[str], needed: Iterable[str]) -> None:
    """Refuse a frame with the columns ``held`` that lacks one of the ``needed``."""
    names = list(held)
    for name in needed:
        if name not in names:
            raise PySparkValueError(message=f"there is no column '{name}', only {', '.join(names)}")


def folding(frame: DataFrame) -> Callable[[str], str]:
    """Lower case, which makes names of one column equal; the identity if the session minds case."""
    minds = frame.sparkSession.conf.get("spark.sql.caseSensitive", "false")
    return str if str(minds).lower() == "true" else str.lower


def resolved(frame: DataFrame, needed: Iterable[str]) -> list[str]:
    """The ``needed`` columns as the frame itself spells them."""
    fold, held = folding(frame), frame.columns
    found = []
    for name in needed:
        given = text("the name of a column", name, "a str")
        exact, plain = (
            [column for column in held if fold(column) == fold(wanted)]
            for wanted in (given, unquoted(given))
        )
        same = exact or plain
        if len(same) > 1:
            raise PySparkValueError(
                message=f"{len(same)} columns are called '{name}': rename or drop all but one"
            )
        require(held, [] if same else [name])
        found += same
    return found


def edge_columns(edges: DataFrame, src: str, dst: str, time: str) -> list[str]:
    """The three columns of ``edges``, as it spells them."""
    found = resolved(spark_frame("edges", edges), [src, dst, time])
    for name in found:
        if found.count(name) > 1:
            raise PySparkValueError(
                message=f"column '{name}' is given twice: src, dst and time are three columns"
            )
    return found


def unquoted(name: str) -> str:
    """The name that Spark reads in backquotes; any other name as it is."""
    found = _QUOTED.fullmatch(name)
    return name if found is None else found[1].replace("``", "`")


def quoted(name: str) -> str:
    """The name of a column as Spark reads it whatever it holds, such as a dot."""
    return "`" + name.replace("`", "``") + "`"


def window_type(frame: DataFrame) -> DataType:
    """The type of the bounds of the column ``window``, which must be there."""
    name = resolved(frame, ["window"])[0]
    found = frame.schema[name].dataType
    if not isinstance(found, StructType) or not {"start", "end"} <= set(found.names):
        raise PySparkValueError(
            message=f"column '{name}' must be a struct with start and end, not "
            f"{found.simpleString().upper()}"
        )
    return time_type("window.start", found["start"].dataType)


def window_bounds(kind: DataType) -> list[Column]:
    """Four columns, for :func:`window_of`; ``kind`` is the :func:`window_type`."""
    bounds = [F.col("window.start"), F.col("window.end")]
    # Two windows of TIMESTAMP_NTZ are the same if their clocks show the same.
    exact = isinstance(kind, TimestampType)
    return [
        *(bound.cast("timestamp_ntz") for bound in bounds),
        *(F.unix_micros(bound) if exact else F.lit(None).cast("bigint") for bound in bounds),
    ]


def window_of(bounds: Iterable[Any]) -> Window:
    """The window of a row of :func:`window_bounds`."""
    start, end, begin, until = bounds
    return Window(
        begin=micros(start) if begin is None else begin,
        until=micros(end) if until is None else until,
        start=start,
        end=end,
    )


def one_length(windows: Collection[Window]) -> None:
    """Refuse windows of several lengths, in one line."""
    lengths = sorted({window.until - window.begin for window in windows})
    if len(lengths) > 1:
        shown = ", ".join(str(length * MICROSECOND) for length in lengths[:3])
        more = ", ..." if len(lengths) > 3 else ""
        raise PySparkValueError(
            message=f"the windows are of {len(lengths)} lengths ({shown}{more}): keep one length"
        )
