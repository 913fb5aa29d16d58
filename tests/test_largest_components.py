"""The largest components, from Python: the schema, a stream, and what is refused."""

from collections import Counter
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from pyspark.errors import AnalysisException, PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, SparkSession

import oracle
from oracle import Answer, Edge, Windows
from pyspark_bic import bic_largest_components
from tables import run_to_end, static_edges, streamed_edges, write_batches

SECOND = 1_000_000
WINDOWS = Windows(10 * SECOND, 5 * SECOND)
EDGES = [
    *(Edge(5, 6, 0), Edge(1, 2, SECOND), Edge(3, 4, 4 * SECOND), Edge(8, 8, 4 * SECOND)),
    *(Edge(6, 7, 6 * SECOND), Edge(4, 9, 12 * SECOND), Edge(9, 9, 13 * SECOND)),
]


def collected(found: DataFrame) -> Counter[Answer]:
    start = "unix_micros(window.start)"
    rows = found.selectExpr(start, "component", "size", "members").collect()
    return Counter((*row[:3], tuple(row[3])) for row in rows)


def expected(top: int) -> Counter[Answer]:
    return Counter(
        (start, *row)
        for (_, start), held in oracle.inside_windows(EDGES, WINDOWS).items()
        for row in oracle.largest(held, top)
    )


def test_schema_and_rows(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES)
    found = cast(Any, edges).bicLargestComponents(
        "10 seconds", "5 seconds", top=np.int64(2), members=True
    )
    assert found.schema.simpleString() == (
        "struct<window:struct<start:timestamp,end:timestamp>,component:bigint,size:bigint,"
        "members:array<bigint>>"
    )
    assert collected(found) == expected(2)
    assert bic_largest_components(edges, "1 hour").columns == ["window", "component", "size"]


def test_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    flush = Edge(0, 0, 1000 * SECOND)
    write_batches(tmp_path / "in", [EDGES[:3], EDGES[3:], [flush], [flush]])
    edges = streamed_edges(spark, tmp_path / "in", delay=0)
    found = bic_largest_components(edges, "10 seconds", "5 seconds", top=1, members=True)
    run_to_end(found, tmp_path / "out", tmp_path / "checkpoint")
    assert collected(spark.read.parquet(str(tmp_path / "out"))) == expected(1)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"top": 0}, AnalysisException, "top must be at least 1, but it is 0"),
        ({"top": "3"}, PySparkTypeError, "top must be an int, not '3' (str)"),
        ({"top": True}, PySparkTypeError, "top must be an int, not True (bool)"),
        ({"top": 2**63}, PySparkValueError, f"top must fit in 64 bits, but it is {2**63}"),
        ({"min_size": 0}, AnalysisException, "min_size must be at least 1, but it is 0"),
        ({"members": 1}, PySparkTypeError, "members must be a bool, not 1 (int)"),
    ],
)
def test_what_is_refused(
    spark: SparkSession, arguments: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error) as refused:
        bic_largest_components(static_edges(spark, EDGES), "1 hour", **arguments)
    assert text in str(refused.value)
