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


def test_the_latest_pane_that_connects_and_the_smallest_mark(edges: DataFrame) -> None:
    answers = bic_connected_to(edges, WINDOW, "10 minutes", marked=[9, 2, 3])
    whole = answers.where("window.start = timestamp_seconds(0)")
    assert found(whole) == [(1, 2, 0), (2, 2, 10), (3, 3, 30), (9, 3, 30)]


def test_marked_vertices_of_each_graph(spark: SparkSession, edges: DataFrame) -> None:
    own = spark.createDataFrame([("us", 3), ("eu", 8), ("asia", 1)], "region string, vertex int")
    answers = bic_connected_to(edges, WINDOW, marked=own, by="region")
    assert answers.columns == ["region", "window", "vertex", "marked", "since"]
    assert found(answers) == [(3, 3, 0), (7, 8, 0), (8, 8, 0), (9, 3, 0)]
    assert found(bic_connected_to(edges, WINDOW, marked=[3], by="region")) == [
        *[(1, 3, 0), (2, 3, 0)],
        *[(3, 3, 0), (3, 3, 0), (9, 3, 0)],
    ]


def test_largest_components_with_marked_vertices(spark: SparkSession, edges: DataFrame) -> None:
    def largest(frame: DataFrame = edges, **more: Any) -> list[tuple[Any, ...]]:
        answers = bic_largest_components(frame, WINDOW, **more).drop("window")
        return sorted(map(tuple, answers.collect()))

    assert largest(marked=[2, 9, 5, 2], members=True) == [(1, 4, 2, [1, 2, 3, 9])]
    # The larger component has no marked vertex, and does not compete.
    assert largest(marked=[8], top=1) == [(7, 2, 1)]
    assert largest(marked=[5]) == []
    own = spark.createDataFrame([("us", 3), ("eu", 8), ("asia", 1)], "region string, vertex int")
    assert largest(marked=own, by="region") == [("eu", 7, 2, 1), ("us", 3, 2, 1)]
    named = edges.withColumns({name: F.concat(F.lit("v"), name) for name in ("src", "dst")})
    assert largest(named, marked=["v7", "V1"]) == [("v7", 2, 1)]
    table = bic_largest_components(edges.drop("time"), marked=[2, 7])
    assert sorted(map(tuple, table.collect())) == [(1, 4, 1), (7, 2, 1)]


def test_strings(edges: DataFrame) -> None:
    named = edges.withColumns({name: F.concat(F.lit("ü"), name) for name in ("src", "dst")})
    answers = bic_connected_to(named, WINDOW, marked=["ü7", "Ü7", "ü2"])
    assert found(answers) == [(f"ü{vertex}", f"ü{mark}", since) for vertex, mark, since in ALL]


def test_types_of_the_answers(edges: DataFrame) -> None:
    small = edges.withColumns({name: F.col(name).cast("int") for name in ("src", "dst")})
    clock = small.withColumn("time", F.col("time").cast("timestamp_ntz"))
    answers = bic_connected_to(clock, WINDOW, marked=[2, 2**40])
    assert [field.dataType.simpleString() for field in answers.schema][1:] == [
        *("int", "int"),
        "timestamp_ntz",
    ]
    assert {vertex for vertex, _, _ in found(answers)} == {1, 2, 3, 9}


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ([], "marked holds no vertex; give at least one"),
        (None, "marked is missing: give vertices or a static DataFrame with the column vertex"),
        (
            "ab",
            "marked must be vertices or a static DataFrame with the column vertex, not 'ab' (str)",
        ),
        (7, "marked must be vertices or a static DataFrame with the column vertex, not 7 (int)"),
        (
            [1, "b"],
            "marked[1] is 'b', but column 'src' does not hold strings: give vertices of int",
        ),
        (
            [(1, 2)],
            "marked[0] is (1, 2), but column 'src' does not hold strings: give vertices of int",
        ),
        ([True], "marked[0] is True, but column 'src' does not hold strings: give vertices of int"),
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


