"""The surface: columns, ids of every type, queries of every form, one graph per key."""

from collections.abc import Callable, Iterator
from datetime import datetime
from enum import Enum
from typing import Any, cast

import numpy as np
import pytest
from pyspark.errors import AnalysisException, PySparkRuntimeError
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import BooleanType, LongType, StringType, StructType, TimestampType

import pyspark_bic
from pyspark_bic import _sparks, bic_components, bic_connectivity
from session_settings import set_to

HOURS = (
    (1, 2, "2024-01-01 10:00:00"),
    (2, 3, "2024-01-01 10:20:00"),
    (4, 4, "2024-01-01 10:30:00"),
    (3, 5, "2024-01-01 11:00:00"),
)
# Rows of HOURS for [(1, 3), (4, 4), (3, 5)], windows of an hour that tumble.
TUMBLING = [
    ("10:00", "11:00", 1, 3, True),
    ("10:00", "11:00", 3, 5, False),
    ("10:00", "11:00", 4, 4, True),
    ("11:00", "12:00", 1, 3, False),
    ("11:00", "12:00", 3, 5, True),
    ("11:00", "12:00", 4, 4, False),
]
QUERIES = [(1, 3), (4, 4), (3, 5)]


@pytest.fixture
def edges(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame(HOURS, "src long, dst long, time string").withColumn(
        "time", F.to_timestamp("time")
    )


def rows(answers: DataFrame, *by: str) -> list[tuple[Any, ...]]:
    selected = answers.select(
        *by,
        F.date_format("window.start", "HH:mm"),
        F.date_format("window.end", "HH:mm"),
        "source",
        "target",
        "connected",
    )
    return sorted(tuple(row) for row in selected.collect())


def method(frame: DataFrame) -> Callable[..., DataFrame]:
    """The method that the import has put on DataFrame, where no type checker sees it."""
    return cast(Callable[..., DataFrame], cast(Any, frame).bicConnectivity)


def test_schema(edges: DataFrame) -> None:
    schema = bic_connectivity(edges, "1 hour", queries=QUERIES).schema
    assert schema.fieldNames() == ["window", "source", "target", "connected"]
    window = schema["window"].dataType
    assert isinstance(window, StructType)
    assert [(field.name, field.dataType) for field in window] == [
        ("start", TimestampType()),
        ("end", TimestampType()),
    ]
    assert [schema[name].dataType for name in ("source", "target", "connected")] == [
        LongType(),
        LongType(),
        BooleanType(),
    ]


def test_slide_is_the_window_by_default(edges: DataFrame) -> None:
    assert rows(bic_connectivity(edges, "1 hour", queries=QUERIES)) == TUMBLING


def test_windows_are_columns_like_those_of_spark(edges: DataFrame) -> None:
    answers = bic_connectivity(edges, "1 hour", "30 minutes", QUERIES)
    by_day = answers.groupBy(F.window("window", "1 day")).count().select("count").collect()
    assert sum(row[0] for row in by_day) == answers.count()
    last = answers.select((F.window_time("window") < F.col("window.end")).alias("inside"))
    assert {row["inside"] for row in last.collect()} == {True}


def test_method_and_function_are_one(edges: DataFrame) -> None:
    by_method = method(edges)("1 hour", "30 minutes", QUERIES, start_time="10 minutes")
    by_function = bic_connectivity(edges, "1 hour", "30 minutes", QUERIES, start_time="10 minutes")
    found = rows(by_method)
    assert found == rows(by_function)
    # 9:10, 9:40, 10:10 and 10:40 are the starts of the windows that hold an edge.
    assert [row[:2] for row in found[::3]] == [
        ("09:10", "10:10"),
        ("09:40", "10:40"),
        ("10:10", "11:10"),
        ("10:40", "11:40"),
    ]


@pytest.mark.parametrize(
    "queries",
    [
        pytest.param(tuple(QUERIES), id="tuple"),
        pytest.param([list(pair) for pair in QUERIES], id="lists"),
        pytest.param(dict.fromkeys(QUERIES).keys(), id="view"),
        pytest.param([Row(target=t, source=s) for s, t in QUERIES], id="rows"),
        pytest.param([tuple(pair) for pair in np.array(QUERIES)], id="numpy"),
    ],
)
def test_queries_are_any_iterable_of_pairs(edges: DataFrame, queries: Any) -> None:
    assert rows(bic_connectivity(edges, "1 hour", queries=queries)) == TUMBLING


def test_queries_are_a_generator(edges: DataFrame) -> None:
    queries: Iterator[tuple[int, int]] = (pair for pair in QUERIES)
    assert rows(bic_connectivity(edges, "1 hour", queries=queries)) == TUMBLING


def test_queries_are_a_static_dataframe(spark: SparkSession, edges: DataFrame) -> None:
    queries = spark.createDataFrame(QUERIES, "source long, target long")
    assert rows(bic_connectivity(edges, "1 hour", queries=queries)) == TUMBLING


@pytest.mark.parametrize("id_type", ["tinyint", "smallint", "int", "bigint"])
def test_ids_of_every_integral_type(edges: DataFrame, id_type: str) -> None:
    narrow = edges.select(
        F.col("src").cast(id_type).alias("src"), F.col("dst").cast(id_type).alias("dst"), "time"
    )
    assert rows(bic_connectivity(narrow, "1 hour", queries=QUERIES)) == TUMBLING


def test_ids_that_are_strings(edges: DataFrame) -> None:
    named = edges.select(
        F.concat(F.lit("v"), "src").alias("src"), F.concat(F.lit("v"), "dst").alias("dst"), "time"
    )
    queries = [(f"v{source}", f"v{target}") for source, target in QUERIES]
    answers = bic_connectivity(named, "1 hour", queries=queries)
    assert answers.schema["source"].dataType == StringType()
    assert rows(answers) == [
        (start, end, f"v{source}", f"v{target}", connected)
        for start, end, source, target, connected in TUMBLING
    ]


def test_members_of_enumerations_are_what_they_hold(edges: DataFrame) -> None:
    """And not what they show themselves as: ``Name.ONE``."""

    class Name(str, Enum):
        ONE, TWO = "1", "2"
        FROM, HOUR, INDEX, KEY = "src", "1 hour", "recency", "region"

    named = edges.selectExpr(
        "cast(src AS STRING) src", "cast(dst AS STRING) dst", "time", "src % 2 = 0 region"
    )
    answers = bic_connectivity(
        named, Name.HOUR, Name.HOUR, [(Name.ONE, Name.TWO)], src=Name.FROM, by=Name.KEY
    )
    plain = bic_connectivity(named, "1 hour", queries=[("1", "2")], by="region", index=Name.INDEX)
    assert sorted(answers.collect()) == sorted(plain.collect())
    assert answers.select("source", "target").distinct().collect() == [("1", "2")]
    assert answers.where("connected").count() > 0

    class Size(int, Enum):
        LARGE = 3

    assert bic_components(named, [Name.HOUR], by=[Name.KEY]).columns[0] == "region"
    assert bic_components(named, "1 hour", min_size=Size.LARGE).count() == 3


@pytest.mark.since("4.0", "columns of a bounded length")
def test_ids_of_a_bounded_length(edges: DataFrame) -> None:
    with set_to(edges.sparkSession, {"spark.sql.preserveCharVarcharTypeInfo": "true"}):
        bounded = edges.selectExpr("cast(src AS varchar(9))", "cast(dst AS varchar(5))", "time")
        assert bounded.schema["src"].dataType.simpleString() == "varchar(9)"
        shown = bounded.first()
        assert shown is not None
        answers = bic_connectivity(bounded, "1 hour", queries=[(shown["src"], shown["dst"])])
        assert answers.where("connected").count() > 0
        padded = edges.selectExpr("cast(src AS char(9))", "cast(dst AS string)", "time")
        with pytest.raises(AnalysisException, match=r"column 'src' \(CHAR\(9\)\) holds strings"):
            bic_connectivity(padded, "1 hour", queries=[(shown["src"], shown["dst"])])
        trimmed = padded.withColumn("src", F.rtrim("src").cast("string"))
        assert (
            bic_components(trimmed, "1 hour").count() == bic_components(bounded, "1 hour").count()
        )


def test_any_64_bit_id(spark: SparkSession) -> None:
    low, high = -(2**63), 2**63 - 1
    edges = spark.createDataFrame(
        [(low, high, datetime(2024, 1, 1, 10))], "src long, dst long, time timestamp"
    )
    queries = [(high, low), (low, 0), (0, 0), (-1, -1)]
    found = bic_connectivity(edges, "1 hour", queries=queries)
    assert [row[2:] for row in rows(found)] == [
        (low, 0, False),
        (-1, -1, False),
        (0, 0, False),
        (high, low, True),
    ]


def test_names_of_columns(edges: DataFrame) -> None:
    renamed = edges.toDF("from", "to", "at")
    found = bic_connectivity(renamed, "1 hour", queries=QUERIES, src="from", dst="to", time="at")
    assert rows(found) == TUMBLING


def test_time_without_a_zone(edges: DataFrame) -> None:
    local = edges.withColumn("time", F.col("time").cast("timestamp_ntz"))
    assert rows(bic_connectivity(local, "1 hour", queries=QUERIES)) == TUMBLING


def test_one_graph_per_key(edges: DataFrame) -> None:
    both = edges.withColumn("site", F.lit("a")).union(
        edges.where("src != 2").withColumn("site", F.lit("b"))
    )
    found = bic_connectivity(both, "1 hour", queries=[(1, 3), (4, 4)], by="site")
    assert found.columns == ["site", "window", "source", "target", "connected"]
    assert rows(found, "site") == [
        ("a", "10:00", "11:00", 1, 3, True),
        ("a", "10:00", "11:00", 4, 4, True),
        ("a", "11:00", "12:00", 1, 3, False),
        ("a", "11:00", "12:00", 4, 4, False),
        ("b", "10:00", "11:00", 1, 3, False),
        ("b", "10:00", "11:00", 4, 4, True),
        ("b", "11:00", "12:00", 1, 3, False),
        ("b", "11:00", "12:00", 4, 4, False),
    ]


def test_queries_of_its_own_for_each_graph(spark: SparkSession, edges: DataFrame) -> None:
    both = edges.withColumn("site", F.lit("a")).union(edges.withColumn("site", F.lit("b")))
    queries = spark.createDataFrame(
        [("a", 1, 3), ("b", 4, 4), ("c", 3, 5)], "site string, source long, target long"
    )
    assert rows(bic_connectivity(both, "1 hour", queries=queries, by=["site"]), "site") == [
        ("a", "10:00", "11:00", 1, 3, True),
        ("a", "11:00", "12:00", 1, 3, False),
        ("b", "10:00", "11:00", 4, 4, True),
        ("b", "11:00", "12:00", 4, 4, False),
    ]


@pytest.mark.classic("test_connect.py has its counterpart")
def test_a_jar_of_another_version(edges: DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    built = pyspark_bic.__version__
    monkeypatch.setattr("pyspark_bic._jvm.__version__", "99.0.0")
    with pytest.raises(PySparkRuntimeError) as caught:
        bic_connectivity(edges, "1 hour", queries=QUERIES)
    assert str(caught.value) == (
        f"this Spark session runs the spark-bic jar {built}, but pyspark-bic is 99.0.0: "
        f"pip install pyspark-bic=={built}, or start Spark with --packages "
        f"{_sparks.coordinates()}"
    )
