"""The pairs to ask for, and the marked vertices, as the Scala side takes them."""

import numbers
from array import array
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeAlias

from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.types import (
    CharType,
    LongType,
    StringType,
    StructField,
    StructType,
    VarcharType,
)

from pyspark_bic._arguments import is_pandas, is_series, plain, shown, wrong
from pyspark_bic._connect import is_remote
from pyspark_bic._frames import folding, require
from pyspark_bic._jvm import python_api


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


def vertices(name: str, edges: DataFrame, src: str, value: Any) -> Any:
    """``value`` as it is if it is a DataFrame, else the table of its items.

    The items are checked against the edges' ids. In a classic session the table is one of the JVM.
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
            return edges.sparkSession.createDataFrame(value)
        each = [value[column].tolist() for column in columns]
        value = each[0] if len(each) == 1 else list(zip(*each, strict=True))
    if hasattr(value, "__array__") and hasattr(value, "tolist"):
        value = value.tolist()
    if not is_series(value):
        raise PySparkTypeError(message=wrong(name, expected, value))
    listed = list(value)
    of_strings = _ids_are_strings(edges, src)
    of_pairs = len(columns) == 2
    ids = _plain_ids(listed, of_pairs, str if of_strings else int)
    if ids is None:
        rows = [
            _pair(f"{name}[{position}]", item) if of_pairs else (item,)
            for position, item in enumerate(listed)
        ]
        if of_strings is None:  # No such column: the JVM says so, whatever the ids are.
            of_strings = bool(rows) and isinstance(rows[0][0], str)
        ids = [
            _id(f"{name}[{position}]", listed[position], each, src, of_strings, items)
            for position, row in enumerate(rows)
            for each in row
        ]
    return _table(edges.sparkSession, columns, ids, of_strings)


def _table(spark: SparkSession, columns: list[str], ids: list[Any], of_strings: bool | None) -> Any:
    """The table of ids that come row after row."""
    if is_remote(spark):
        kind = StringType() if of_strings else LongType()
        schema = StructType([StructField(column, kind) for column in columns])
        return spark.createDataFrame(list(zip(*[iter(ids)] * len(columns), strict=True)), schema)
    # In two buffers, since py4j makes an object of each item of a list.
    texts = [each.encode() for each in ids] if of_strings else []
    packed = array("q", map(len, texts) if of_strings else ids).tobytes()
    text = b"".join(texts) if of_strings else None
    return python_api(spark).vertices(columns, packed, text)


def _plain_ids(listed: list[Any], of_pairs: bool, kind: type) -> list[Any] | None:
    """The ids, if these are ids of that very type, or tuples and lists of two such ids.

    It takes a tenth of the time of the checks that name a wrong item.
    """
    if of_pairs and not (set(map(type, listed)) <= {tuple, list} and set(map(len, listed)) == {2}):
        return None
    ids = list(chain.from_iterable(listed)) if of_pairs else listed
    if set(map(type, ids)) != {kind}:
        return None
    return ids if kind is str or (min(ids) >= _SMALLEST and max(ids) <= _LARGEST) else None


def _ids_are_strings(edges: DataFrame, src: str) -> bool | None:
    """Whether column ``src`` holds strings; None where there is no such column."""
    fold = folding(edges)
    same = [field for field in edges.schema.fields if fold(field.name) == fold(src)]
    if not same:
        return None
    exact = [field for field in same if field.name == src]
    return isinstance((exact or same)[0].dataType, StringType | CharType | VarcharType)


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


def _id(
    place: str, item: object, vertex: object, src: str, of_strings: bool, items: str
) -> int | str:
    if of_strings and isinstance(vertex, str):
        return plain(vertex)
    if of_strings or isinstance(vertex, bool) or not isinstance(vertex, numbers.Integral):
        holds, wanted = ("holds", "str") if of_strings else ("does not hold", "int")
        raise PySparkTypeError(
            message=f"{place} is {shown(item)}, but column '{src}' {holds} strings: give {items} "
            f"of {wanted}"
        )
    number = int(vertex)
    if not _SMALLEST <= number <= _LARGEST:
        raise PySparkValueError(
            message=f"{place} holds {number}, which does not fit in 64 bits: vertex ids lie "
            f"between {_SMALLEST} and {_LARGEST}"
        )
    return number
