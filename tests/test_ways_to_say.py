"""One question in several ways: durations, columns and pairs in all the forms that Python has."""

from collections import namedtuple
from datetime import timedelta
from enum import Enum
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pyspark.errors import (
    AnalysisException,
    PySparkRuntimeError,
    PySparkTypeError,
    PySparkValueError,
)
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

import pyspark_bic
from oracle import Edge
from pyspark_bic import _sparks, bic_components, bic_connectivity
from pyspark_bic._frames import quoted
from session_settings import set_to
from tables import static_edges, streamed_edges, write_batches

BOTH = pytest.mark.both("arguments arrive in two ways")

MINUTE = 60 * 1_000_000
EDGES = [
    Edge(1, 2, 5 * MINUTE, ("b", 1)),
    Edge(2, 3, 20 * MINUTE, ("a", 1)),
    Edge(3, 4, 40 * MINUTE, ("a", 1)),
    Edge(1, 2, 70 * MINUTE, ("b", 2)),
]
PAIRS = [(1, 3), (2, 4)]
Swapped = namedtuple("Swapped", ["target", "source"])


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return static_edges(spark, EDGES)


def rows(answers: DataFrame) -> list[Any]:
    return sorted(map(tuple, answers.collect()), key=str)


def usual(edges: DataFrame, **more: Any) -> list[Any]:
    return rows(bic_connectivity(edges, "1 hour", "30 minutes", PAIRS, **more))


@BOTH
def test_durations_are_texts_or_timedeltas(edges: DataFrame) -> None:
    hour, half = timedelta(hours=1), timedelta(minutes=30)
    shifted = bic_connectivity(edges, hour, half, PAIRS, start_time=-timedelta(minutes=10))
    assert rows(shifted) == usual(edges, start_time="-10 minutes")
    several = bic_connectivity(edges, [hour, "30 minutes"], half, PAIRS)
    same = bic_connectivity(edges, ["1 hour", "30 minutes"], "30 minutes", PAIRS)
    assert rows(several) == rows(same)


def test_windows_are_columns_like_those_of_spark(edges: DataFrame) -> None:
    answers = bic_connectivity(edges, "1 hour", "30 minutes", PAIRS)
    inside = F.window_time("window") < F.col("window.end")
    by_day = answers.groupBy(F.window("window", "1 day"), inside.alias("inside")).count()
    assert [row[1:] for row in by_day.orderBy("window").collect()] == [(True, 8)]


@BOTH
def test_queries_are_pairs_of_any_kind(spark: SparkSession, edges: DataFrame) -> None:
    wanted = bic_connectivity(edges, "1 hour", "30 minutes", PAIRS)
    forms: dict[str, Any] = {
        "tuple": tuple(PAIRS),
        "lists": [list(pair) for pair in PAIRS],
        "generator": (pair for pair in PAIRS),
        "rows": [Row(target=t, source=s) for s, t in PAIRS],
        "named tuples": [Swapped(target=t, source=s) for s, t in PAIRS],
        "numbers of NumPy": [tuple(pair) for pair in np.array(PAIRS)],
        "array": np.array(PAIRS),
        "pandas": pd.DataFrame([(t, s) for s, t in PAIRS], columns=["target", "source"]),
        "static": spark.createDataFrame(PAIRS, "source long, target long"),
    }
    for form, queries in forms.items():
        found = bic_connectivity(edges, "1 hour", "30 minutes", queries)
        assert found.sameSemantics(wanted) or rows(found) == rows(wanted), form


@BOTH
def test_pairs_of_each_graph_in_pandas(spark: SparkSession, edges: DataFrame) -> None:
    pairs, columns = [("a", 2, 4), ("b", 1, 2)], ["region", "source", "target"]
    asked, same = (
        bic_connectivity(edges, "1 hour", queries=queries, by="region")
        for queries in (pd.DataFrame(pairs, columns=columns), spark.createDataFrame(pairs, columns))
    )
    assert rows(asked) == rows(same)


def test_a_frame_of_pandas_with_other_columns_or_with_nulls_is_refused(edges: DataFrame) -> None:
    with pytest.raises(PySparkValueError, match="there is no column 'target', only source, to"):
        bic_connectivity(edges, "1 hour", queries=pd.DataFrame([(1, 2)], columns=["source", "to"]))
    nulls = pd.DataFrame([(1.0, None)], columns=["source", "target"])
    with pytest.raises(PySparkTypeError, match=r"queries\[0\] is \(1.0, (nan|None)\): give pairs"):
        bic_connectivity(edges, "1 hour", queries=nulls)


