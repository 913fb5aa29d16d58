"""The pairs to ask for, and the marked vertices, as the Scala side takes them."""

import numbers
from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias, cast

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
from pyspark_bic._frames import folding, require


class Table(Protocol):
    """A DataFrame of pandas, or an array of NumPy: neither need be installed."""

    def __array__(self) -> Any: ...


Queries: TypeAlias = DataFrame | Iterable[tuple[int, int]] | Iterable[tuple[str, str]] | Table
Marked: TypeAlias = DataFrame | Iterable[int] | Iterable[str] | Table

_EXPECTED = "pairs (source, target) or a static DataFrame with these columns"
_MARKED = "vertices or a static DataFrame with the column vertex"
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


def asked(edges: DataFrame, src: str, queries: object) -> DataFrame | list[tuple[object, object]]:
    """``queries`` as it is if it is a DataFrame, else its pairs, checked against the edges' ids."""
    if isinstance(queries, DataFrame):
        return queries
    if queries is None:
        raise PySparkValueError(message=f"queries is missing: give {_EXPECTED}")
    if is_pandas(queries):
        listed = _of_pandas(edges, queries, ["source", "target"])
        if isinstance(listed, DataFrame):
            return listed
        queries = listed
    if hasattr(queries, "__array__") and hasattr(queries, "tolist"):
        queries = queries.tolist()
    if not is_series(queries):
        raise PySparkTypeError(message=wrong("queries", _EXPECTED, queries))
    pairs = [_pair(position, pair) for position, pair in enumerate(queries)]
    of_strings = _ids_are_strings(edges, src)
    if of_strings is None:  # No such column: the JVM says so, whatever the pairs hold.
        of_strings = bool(pairs) and isinstance(pairs[0][0], str)
    return [_row(position, pair, src, of_strings) for position, pair in enumerate(pairs)]


def marked_vertices(edges: DataFrame, src: str, marked: object) -> DataFrame | list[object]:
    """``marked`` as it is if it is a DataFrame, else its vertices, checked like the pairs."""
    if isinstance(marked, DataFrame):
        return marked
    if marked is None:
        raise PySparkValueError(message=f"marked is missing: give {_MARKED}")
    if is_pandas(marked):
        listed = _of_pandas(edges, marked, ["vertex"])
        if isinstance(listed, DataFrame):
            return listed
        marked = [vertex for (vertex,) in listed]
    if hasattr(marked, "__array__") and hasattr(marked, "tolist"):
        marked = marked.tolist()
    if not is_series(marked):
        raise PySparkTypeError(message=wrong("marked", _MARKED, marked))
    vertices = list(marked)
    of_strings = _ids_are_strings(edges, src)
    if of_strings is None:
        of_strings = bool(vertices) and isinstance(vertices[0], str)
    check = _string if of_strings else _integer
    return [
        check(f"marked[{position}]", vertex, vertex, src, "vertices")
        for position, vertex in enumerate(vertices)
    ]


def vertices_frame(spark: SparkSession, name: str, rows: list[Any]) -> DataFrame:
    """Pairs as a DataFrame ``(source, target)``, or marked vertices as a DataFrame ``(vertex)``."""
    columns = ["source", "target"] if name == "queries" else ["vertex"]
    tuples = rows if name == "queries" else [(vertex,) for vertex in rows]
    id_type = StringType() if tuples and isinstance(tuples[0][0], str) else LongType()
    return spark.createDataFrame(tuples, StructType([StructField(c, id_type) for c in columns]))


def _of_pandas(
    edges: DataFrame, frame: Any, columns: list[str]
) -> DataFrame | list[tuple[object, ...]]:
    """The rows of a DataFrame of pandas; as a DataFrame of Spark if it has further columns."""
    if hasattr(frame, "to_spark"):
        return cast(DataFrame, frame.to_spark())
    held = [str(name) for name in frame.columns]
    require(held, columns)
    if len(held) > len(columns):
        return edges.sparkSession.createDataFrame(frame)
    return list(zip(*(frame[column].tolist() for column in columns), strict=True))


def _ids_are_strings(edges: DataFrame, src: str) -> bool | None:
    """Whether column ``src`` holds strings; None where there is no such column."""
    fold = folding(edges)
    same = [field for field in edges.schema.fields if fold(field.name) == fold(src)]
    if not same:
        return None
    exact = [field for field in same if field.name == src]
    return isinstance((exact or same)[0].dataType, StringType | CharType | VarcharType)


def _pair(position: int, pair: object) -> tuple[object, object]:
    if not isinstance(pair, tuple | list):
        raise PySparkTypeError(
            message=wrong(f"queries[{position}]", "a pair (source, target)", pair)
        )
    if len(pair) != 2:
        raise PySparkValueError(
            message=f"queries[{position}] must be a pair (source, target), "
            f"not {shown(pair)}, which holds {len(pair)}"
        )
    # A Row or a named tuple may name its fields in another order.
    fields = list(getattr(pair, "__fields__" if isinstance(pair, Row) else "_fields", ()))
    first = fields.index("source") if set(fields) == {"source", "target"} else 0
    return pair[first], pair[1 - first]


def _row(
    position: int, pair: tuple[object, object], src: str, of_strings: bool
) -> tuple[object, object]:
    check = _string if of_strings else _integer
    source, target = (check(f"queries[{position}]", pair, vertex, src, "pairs") for vertex in pair)
    return source, target


def _string(place: str, item: object, vertex: object, src: str, items: str) -> str:
    if isinstance(vertex, str):
        return plain(vertex)
    raise PySparkTypeError(
        message=f"{place} is {shown(item)}, but column '{src}' holds strings: give {items} of str"
    )


def _integer(place: str, item: object, vertex: object, src: str, items: str) -> int:
    if isinstance(vertex, bool) or not isinstance(vertex, numbers.Integral):
        raise PySparkTypeError(
            message=f"{place} is {shown(item)}, but column '{src}' does not hold strings: "
            f"give {items} of int"
        )
    number = int(vertex)
    if not _SMALLEST <= number <= _LARGEST:
        raise PySparkValueError(
            message=f"{place} holds {number}, which does not fit in 64 bits: vertex "
            f"ids lie between {_SMALLEST} and {_LARGEST}"
        )
    return number
