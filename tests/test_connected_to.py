"""Vertices that are connected to a marked one: what the lists of all questions do not show."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pyspark.errors import AnalysisException, PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from oracle import Edge
from pyspark_bic import bic_connected_to, bic_largest_components, metrics
from tables import streamed_edges, write_batches

WINDOW = "1 hour"
MINUTE = 60 * 1_000_000
MARKED: list[Callable[..., DataFrame]] = [bic_connected_to, bic_largest_components]
BOTH = pytest.mark.both("marks arrive in two ways")
REFUSED = (AnalysisException, PySparkTypeError, PySparkValueError)


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    rows = [(1, 2, 0, "eu"), (2, 3, 10, "eu"), (7, 8, 20, "eu"), (3, 9, 30, "us")]
    frame = spark.createDataFrame(rows, "src long, dst long, at long, region string")
    return frame.withColumn("time", F.timestamp_seconds(F.col("at") * 60)).drop("at")


def found(answers: DataFrame) -> list[tuple[Any, ...]]:
    minutes = (F.unix_timestamp("since") / 60).cast("int")
    rows = answers.select("vertex", "marked", minutes).collect()
    return sorted(tuple(row) for row in rows)


ALL = [(1, 2, 0), (2, 2, 0), (3, 2, 0), (7, 7, 0), (8, 7, 0), (9, 2, 0)]


@BOTH
@pytest.mark.parametrize(
    "marked",
    [
        [2, 7, 5, 2],
        {2, 7},
        np.array([7, 2]),
        pd.Series([2, 7], name="any"),
        pd.DataFrame({"vertex": [2, 7]}),
        iter((2, 7)),
    ],
    ids=["list", "set", "NumPy", "series", "pandas", "iterator"],
)
def test_ways_to_give_marked_vertices(edges: DataFrame, marked: Any) -> None:
    assert found(bic_connected_to(edges, WINDOW, None, marked)) == ALL


@BOTH
def test_marked_vertices_of_each_graph(spark: SparkSession, edges: DataFrame) -> None:
    own = spark.createDataFrame([("us", 3), ("eu", 8), ("asia", 1)], "region string, vertex int")
    answers = bic_connected_to(edges, WINDOW, marked=own, by="region")
    assert answers.columns == ["region", "window", "vertex", "marked", "since"]
    assert found(answers) == [(3, 3, 0), (7, 8, 0), (8, 8, 0), (9, 3, 0)]
    twin = getattr(edges, "bic_connected_to")  # noqa: B009
    assert found(twin(WINDOW, marked=[3], by="region")) == [
        *[(1, 3, 0), (2, 3, 0)],
        *[(3, 3, 0), (3, 3, 0), (9, 3, 0)],
    ]


def test_largest_components_with_marked_vertices(spark: SparkSession, edges: DataFrame) -> None:
    own = spark.createDataFrame([("us", 3), ("eu", 8), ("asia", 1)], "region string, vertex int")
    answers = bic_largest_components(edges, WINDOW, marked=own, by="region").drop("window")
    assert sorted(map(tuple, answers.collect())) == [("eu", 7, 2, 1), ("us", 3, 2, 1)]


@BOTH
def test_marks_that_no_edge_can_have(edges: DataFrame) -> None:
    small = edges.withColumns({name: F.col(name).cast("int") for name in ("src", "dst")})
    answers = bic_connected_to(small, WINDOW, marked=[2, 2**40])
    assert answers.schema["marked"].dataType.simpleString() == "int"
    assert {vertex for vertex, _, _ in found(answers)} == {1, 2, 3, 9}


@BOTH
@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ([], "marked vertices are empty; give at least one vertex"),
        (None, "marked is missing: give vertices or a static DataFrame with the column vertex"),
        (
            "ab",
            "marked must be vertices or a static DataFrame with the column vertex, not 'ab' (str)",
        ),
        (7, "marked must be vertices or a static DataFrame with the column vertex, not 7 (int)"),
        ([1, "b"], "marked[1] is 'b': give vertices of int alone, or of str alone"),
        ([(1, 2)], "marked[0] is (1, 2): give vertices of int alone, or of str alone"),
        (
            [1, 2**63],
            f"marked[1] holds {2**63}, which does not fit in 64 bits: vertex ids lie between "
            f"{-(2**63)} and {2**63 - 1}",
        ),
        (pd.DataFrame({"mule": [1]}), "there is no column 'vertex', only mule"),
    ],
)
def test_no_vertices(edges: DataFrame, marked: Any, text: str) -> None:
    for function in MARKED[: 1 if marked is None else 2]:
        with pytest.raises(REFUSED) as caught:
            function(edges, WINDOW, marked=marked)
        assert str(caught.value).removeprefix("[BIC_INVALID_ARGUMENT] ") == text


def test_in_sql(spark: SparkSession, edges: DataFrame) -> None:
    edges.createOrReplaceTempView("connected_edges")
    spark.createDataFrame([(2,), (7,)], "vertex long").createOrReplaceTempView("mules")
    for marked in ("TABLE(mules)", "array(7, 2S, 2L)", "TABLE(SELECT vertex FROM mules)"):
        statement = f"bic_connected_to(TABLE(connected_edges), '1 hour', marked => {marked})"
        assert found(spark.sql(f"SELECT * FROM {statement}")) == ALL
    with pytest.raises(AnalysisException) as caught:
        spark.sql(f"SELECT * FROM {statement.replace(marked, 'array((1, 2))')}")
    assert (
        "takes marked as TABLE(…) with the column vertex, or as an array of vertices such as "
        "array(1, 9), not array((1, 2))"
    ) in str(caught.value)


@pytest.mark.parametrize(
    "in_sql",
    [pytest.param(False, marks=pytest.mark.connect("classic sessions ask in SQL")), True],
    ids=["method", "SQL"],
)
def test_a_table_of_marks_that_changes(spark: SparkSession, tmp_path: Path, in_sql: bool) -> None:
    table = str(tmp_path / "mules")

    def write(vertex: int) -> None:
        spark.createDataFrame([(vertex,)], "vertex long").write.mode("overwrite").parquet(table)

    write(1)
    (tmp_path / "in").mkdir()
    stream = streamed_edges(spark, tmp_path / "in", 0)
    spark.read.parquet(table).createOrReplaceTempView("refreshed_mules")
    stream.createOrReplaceTempView("refreshed_edges")
    answers = (
        spark.sql(
            "SELECT * FROM bic_connected_to(TABLE(refreshed_edges), INTERVAL 1 MINUTE, marked => "
            "TABLE(refreshed_mules), refresh => INTERVAL 1 MILLISECOND)"
        )
        if in_sql
        else bic_connected_to(
            stream,
            "1 minute",
            marked=spark.read.parquet(table),
            refresh=timedelta(milliseconds=1),
        )
    )
    query = (
        answers.writeStream.format("parquet")
        .option("path", str(tmp_path / "out"))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .start()
    )
    try:
        for number, vertex in enumerate((1, 3, 3)):
            write(vertex)
            edges = [Edge(1, 2, number * MINUTE), Edge(3, 4, number * MINUTE)]
            # The second file comes behind the watermark of the first.
            write_batches(tmp_path / "in", [edges, edges], 2 * number)
            while metrics(query).edges < 4 * (number + 1):
                assert query.exception() is None
                sleep(0.05)
        counts = metrics(query)
    finally:
        query.stop()
    assert counts.asked == 1 and counts.read_at is not None
    minutes = (F.unix_timestamp("window.start") / 60).cast("int").alias("start")
    rows = spark.read.parquet(str(tmp_path / "out")).select(minutes, "vertex", "marked").collect()
    assert sorted(map(tuple, rows)) == [(0, 3, 3), (0, 4, 3), (1, 3, 3), (1, 4, 3)]


@BOTH
def test_refresh_of_what_never_changes(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    stream = streamed_edges(spark, tmp_path / "in", 0)
    lists: list[Any] = [[1], pd.DataFrame({"vertex": [1]}), np.array([1])]
    lists += [spark.createDataFrame([(1,)], "vertex long"), spark.range(1).toDF("vertex")]
    for marked in lists:
        with pytest.raises(AnalysisException) as caught:
            bic_connected_to(stream, WINDOW, marked=marked, refresh="10 minutes")
        assert "but marked reads no table, so it never changes; give a DataFrame" in str(
            caught.value
        )


@BOTH
@pytest.mark.parametrize("catalog", [False, True], ids=["files", "table"])
def test_a_new_call_reads_a_table_of_marks_that_changed(
    spark: SparkSession,
    edges: DataFrame,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    catalog: bool,
) -> None:
    path = str(tmp_path / "mules")

    def write(vertex: int) -> None:
        writer = spark.createDataFrame([(vertex,)], "vertex long").write.mode("append")
        if catalog:
            writer.option("path", path).saveAsTable("mules")
        else:
            writer.parquet(path)

    def call() -> DataFrame:
        read = spark.table("mules") if catalog else spark.read.parquet(path)
        return bic_connected_to(edges, WINDOW, marked=read)

    def is_cached(answers: DataFrame) -> bool:
        answers.explain()
        return "InMemoryTableScan" in capsys.readouterr().out

    try:
        write(2)
        kept = call().cache()
        assert len(found(kept)) == 4 and is_cached(call())
        write(7)
        assert not is_cached(call()) and found(call()) == ALL
        kept.unpersist()
    finally:
        spark.sql("DROP TABLE IF EXISTS mules")