@BOTH
def test_members_of_enumerations_are_what_they_hold(edges: DataFrame) -> None:
    """And not what they show themselves as: ``Name.ONE``."""

    class Name(str, Enum):
        ONE, TWO = "1", "2"
        FROM, HOUR, INDEX, KEY = "src", "1 hour", "recency", "region"

    class Size(int, Enum):
        LARGE = 3

    named = edges.withColumns({end: F.col(end).cast("string") for end in ("src", "dst")})
    found = bic_connectivity(
        named, Name.HOUR, Name.HOUR, [(Name.ONE, Name.TWO)], src=Name.FROM, by=Name.KEY
    )
    asked = pd.DataFrame([("1", "2")], columns=["source", "target"])
    plain = bic_connectivity(named, "1 hour", queries=asked, by="region", index=Name.INDEX)
    assert rows(found) == rows(plain)
    assert found.where("connected").select("source", "target").distinct().collect() == [("1", "2")]
    large = bic_components(named, [Name.HOUR], min_size=Size.LARGE, by=[Name.KEY])
    assert (large.columns[0], large.count()) == ("region", 3)


@pytest.mark.since("4.0", "columns of a bounded length")
def test_ids_of_a_bounded_length(edges: DataFrame) -> None:
    """They are strings, and no checks of types of Python alone tell what Spark pads."""
    pairs = [("1", "2")]
    with set_to(edges.sparkSession, {"spark.sql.preserveCharVarcharTypeInfo": "true"}):
        bounded = edges.selectExpr("cast(src AS varchar(9))", "cast(dst AS varchar(5))", "time")
        assert bounded.schema["src"].dataType.simpleString() == "varchar(9)"
        assert bic_connectivity(bounded, "1 hour", queries=pairs).where("connected").count() == 2
        padded = edges.selectExpr("cast(src AS char(9))", "cast(dst AS string)", "time")
        with pytest.raises(AnalysisException, match=r"column 'src' \(CHAR\(9\)\) holds strings"):
            bic_connectivity(padded, "1 hour", queries=pairs)


def nested(edges: DataFrame) -> DataFrame:
    return edges.select(
        F.struct(F.col("src").alias("from"), F.col("dst").alias("to")).alias("payment"),
        F.struct("time", "region").alias("event.data"),
        F.col("time").alias("src"),
    )


@BOTH
def test_columns_in_structs(edges: DataFrame) -> None:
    paths = {"src": "payment.from", "dst": "payment.to", "time": "`event.data`.time"}
    columns = {
        "src": F.col("payment.from"),
        "dst": F.col("payment")["to"] + 0,
        "time": F.col("`event.data`.time"),
    }
    for given in (paths, columns):
        # A column called src is another column, and stays out of it.
        assert usual(nested(edges), **given) == usual(edges)
    ends: dict[str, Any] = {**paths, "time": F.col("src")}
    of_struct = bic_components(nested(edges), "1 hour", **ends, by=["`event.data`.region"])
    assert of_struct.columns[0] == "region"
    assert rows(of_struct) == rows(bic_components(edges, "1 hour", by="region"))


@BOTH
def test_graphs_by_an_expression(edges: DataFrame) -> None:
    upper = F.upper("region")
    wanted = rows(bic_components(edges.withColumn("site", upper), "1 hour", by="site"))
    found = bic_components(edges, "1 hour", by=upper.alias("site"))
    assert found.columns[0] == "site" and rows(found) == wanted
    plain = bic_components(edges, "1 hour", by=[F.col("region"), "shard"])
    assert rows(plain) == rows(bic_components(edges, "1 hour", by=["region", "shard"]))
    # Such as intervals of months, and times that no calendar has.
    odd = F.expr(
        "struct(cast(cast(shard AS STRING) AS INTERVAL MONTH) AS age, "
        "timestamp_micros(if(shard = 1, -9223372036854775808, 9223372036854775807)) AS at)"
    ).alias("k")
    by_odd = bic_components(edges, "1 hour", by=odd)
    assert by_odd.schema["k"].dataType == edges.select(odd).schema["k"].dataType
    first = by_odd.where("k.age = INTERVAL '1' MONTH AND unix_micros(k.at) < 0").drop("k")
    assert rows(first) == rows(bic_components(edges.where("shard = 1"), "1 hour")) != []
    with pytest.raises(PySparkValueError) as refused:
        bic_components(edges, "1 hour", by=[upper.alias("Region")])
    assert str(refused.value) == (
        "by[0] is called 'Region', as a column of edges is: give it another name with .alias(...)"
    )


