"""Components and their statistics, from Python: their schemas, and what is refused."""

from collections import Counter
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from pyspark.errors import AnalysisException, PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, SparkSession

from oracle import Edge
from pyspark_bic import bic_component_stats, bic_components
from tables import run_to_end, said, static_edges, streamed_edges, write_batches

Rows = Counter[tuple[object, ...]]


def rows(frame: DataFrame, *columns: str) -> Rows:
    return Counter(tuple(row) for row in frame.select(*(columns or frame.columns)).collect())


SECOND = 1_000_000
EDGES = [Edge(1, 2, 0), Edge(3, 2, 4 * SECOND), Edge(7, 7, 5 * SECOND), Edge(8, 9, 6 * SECOND)]


def test_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    flush = Edge(0, 0, 1000 * SECOND)
    write_batches(tmp_path / "in", [EDGES[:2], EDGES[2:], [flush], [flush]])
    edges = streamed_edges(spark, tmp_path / "in", delay=0)
    found = cast(Any, edges).bicComponents("10 seconds", min_size=2)
    run_to_end(found, tmp_path / "out", tmp_path / "checkpoint")
    stored = spark.read.parquet(str(tmp_path / "out"))
    assert rows(stored, "vertex", "component") == Counter([(1, 1), (2, 1), (3, 1), (8, 8), (9, 8)])


def test_methods_and_schemas(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES)
    found = cast(Any, edges).bicComponents("10 seconds", min_size=np.int64(3))
    assert found.schema.fieldNames() == ["window", "vertex", "component"]
    assert rows(found, "vertex", "component") == Counter([(1, 1), (2, 1), (3, 1)])
    counted = cast(Any, edges).bicComponentStats("10 seconds", "10 seconds")
    assert counted.schema.fieldNames() == ["window", "vertices", "edges", "components", "largest"]
    assert rows(counted, "vertices", "edges", "components", "largest") == Counter([(6, 4, 3, 3)])
    sizes = bic_component_stats(edges, "10 seconds", sizes=True).select("sizes").collect()
    assert [[tuple(each) for each in row.sizes] for row in sizes] == [[(1, 1), (2, 1), (3, 1)]]


@pytest.mark.parametrize(
    ("min_size", "error", "text"),
    [
        (0, AnalysisException, "min_size must be at least 1, but it is 0"),
        ("3", PySparkTypeError, "min_size must be an int, not '3' (str)"),
        (-(2**70), PySparkValueError, f"min_size must fit in 64 bits, but it is {-(2**70)}"),
        (True, PySparkTypeError, "min_size must be an int, not True (bool)"),
        (2**63, PySparkValueError, f"min_size must fit in 64 bits, but it is {2**63}"),
    ],
)
def test_min_size_must_be_positive(
    spark: SparkSession, min_size: Any, error: type[Exception], text: str
) -> None:
    with pytest.raises(error) as refused:
        bic_components(static_edges(spark, EDGES), "1 hour", min_size=min_size)
    assert text in str(refused.value)


def test_names_that_live(spark: SparkSession) -> None:
    edges = static_edges(
        spark, [Edge(1, 2, 0), Edge(2, 3, 0), Edge(2, 3, SECOND), Edge(1, 1, 3 * SECOND)]
    )
    found = cast(Any, edges).bicComponents("1 second", updates_only=True, stable=True)
    assert found.schema.simpleString() == (
        "struct<window:struct<start:timestamp,end:timestamp>,"
        "vertex:bigint,component:bigint,born:timestamp>"
    )
    columns = ["unix_seconds(window.start)", "vertex", "component", "unix_seconds(born)"]
    shown = found.selectExpr(*columns)
    assert rows(shown.toDF("start", "vertex", "component", "born")) == Counter(
        [
            *((0, vertex, 1, 1) for vertex in (1, 2, 3)),
            (1, 1, None, None),
            *((2, vertex, None, None) for vertex in (2, 3)),
            (3, 1, 1, 4),
            (4, 1, None, None),
        ]
    )


@pytest.mark.parametrize("option", ["updates_only", "stable"])
def test_options_of_updates_and_names(spark: SparkSession, option: str) -> None:
    edges: Any = static_edges(spark, EDGES)
    with pytest.raises(AnalysisException) as refused:
        edges.bicComponents(["1 hour", "2 hours"], "1 hour", **{option: True})
    assert said(refused.value) == (
        "window must be a single length where each window is compared with the window before, not "
        "'1 hour', '2 hours'; call once for each length"
    )
    with pytest.raises(PySparkTypeError) as wrong:
        edges.bicComponents("1 hour", **{option: 1})
    assert str(wrong.value) == f"{option} must be a bool, not 1 (int)"
