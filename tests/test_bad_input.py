"""Every bad argument gets a text with the bad value and the fix, before any query starts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import (
    AnalysisException,
    PySparkException,
    PySparkRuntimeError,
    PySparkTypeError,
    PySparkValueError,
)
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from cases import INDEXES
from pyspark_bic import bic_connectivity
from tables import said

GOOD: Mapping[str, Any] = {"window": "1 hour", "slide": "5 minutes", "queries": [(1, 2)]}


DURATION = "a duration such as '1 hour' or timedelta(hours=1)"
COLUMNS = "a column or a list of columns, as names or Columns"


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return spark.range(3).select(
        F.col("id").alias("src"),
        (F.col("id") + 1).alias("dst"),
        F.timestamp_seconds("id").alias("time"),
        F.lit("eu").alias("region"),
    )


def text_of(error: type[PySparkException], edges: Any, **arguments: Any) -> str:
    """The text of the error that the good arguments, changed by `arguments`, give."""
    with pytest.raises(error) as caught:
        bic_connectivity(edges, **{**GOOD, **arguments})
    assert type(caught.value).__name__ == error.__name__
    return said(caught.value)


# What Python itself can see.


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            {"window": None},
            f"window must be {DURATION}, or a list of these, not None (NoneType)",
        ),
        (
            {"window": 3600.0},
            f"window must be {DURATION}, or a list of these, not 3600.0 (float)",
        ),
        (
            {"slide": 300},
            f"slide must be {DURATION}, not 300 (int)",
        ),
        (
            {"slide": [(1, 2)]},
            f"slide must be {DURATION}, not [(1, 2)] (list)",
        ),
        (
            {"start_time": 0},
            f"start_time must be {DURATION}, not 0 (int)",
        ),
        ({"src": 1}, "src must be a column, as a name or a Column, not 1 (int)"),
        ({"dst": None}, "dst must be a column, as a name or a Column, not None (NoneType)"),
        ({"time": b"time"}, "time must be a column, as a name or a Column, not b'time' (bytes)"),
        ({"by": 3}, f"by must be {COLUMNS}, not 3 (int)"),
        (
            {"by": {"region"}},
            f"by must be {COLUMNS}, not {{'region'}} (set)",
        ),
        (
            {"by": b"region"},
            f"by must be {COLUMNS}, not b'region' (bytes)",
        ),
        ({"by": ["region", 3]}, "by[1] must be a column, as a name or a Column, not 3 (int)"),
        (
            {"index": None},
            "index must be the name of an index, such as 'auto', not None (NoneType)",
        ),
        (
            {"queries": "12"},
            "queries must be pairs (source, target) or a static DataFrame with these columns, "
            "not '12' (str)",
        ),
        (
            {"queries": {1: 2}},
            "queries must be pairs (source, target) or a static DataFrame with these columns, "
            "not {1: 2} (dict)",
        ),
        (
            {"queries": 7},
            "queries must be pairs (source, target) or a static DataFrame with these columns, "
            "not 7 (int)",
        ),
        (
            {"queries": [(1, 2), "34"]},
            "queries[1] must be a pair (source, target), not '34' (str)",
        ),
        (
            {"queries": [(True, 2)]},
            "queries[0] is (True, 2), but column 'src' does not hold strings: give pairs of int",
        ),
        (
            {"queries": [(1, 2), (1, None)]},
            "queries[1] is (1, None), but column 'src' does not hold strings: give pairs of int",
        ),
        (
            {"queries": [("a", "b")], "src": "SRC"},
            "queries[0] is ('a', 'b'), but column 'SRC' does not hold strings: give pairs of int",
        ),
        (
            {"queries": [("a", "b")]},
            "queries[0] is ('a', 'b'), but column 'src' does not hold strings: give pairs of int",
        ),
        (
            {"queries": [(1, 2.0)]},
            "queries[0] is (1, 2.0), but column 'src' does not hold strings: give pairs of int",
        ),
    ],
)
def test_wrong_types(edges: DataFrame, arguments: dict[str, Any], text: str) -> None:
    assert text_of(PySparkTypeError, edges, **arguments) == text


@pytest.mark.parametrize("name", ["window", "slide", "index", "queries"])
def test_columns_where_values_are_wanted(edges: DataFrame, name: str) -> None:
    text = text_of(PySparkTypeError, edges, **{name: F.col("region")})
    assert text.startswith(f"{name} must be ") and text.endswith("not Column<'region'> (Column)")


def test_long_values_are_cut(edges: DataFrame) -> None:
    text = text_of(PySparkTypeError, edges, queries=[("x" * 10_000, 1)])
    assert text.startswith("queries[0] is ('xxx") and len(text) < 200


def test_ints_for_ids_that_are_strings(edges: DataFrame) -> None:
    named = edges.withColumn("src", F.col("src").cast("string"))
    assert text_of(PySparkTypeError, named) == (
        "queries[0] is (1, 2), but column 'src' holds strings: give pairs of str"
    )


@pytest.mark.parametrize(
    ("queries", "text"),
    [
        (
            None,
            "queries is missing: give pairs (source, target) or a static DataFrame with these "
            "columns",
        ),
        (
            [(1, 2, 3)],
            "queries[0] must be a pair (source, target), not (1, 2, 3), which holds 3",
        ),
        (
            [(1, 2), (1, 2**63)],
            "queries[1] holds 9223372036854775808, which does not fit in 64 bits: vertex ids lie "
            "between -9223372036854775808 and 9223372036854775807",
        ),
    ],
)
def test_wrong_queries(edges: DataFrame, queries: Any, text: str) -> None:
    assert text_of(PySparkValueError, edges, queries=queries) == text


def test_queries_of_another_kind_of_session(edges: DataFrame) -> None:
    remote: DataFrame = object.__new__(
        type("Remote", (DataFrame,), {"__module__": "pyspark.sql.connect.dataframe"})
    )
    local: DataFrame = object.__new__(type("Local", (DataFrame,), {}))
    other = local if type(edges).__module__.startswith("pyspark.sql.connect.") else remote
    assert text_of(PySparkRuntimeError, edges, queries=other) == (
        "queries and edges must be of one session, but one of them belongs to Spark Connect and "
        "the other does not"
    )


# What the JVM sees, and PySpark shows as its AnalysisException.


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            {"src": "from"},
            "edges have no column 'from' (given as src); there are: src, dst, time, region",
        ),
        (
            {"dst": "to", "queries": [("a", "b")], "src": "from"},
            "edges have no column 'from' (given as src); there are: src, dst, time, region",
        ),
        (
            {"by": "site"},
            "edges have no column 'site' (given as by); there are: src, dst, time, region",
        ),
        ({"by": ["region", "region"]}, "column 'region' is given twice in by"),
        (
            {"dst": "region"},
            "columns 'src' (BIGINT) and 'region' (STRING) must both be integral or both be STRING; "
            "cast one of them",
        ),
        (
            {"src": "time"},
            "column 'time' (TIMESTAMP) must be of an integral type (BIGINT, INT, SMALLINT, "
            "TINYINT) or STRING; cast it",
        ),
        (
            {"time": "src"},
            "column 'src' (BIGINT) must be TIMESTAMP or TIMESTAMP_NTZ; convert it, for instance "
            "with to_timestamp or timestamp_seconds",
        ),
        (
            {"window": "an hour"},
            "window 'an hour' is not a duration; give one such as '1 hour' or '5 minutes'",
        ),
        ({"window": "0 seconds"}, "window must be positive, but it is '0 seconds'"),
        ({"window": "-1 hour"}, "window must be positive, but it is '-1 hour'"),
        ({"slide": "0 seconds"}, "slide must be positive, but it is '0 seconds'"),
        ({"slide": "-5 minutes"}, "slide must be positive, but it is '-5 minutes'"),
        (
            {"window": "1 month"},
            "window '1 month' has months or years, which differ in length; give it in weeks, "
            "days or smaller units, such as '30 days'",
        ),
        (
            {"slide": "1 year"},
            "slide '1 year' has months or years, which differ in length; give it in weeks, days "
            "or smaller units, such as '30 days'",
        ),
        (
            {"slide": "2 hours"},
            "slide '2 hours' is longer than window '1 hour', so some edges would be in no "
            "window; choose a slide of at most the window",
        ),
        (
            {"start_time": "5 minutes"},
            "start_time '5 minutes' must be shorter than the slide '5 minutes'; "
            "start_time '0 seconds' makes the same windows",
        ),
        ({"queries": []}, "queries are empty; give at least one pair (source, target)"),
    ],
)
def test_what_makes_no_sense(edges: DataFrame, arguments: dict[str, Any], text: str) -> None:
    assert text_of(AnalysisException, edges, **arguments).endswith(text)


def test_unknown_index(edges: DataFrame) -> None:
    text = text_of(AnalysisException, edges, index="btree")
    assert text.endswith("unknown index 'btree'; there is: auto, " + ", ".join(INDEXES))
    assert text_of(AnalysisException, edges, index="bics").endswith("; did you mean 'bic'?")


@pytest.mark.parametrize(
    ("schema", "row", "text"),
    [
        (
            "source long, dest long",
            (1, 2),
            "queries have no column 'target'; there are: source, dest; rename yours to 'target'",
        ),
        (
            "source long, target long",
            (1, None),
            "queries hold the pair (1, null); neither source nor target may be null",
        ),
        (
            "source double, target double",
            (1.0, 2.0),
            "column 'source' (DOUBLE) must be of an integral type (BIGINT, INT, SMALLINT, "
            "TINYINT) or STRING; cast it",
        ),
        (
            "source string, target string",
            ("1", "2"),
            "queries have 'source' (STRING), but the vertices of the edges are integral; give "
            "both the same kind of ids",
        ),
        (
            "source long, target string",
            (1, "2"),
            "queries have 'target' (STRING), but the vertices of the edges are integral; give both "
            "the same kind of ids",
        ),
    ],
)
def test_malformed_query_frames(
    spark: SparkSession, edges: DataFrame, schema: str, row: tuple[Any, ...], text: str
) -> None:
    queries = spark.createDataFrame([row], schema)
    # What is in the rows is seen when they are read, by the first action.
    with pytest.raises(AnalysisException) as caught:
        bic_connectivity(edges, **{**GOOD, "queries": queries}).collect()
    assert said(caught.value).endswith(text)


def test_queries_with_some_of_the_by_columns(spark: SparkSession, edges: DataFrame) -> None:
    queries = spark.createDataFrame([("eu", 1, 2)], "region string, source long, target long")
    sharded = edges.withColumn("shard", F.lit(1))
    text = text_of(AnalysisException, sharded, queries=queries, by=["region", "shard"])
    assert text.endswith(
        "queries have the column 'region' of by, but not 'shard'; give all of them, to ask each "
        "graph for its own pairs, or none"
    )


def test_streaming_queries(spark: SparkSession, edges: DataFrame, tmp_path: Path) -> None:
    queries = spark.readStream.schema("source long, target long").json(str(tmp_path))
    assert text_of(AnalysisException, edges, queries=queries).endswith(
        "queries must be a static DataFrame, but it is a streaming one; collect the pairs first"
    )


def test_a_stream_without_a_watermark(
    spark: SparkSession, edges: DataFrame, tmp_path: Path
) -> None:
    stream = spark.readStream.schema(edges.schema).json(str(tmp_path))
    assert text_of(AnalysisException, stream).endswith(
        "a streaming query needs a watermark on the column 'time', which tells when a window is "
        'complete; add one with edges.withWatermark("time", "10 minutes")'
    )


def test_a_watermark_on_another_column(
    spark: SparkSession, edges: DataFrame, tmp_path: Path
) -> None:
    stream = (
        spark.readStream.schema(edges.schema)
        .json(str(tmp_path))
        .withColumn("seen", F.col("time"))
        .withWatermark("seen", "1 hour")
    )
    assert "(the watermark is on 'seen')" in text_of(AnalysisException, stream)


@pytest.mark.since("4.0", "getCondition")
def test_the_error_class_is_readable(edges: DataFrame) -> None:
    with pytest.raises(AnalysisException) as caught:
        bic_connectivity(edges, "0 seconds", queries=[(1, 2)])
    assert caught.value.getCondition() == "BIC_INVALID_ARGUMENT"
    assert caught.value.getSqlState() == "22023"