@BOTH
def test_a_stream_keeps_its_watermark(spark: SparkSession, tmp_path: Any) -> None:
    write_batches(tmp_path, [EDGES])
    stream = streamed_edges(spark, tmp_path, MINUTE)
    packed = stream.select(F.struct("src", "dst").alias("payment"), "time")
    for time in ("time", F.col("time")):
        alerts = bic_components(
            packed, "1 hour", src="payment.src", dst=F.col("payment.dst"), time=time
        )
        assert alerts.isStreaming


@BOTH
def test_the_session_minds_case(edges: DataFrame) -> None:
    """The pairs are of the ids of the very column, and a column of another case is another."""
    with set_to(edges.sparkSession, {"spark.sql.caseSensitive": "true"}):
        both = edges.withColumn("SRC", F.col("src").cast("string"))
        assert usual(both) == usual(edges)
        with pytest.raises(AnalysisException, match="the vertices of the edges are integral"):
            bic_connectivity(both, "1 hour", queries=[("a", "b")])
        lacks = edges.withColumnRenamed("src", "SRC")
        with pytest.raises(AnalysisException, match="edges have no column 'src'"):
            bic_connectivity(lacks, "1 hour", queries=[("a", "b")])


def test_edges_are_a_dataframe_of_spark(edges: DataFrame) -> None:
    of_pandas = edges.limit(1).toPandas()
    of_geopandas = type("GeoDataFrame", (type(of_pandas),), {"__module__": "geopandas"})(of_pandas)
    on_spark = type("DataFrame", (), {"__module__": "pyspark.pandas.frame", "to_spark": None})()
    text = "edges must be a Spark DataFrame, not one of pandas: give"
    refused: list[tuple[Any, str]] = [
        ([(1, 2)], "edges must be a Spark DataFrame, not [(1, 2)] (list)"),
        (of_pandas, f"{text} spark.createDataFrame(edges)"),
        (of_geopandas, f"{text} spark.createDataFrame(edges)"),
        (on_spark, f"{text} edges.to_spark()"),
    ]
    for given, told in refused:
        with pytest.raises(PySparkTypeError) as caught:
            bic_components(given, "1 hour")
        assert str(caught.value) == told


@pytest.mark.parametrize(
    "quote",
    [pytest.param(str, marks=pytest.mark.connect("classic sessions quote")), quoted],
    ids=["plain", "in backquotes"],
)
def test_names_that_spark_reads_in_backquotes(edges: DataFrame, quote: Any) -> None:
    odd = edges.toDF("from id", "`to`", "region", "sh`ard", "a.time")
    ends = {"src": quote("from id"), "dst": quote("`to`"), "time": quote("a.time")}
    for by, names in (
        ([quote("region"), quote("sh`ard")], ["region", "shard"]),
        ([F.col(quoted("sh`ard"))], ["shard"]),
    ):
        assert usual(odd, **ends, by=by) == usual(edges, by=names)
    answers = bic_connectivity(edges, "1 hour", queries=PAIRS)
    assert rows(odd.bicPaths(answers, **ends)) == rows(edges.bicPaths(answers))


@pytest.mark.classic("test_connect.py has its counterpart")
def test_a_jar_of_another_version(edges: DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    built = pyspark_bic.__version__
    monkeypatch.setattr("pyspark_bic._jvm.__version__", "99.0.0")
    with pytest.raises(PySparkRuntimeError) as caught:
        bic_connectivity(edges, "1 hour", queries=PAIRS)
    assert str(caught.value) == (
        f"this Spark session runs the spark-bic jar {built}, but pyspark-bic is 99.0.0: "
        f"pip install pyspark-bic=={built}, or start Spark with --packages "
        f"{_sparks.coordinates()}"
    )
