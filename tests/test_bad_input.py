"""Every bad argument gets a text with the bad value and the fix, before any query starts.

Python checks the types of arguments; what the JVM refuses has its texts in Scala's suites. Here are
a few of these, to show that they arrive, and which parameter they blame.
"""

from inspect import signature
from typing import Any

import pandas as pd
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

from pyspark_bic import bic_as_of
from pyspark_bic._methods import METHODS
from tables import said

BOTH = pytest.mark.both("what the JVM refuses comes back in two ways")
GOOD: dict[str, Any] = {"window": "1 hour", "slide": "5 minutes", "queries": [(1, 2)]}
DURATION = "must be a duration such as '1 hour' or timedelta(hours=1)"
COLUMN = "must be a column, as a name or a Column"
COLUMNS = "must be a column or a list of columns, as names or Columns"
QUERIES = "queries must be pairs (source, target) or a static DataFrame with these columns"
ALONE = "give pairs of int alone, or of str alone"


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return spark.range(3).selectExpr(
        "id AS src", "id + 1 AS dst", "timestamp_seconds(id) AS time", "'eu' AS region"
    )


def refusal(
    error: type[PySparkException], edges: Any, method: str = "bicConnectivity", **arguments: Any
) -> str:
    """The text of the error that the good arguments, changed by `arguments`, give."""
    own = {
        "bicConnectivity": GOOD,
        "bicAsOf": {"window": "1 hour", "events": edges, "source": "src"},
    }
    good = own.get(method, {"window": "1 hour"})
    with pytest.raises(error) as caught:
        METHODS[method](edges, **{**good, **arguments})
    assert type(caught.value).__name__ == error.__name__
    return said(caught.value)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"window": None}, f"window {DURATION}, or a list of these, not None (NoneType)"),
        ({"window": 3600.0}, f"window {DURATION}, or a list of these, not 3600.0 (float)"),
        ({"window": ["1 hour", 5]}, f"window[1] {DURATION}, not 5 (int)"),
        ({"start_time": 0}, f"start_time {DURATION}, not 0 (int)"),
        ({"src": 1}, f"src {COLUMN}, not 1 (int)"),
        ({"time": b"time"}, f"time {COLUMN}, not b'time' (bytes)"),
        ({"by": 3}, f"by {COLUMNS}, not 3 (int)"),
        ({"by": b"region"}, f"by {COLUMNS}, not b'region' (bytes)"),
        ({"by": ["region", 3]}, f"by[1] {COLUMN}, not 3 (int)"),
        ({"index": 7}, "index must be the name of an index, such as 'auto', not 7 (int)"),
        ({"queries": "12"}, f"{QUERIES}, not '12' (str)"),
        ({"queries": 7}, f"{QUERIES}, not 7 (int)"),
        ({"queries": [(1, 2), "34"]}, "queries[1] must be a pair (source, target), not '34' (str)"),
        ({"queries": [(True, 2)]}, f"queries[0] is (True, 2): {ALONE}"),
        ({"queries": [(1, 2), (1, None)]}, f"queries[1] is (1, None): {ALONE}"),
        ({"queries": [(1, 2), ("a", "b")]}, f"queries[1] is ('a', 'b'): {ALONE}"),
        ({"queries": [(1, 2.0)]}, f"queries[0] is (1, 2.0): {ALONE}"),
        (
            {"observation": "mine"},
            "observation must be a pyspark.sql.Observation, not 'mine' (str)",
        ),
    ],
)
def test_wrong_types(edges: DataFrame, arguments: dict[str, Any], text: str) -> None:
    assert refusal(PySparkTypeError, edges, **arguments) == text


def parameters(kind: type) -> list[tuple[str, str]]:
    """The parameters of each method whose defaults are of this type."""
    return [
        (method, name)
        for method, function in METHODS.items()
        for name, each in signature(function).parameters.items()
        if type(each.default) is kind
    ]


@pytest.mark.parametrize(("method", "name"), parameters(int))
def test_sizes(edges: DataFrame, method: str, name: str) -> None:
    for wrong in ("3", True, 2.5):
        text = refusal(PySparkTypeError, edges, method, **{name: wrong})
        assert text == f"{name} must be an int, not {wrong!r} ({type(wrong).__name__})"
    for huge in (2**63, -(2**70)):
        text = refusal(AnalysisException, edges, method, **{name: huge})
        assert text == f"{name} must fit in 64 bits, but it is {huge}"
    text = refusal(AnalysisException, edges, method, **{name: 0})
    assert text == f"{name} must be at least 1, but it is 0"


