"""Checks of argument types that Python can make before the JVM is asked."""

import reprlib
from collections.abc import Iterable
from datetime import timedelta
from typing import TypeAlias, TypeGuard

import pyspark
from pyspark.errors import PySparkTypeError
from pyspark.sql import Column, DataFrame

Duration: TypeAlias = str | timedelta
"""A length of time: a text such as ``"1 hour"``, or a :class:`datetime.timedelta`."""

_shortened = reprlib.Repr()
_shortened.maxstring = _shortened.maxlong = _shortened.maxother = 80


def shown(value: object) -> str:
    """``value`` as an error shows it: never longer than a few lines."""
    return _shortened.repr(value)


def wrong(name: str, expected: str, value: object) -> str:
    """The text for an argument of a wrong type."""
    return f"{name} must be {expected}, not {shown(value)} ({type(value).__name__})"


def text(name: str, value: object, expected: str) -> str:
    """``value``, which must be a str."""
    if not isinstance(value, str):
        raise PySparkTypeError(message=wrong(name, expected, value))
    return plain(value)


def plain(value: str) -> str:
    """``value`` without a class of its own: a member of an enumeration shows itself as its name."""
    return str.__str__(value)


def spark_frame(name: str, value: object) -> DataFrame:
    """``value``, which must be a DataFrame of Spark's."""
    refuse_pandas(name, value)
    # Only since Spark 4.0 is a frame of a Connect client a DataFrame as well.
    if not isinstance(value, DataFrame) and "pyspark.sql.connect." in type(value).__module__ + ".":
        raise PySparkTypeError(
            message=f"{name} belongs to a Spark Connect session, which needs Spark 4.0 or later, "
            f"but PySpark is {pyspark.__version__}: use a classic session"
        )
    if not isinstance(value, DataFrame):
        raise PySparkTypeError(message=wrong(name, "a Spark DataFrame", value))
    return value


def refuse_pandas(name: str, value: object) -> None:
    """Refuse a DataFrame of pandas, and say how to make a DataFrame of Spark of it."""
    if is_pandas(value):
        way = "{}.to_spark()" if hasattr(value, "to_spark") else "spark.createDataFrame({})"
        raise PySparkTypeError(
            message=f"{name} must be a Spark DataFrame, not one of pandas: give {way.format(name)}"
        )


def is_pandas(value: object) -> bool:
    """Whether ``value`` is a DataFrame of pandas, of its subclasses or of pandas on Spark."""
    return any(
        kind.__name__ == "DataFrame" and "pandas" in kind.__module__.split(".")
        for kind in type(value).__mro__
    )


_DURATION = "a duration such as '1 hour' or timedelta(hours=1)"


def duration(name: str, value: object) -> str:
    """``value``, a timedelta or the text of a duration, as a text, which Spark itself checks."""
    if isinstance(value, timedelta):
        return f"{value // timedelta(microseconds=1)} microseconds"
    return text(name, value, _DURATION)


def is_series(value: object) -> TypeGuard[Iterable[object]]:
    """Whether ``value`` can be taken item by item; a Column looks so, and a text is one item."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | dict | Column)


def durations(name: str, value: object) -> list[str]:
    """``value`` as a list of texts of durations: a str or a timedelta is one."""
    if isinstance(value, str | timedelta):
        return [duration(name, value)]
    if not is_series(value):
        raise PySparkTypeError(message=wrong(name, f"{_DURATION}, or a list of these", value))
    return [duration(f"{name}[{position}]", item) for position, item in enumerate(value)]


def column(name: str, value: object) -> str:
    """``value``, which must be the name of a column."""
    return text(name, value, "a column name")


def names(name: str, value: object) -> list[str]:
    """``value`` as a list of str, in its order; None is the empty list, a str is a list of one."""
    if value is None:
        return []
    if isinstance(value, str):
        return [plain(value)]
    # The order of a set of str differs from process to process.
    if not is_series(value) or isinstance(value, set | frozenset):
        raise PySparkTypeError(message=wrong(name, "a str or a list of str", value))
    return [text(f"{name}[{position}]", item, "a str") for position, item in enumerate(value)]
