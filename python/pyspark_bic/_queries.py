"""The pairs to ask for, as the Scala side takes them."""

import numbers
from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

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

_EXPECTED = "pairs (source, target) or a static DataFrame with these columns"
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


def asked(edges: DataFrame, src: str, queries: object) -> DataFrame | list[tuple[object, object]]:
    """``queries`` as it is if it is a DataFrame, else its pairs, checked against the edges' ids."""
    if isinstance(queries, DataFrame):
        return queries
    if queries is None:
        raise PySparkValueError(message=f"queries is missing: give {_EXPECTED}")
    if is_pandas(queries):
        return _of_pandas(edges, src, queries)
    if hasattr(queries, "__array__") and hasattr(queries, "tolist"):
        queries = queries.tolist()
    if not is_series(queries):
        raise PySparkTypeError(message=wrong("queries", _EXPECTED, queries))
    pairs = [_pair(position, pair) for position, pair in enumerate(queries)]
    of_strings = _ids_are_strings(edges, src)
    if of_strings is None:  # No such column: the JVM says so, whatever the pairs hold.
        of_strings = bool(pairs) and isinstance(pairs[0][0], str)
    return [_row(position, pair, src, of_strings) for position, pair in enumerate(pairs)]


def pairs_frame(spark: SparkSession, pairs: list[tuple[object, object]]) -> DataFrame:
    """``pairs`` as a DataFrame ``(source, target)``."""
    id_type = StringType() if pairs and isinstance(pairs[0][0], str) else LongType()
    schema = StructType([StructField("source", id_type), StructField("target", id_type)])
    return spark.createDataFrame(pairs, schema)


def _of_pandas(edges: DataFrame, src: str, queries: Any) -> DataFrame | list[tuple[object, object]]:
    """The pairs of a DataFrame of pandas; as a DataFrame of Spark if it has further columns."""
    if hasattr(queries, "to_spark"):
        return asked(edges, src, queries.to_spark())
    held = [str(name) for name in queries.columns]
    require(held, ["source", "target"])
    if len(held) > 2:
        return edges.sparkSession.createDataFrame(queries)
    pairs = zip(queries["source"].tolist(), queries["target"].tolist(), strict=True)
    return asked(edges, src, list(pairs))


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
    source, target = pair
    if of_strings:
        return _string(position, pair, source, src), _string(position, pair, target, src)
    return _integer(position, pair, source, src), _integer(position, pair, target, src)


def _string(position: int, pair: tuple[object, object], vertex: object, src: str) -> str:
    if isinstance(vertex, str):
        return plain(vertex)
    raise PySparkTypeError(
        message=f"queries[{position}] is {shown(pair)}, but column '{src}' holds strings: "
        "give pairs of str"
    )


def _integer(position: int, pair: tuple[object, object], vertex: object, src: str) -> int:
    if isinstance(vertex, bool) or not isinstance(vertex, numbers.Integral):
        raise PySparkTypeError(
            message=f"queries[{position}] is {shown(pair)}, but column '{src}' does not "
            "hold strings: give pairs of int"
        )
    number = int(vertex)
    if not _SMALLEST <= number <= _LARGEST:
        raise PySparkValueError(
            message=f"queries[{position}] holds {number}, which does not fit in 64 bits: vertex "
            f"ids lie between {_SMALLEST} and {_LARGEST}"
        )
    return number