@pytest.mark.parametrize(("method", "name"), parameters(bool))
def test_flags(edges: DataFrame, method: str, name: str) -> None:
    text = refusal(PySparkTypeError, edges, method, **{name: 1})
    assert text == f"{name} must be a bool, not 1 (int)"


@pytest.mark.parametrize("name", ["window", "slide", "index", "queries"])
def test_columns_where_values_are_wanted(edges: DataFrame, name: str) -> None:
    given: dict[str, Any] = {name: F.col("region")}
    text = refusal(PySparkTypeError, edges, **given)
    assert text.startswith(f"{name} must be ") and text.endswith("not Column<'region'> (Column)")


def test_long_values_are_cut(edges: DataFrame) -> None:
    text = refusal(PySparkTypeError, edges, queries=[("x" * 10_000, 1)])
    assert text.startswith("queries[0] is ('xxx") and len(text) < 200


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"queries": None}, QUERIES.replace("must be", "is missing: give")),
        (
            {"queries": [(1, 2, 3)]},
            "queries[0] must be a pair (source, target), not (1, 2, 3), which holds 3",
        ),
        (
            {"queries": [(1, 2), (1, 2**63)]},
            f"queries[1] holds {2**63}, which does not fit in 64 bits: vertex ids lie "
            f"between {-(2**63)} and {2**63 - 1}",
        ),
        *(
            (
                {"src": "payment.src", "dst": twice},
                "column 'payment.src' is given as src and as dst: each needs a column of its own",
            )
            for twice in ("payment.src", "Payment.SRC", "`payment`.src")
        ),
    ],
)
def test_wrong_values(edges: DataFrame, arguments: dict[str, Any], text: str) -> None:
    packed = edges.withColumn("payment", F.struct("src", "dst"))
    assert refusal(PySparkValueError, packed, **arguments) == text


@BOTH
def test_an_expression_has_one_role(edges: DataFrame) -> None:
    twice = "is given as src and as dst: each needs a column of its own"
    for column in ("payment.src", "src"):
        same: dict[str, Any] = {"src": column, "dst": F.col(column).alias("other")}
        packed = edges.withColumn("payment", F.struct("src", "dst"))
        assert refusal(PySparkValueError, packed, **same) == f"column '{column}' {twice}"
    sums = [F.col("src") + 1, F.col("src") + 1]
    assert refusal(PySparkValueError, edges, src=sums[0], dst=sums[1]).endswith(twice)
    events = edges.withColumn("payment", F.struct("src", "dst"))
    with pytest.raises(PySparkValueError, match="is given as source and as target"):
        bic_as_of(edges, events, "1 hour", source="payment.src", target="payment.src")


@BOTH
def test_queries_of_another_kind_of_session(edges: DataFrame) -> None:
    remote: DataFrame = object.__new__(
        type("Remote", (DataFrame,), {"__module__": "pyspark.sql.connect.dataframe"})
    )
    local: DataFrame = object.__new__(type("Local", (DataFrame,), {}))
    other = local if type(edges).__module__.startswith("pyspark.sql.connect.") else remote
    assert refusal(PySparkRuntimeError, edges, queries=other) == (
        "queries and edges must be of one session, but one of them belongs to Spark Connect and "
        "the other does not"
    )


@BOTH
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            {"src": "from", "queries": [("a", "b")]},
            "edges have no column 'from' (given as src); there are: src, dst, time, region",
        ),
        (
            {"time": "region"},
            "column 'region' (STRING) must be TIMESTAMP or TIMESTAMP_NTZ; convert it",
        ),
        ({"queries": []}, "queries are empty; give at least one pair"),
        (
            {"queries": [("a", "b")]},
            "queries have 'source' (STRING), but the vertices of the edges are integral; give both",
        ),
        (
            {"queries": pd.DataFrame([(1, 2, "eu")], columns=["source", "target", "region"])},
            "queries have a column 'region', but only source, target are read; give it in by too,",
        ),
    ],
)
def test_what_the_jvm_refuses(edges: DataFrame, arguments: dict[str, Any], text: str) -> None:
    assert refusal(AnalysisException, edges, **arguments).startswith(text)


@BOTH
@pytest.mark.since("4.0", "getCondition")
def test_the_error_class_is_readable(edges: DataFrame) -> None:
    with pytest.raises(AnalysisException) as caught:
        METHODS["bicConnectivity"](edges, "0 seconds", queries=[(1, 2)])
    assert caught.value.getCondition() == "BIC_INVALID_ARGUMENT"
    assert caught.value.getSqlState() == "22023"
