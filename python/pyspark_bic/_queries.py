"""The pairs to ask for, and the marked vertices, as the Scala side takes them."""

import json
import numbers
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeAlias

from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, Row, SparkSession

from pyspark_bic._arguments import is_pandas, is_series, plain, shown, wrong
from pyspark_bic._frames import require


class Table(Protocol):
    """A DataFrame of pandas, or an array of NumPy: neither need be installed."""

    def __array__(self) -> Any: ...


Queries: TypeAlias = DataFrame | Iterable[tuple[int, int]] | Iterable[tuple[str, str]] | Table
Marked: TypeAlias = DataFrame | Iterable[int] | Iterable[str] | Table


class _Vertices(NamedTuple):
    """A parameter that takes vertices: what it may be, what its items are, and their columns."""

    expected: str
    items: str
    columns: list[str]


VERTICES = {
    "queries": _Vertices(
        "pairs (source, target) or a static DataFrame with these columns",
        "pairs",
        ["source", "target"],
    ),
    "marked": _Vertices(
        "vertices or a static DataFrame with the column vertex", "vertices", ["vertex"]
    ),
}
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


def vertices(name: str, spark: SparkSession, value: Any) -> Any:
    """``value`` as it is if it is a DataFrame, else its ids in JSON, one pair after the other.

    The ids are all int or all str; Scala compares that with the ids of the edges. A list in one
    text is no object of Py4J, and no expression of Spark's, for each of its vertices.
    """
    expected, items, columns = VERTICES[name]
    if isinstance(value, DataFrame):
        return value
    if value is None:
        raise PySparkValueError(message=f"{name} is missing: give {expected}")
    if is_pandas(value):
        if hasattr(value, "to_spark"):
            return value.to_spark()
        held = [str(column) for column in value.columns]
        require(held, columns)
        if len(held) > len(columns):
            return spark.createDataFrame(value)
        each = [value[column].tolist() for column in columns]
        value = each[0] if len(each) == 1 else list(zip(*each, strict=True))
    if hasattr(value, "__array__") and hasattr(value, "tolist"):
        value = value.tolist()
    if not is_series(value):
        raise PySparkTypeError(message=wrong(name, expected, value))
    listed = list(value)
    of_pairs = len(columns) == 2
    ids = _plain_ids(listed, of_pairs) if listed else []
    if ids is None:
        places = [f"{name}[{position}]" for position in range(len(listed))]
        rows = list(map(_pair, places, listed)) if of_pairs else [(item,) for item in listed]
        kind = str if isinstance(rows[0][0], str) else numbers.Integral
        ids = [
            _id(place, item, each, kind, items)
            for place, item, row in zip(places, listed, rows, strict=True)
            for each in row
        ]
    packed = json.dumps(ids, ensure_ascii=False)
    # Half of a surrogate pair is refused here: the JVM would read another text.
    packed.encode()
    return packed


def _plain_ids(listed: list[Any], of_pairs: bool) -> list[Any] | None:
    """The ids, if all are int or all are str, or tuples and lists of two such ids.

    It takes a tenth of the time of the checks that name a wrong item.
    """
    if of_pairs and not (set(map(type, listed)) <= {tuple, list} and set(map(len, listed)) == {2}):
        return None
    ids = list(chain.from_iterable(listed)) if of_pairs else listed
    kinds = set(map(type, ids))
    if kinds == {int} and min(ids) >= _SMALLEST and max(ids) <= _LARGEST:
        return ids
    return ids if kinds == {str} else None


def _pair(place: str, pair: object) -> tuple[object, ...]:
    if not isinstance(pair, tuple | list):
        raise PySparkTypeError(message=wrong(place, "a pair (source, target)", pair))
    if len(pair) != 2:
        raise PySparkValueError(
            message=f"{place} must be a pair (source, target), not {shown(pair)}, which holds "
            f"{len(pair)}"
        )
    # A Row or a named tuple may name its fields in another order.
    fields = list(getattr(pair, "__fields__" if isinstance(pair, Row) else "_fields", ()))
    first = fields.index("source") if set(fields) == {"source", "target"} else 0
    return pair[first], pair[1 - first]


def _id(place: str, item: object, vertex: Any, kind: Any, items: str) -> int | str:
    if isinstance(vertex, bool) or not isinstance(vertex, kind):
        raise PySparkTypeError(
            message=f"{place} is {shown(item)}: give {items} of int alone, or of str alone"
        )
    if isinstance(vertex, str):
        return plain(vertex)
    number = int(vertex)
    if not _SMALLEST <= number <= _LARGEST:
        raise PySparkValueError(
            message=f"{place} holds {number}, which does not fit in 64 bits: vertex ids lie "
            f"between {_SMALLEST} and {_LARGEST}"
        )
    return number