@pytest.mark.parametrize(
    ("statement", "by", "text"),
    [
        ("SELECT 1L AS mule", None, "marked vertices have no column 'vertex'; there are: mule"),
        (
            "SELECT 1L AS vertex, 'x' AS reason",
            None,
            "marked vertices have a column 'reason', but only vertex is read; leave it out, as "
            'with marked.select("vertex")',
        ),
        (
            "SELECT 1L AS vertex, 'eu' AS region",
            None,
            "marked vertices have a column 'region', but only vertex is read; give it in by too, "
            'for marked vertices of each graph, or leave it out, as with marked.select("vertex")',
        ),
        (
            "SELECT 1L AS vertex, 'eu' AS region",
            ["region", "shard"],
            "marked vertices have the column 'region' of by, but not 'shard'; give all of them, to "
            "ask each graph for its own marked vertices, or none",
        ),
        (
            "SELECT 'a' AS vertex",
            None,
            "marked vertices have 'vertex' (STRING), but the vertices of the edges are integral; "
            "give both the same kind of ids",
        ),
        (
            "SELECT 1.5D AS vertex",
            None,
            "column 'vertex' (DOUBLE) must be of an integral type (BIGINT, INT, SMALLINT, TINYINT) "
            "or STRING; cast it",
        ),
        (
            "SELECT * FROM VALUES (1L), (NULL) AS t(vertex)",
            None,
            "marked vertices hold a null; leave it out, as with marked.dropna()",
        ),
        (
            "SELECT 1L AS vertex WHERE false",
            None,
            "marked holds no vertex; give at least one",
        ),
    ],
)
def test_bad_tables(
    spark: SparkSession, edges: DataFrame, statement: str, by: Any, text: str
) -> None:
    sharded = edges.withColumn("shard", F.lit(1))
    for function in MARKED:
        with pytest.raises(AnalysisException) as caught:
            function(sharded, WINDOW, marked=spark.sql(statement), by=by).collect()
        assert text in str(caught.value)


def test_a_streaming_list(spark: SparkSession, edges: DataFrame, tmp_path: Path) -> None:
    marked = spark.readStream.schema("vertex long").json(str(tmp_path))
    with pytest.raises(AnalysisException) as caught:
        bic_connected_to(edges, WINDOW, marked=marked)
    assert (
        "marked vertices must be a static DataFrame, but it is a streaming one; collect them "
        "first, or call in foreachBatch"
    ) in str(caught.value)


def test_early_updates_are_refused(edges: DataFrame) -> None:
    with pytest.raises(AnalysisException) as caught:
        bic_connected_to(edges, WINDOW, marked=[1], early=True, updates_only=True)
    assert "early and updates_only exclude each other: an update tells what differs from" in str(
        caught.value
    )
    with pytest.raises(AnalysisException) as caught:
        bic_connected_to(edges, ["1 hour", "2 hours"], "1 hour", [1], updates_only=True)
    assert "window must be a single length where each window is compared" in str(caught.value)


def test_updates_and_early_rows_of_a_table(edges: DataFrame) -> None:
    arguments: dict[str, Any] = {"window": "20 minutes", "slide": "10 minutes", "marked": [3]}
    full = bic_connected_to(edges, **arguments)
    assert found(full) == found(bic_connected_to(edges, **arguments, early=True))
    updates = bic_connected_to(edges, **arguments, updates_only=True)
    minutes = (F.unix_timestamp("window.start") / 60).cast("int").alias("start")
    rows = updates.select(minutes, "vertex", "marked").collect()
    assert sorted(map(tuple, rows), key=str) == sorted(
        [
            *[(0, 1, 3), (0, 2, 3), (0, 3, 3), (10, 1, None)],
            *[(20, 2, None), (20, 9, 3), (40, 3, None), (40, 9, None)],
        ],
        key=str,
    )


def test_the_twin_with_underscores(edges: DataFrame) -> None:
    twin = getattr(edges, "bic_connected_to")  # noqa: B009
    assert found(twin(WINDOW, marked=[2, 7])) == ALL


def test_in_sql(spark: SparkSession, edges: DataFrame) -> None:
    edges.createOrReplaceTempView("connected_edges")
    spark.createDataFrame([(2,), (7,)], "vertex long").createOrReplaceTempView("mules")
    for marked in ("TABLE(mules)", "array(7, 2S, 2L)", "TABLE(SELECT vertex FROM mules)"):
        statement = f"bic_connected_to(TABLE(connected_edges), '1 hour', marked => {marked})"
        assert found(spark.sql(f"SELECT * FROM {statement}")) == ALL
    for marked, text in (
        (
            "array((1, 2))",
            "takes marked as TABLE(…) with the column vertex, or as an array of vertices such as "
            "array(1, 9), not array((1, 2))",
        ),
        ("array(1, NULL)", "marked vertices hold a null; leave it out, as with marked.dropna()"),
        ("array()", "marked holds no vertex; give at least one"),
    ):
        with pytest.raises(AnalysisException) as caught:
            spark.sql(
                "SELECT * FROM bic_connected_to(TABLE(connected_edges), '1 hour', marked => "
                f"{marked})"
            )
        assert text in str(caught.value)


@pytest.mark.parametrize("in_sql", [False, True], ids=["method", "SQL"])
def test_a_table_of_marks_that_changes(spark: SparkSession, tmp_path: Path, in_sql: bool) -> None:
    table = str(tmp_path / "mules")
    # Of the micro-batches in which the window before closes: a mark leaves and returns.
    marks = [[1], [1, 3], [3], [], [1, 9]]
    edges = [[Edge(1, 2, minute * MINUTE), Edge(3, 4, minute * MINUTE)] for minute in range(5)]

    def write(vertices: list[int]) -> None:
        rows = spark.createDataFrame([(each,) for each in vertices], "vertex long")
        rows.write.mode("overwrite").parquet(table)

    write(marks[0])
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
        for number, vertices in enumerate(marks):
            write(vertices)
            # The second file comes behind the watermark of the first.
            write_batches(tmp_path / "in", [edges[number], edges[number]], 2 * number)
            while metrics(query).edges < 4 * (number + 1):
                assert query.exception() is None
                sleep(0.05)
        counts = metrics(query)
    finally:
        query.stop()
    assert counts.asked == 2 and counts.read_at is not None
    minutes = (F.unix_timestamp("window.start") / 60).cast("int").alias("start")
    rows = spark.read.parquet(str(tmp_path / "out")).select(minutes, "vertex", "marked").collect()
    assert sorted(map(tuple, rows)) == [
        *[(0, 1, 1), (0, 2, 1), (0, 3, 3), (0, 4, 3)],
        *[(1, 3, 3), (1, 4, 3)],
        *[(3, 1, 1), (3, 2, 1)],
    ]


def test_refresh_of_what_never_changes(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    stream = streamed_edges(spark, tmp_path / "in", 0)
    lists: list[Any] = [[1], pd.DataFrame({"vertex": [1]}), np.array([1])]
    for marked in lists:
        for function in MARKED:
            with pytest.raises(AnalysisException) as caught:
                function(stream, WINDOW, marked=marked, refresh="10 minutes")
            assert (
                "refresh '10 minutes' has marked read anew while a stream runs, but marked is a "
                "list, which never changes; give a DataFrame of a table"
            ) in str(caught.value)
    stream.createOrReplaceTempView("refreshed_edges")
    for more, text in (
        ("marked => array(1), refresh => '10 minutes'", "has marked read anew while a stream runs"),
        ("refresh => INTERVAL 10 MINUTES", "has marked read anew, but marked is not given"),
    ):
        with pytest.raises(AnalysisException) as refused:
            spark.sql(
                f"SELECT * FROM bic_largest_components(TABLE(refreshed_edges), '1 hour', {more})"
            )
        assert f"refresh '10 minutes' {text}" in str(refused.value)
    with pytest.raises(PySparkTypeError) as wrong:
        bic_connected_to(stream, WINDOW, marked=spark.range(1), refresh=10)  # type: ignore[call-overload]
    assert "refresh must be a duration such as '1 hour'" in str(wrong.value)
