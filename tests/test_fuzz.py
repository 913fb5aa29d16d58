"""Arguments of any type and value give answers, or one of the errors that the docstring names."""

import inspect
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.errors import (
    AnalysisException,
    PySparkRuntimeError,
    PySparkTypeError,
    PySparkValueError,
)
from pyspark.sql import DataFrame, SparkSession

from pyspark_bic import metrics
from pyspark_bic._methods import METHODS

DOCUMENTED = (AnalysisException, PySparkTypeError, PySparkValueError, PySparkRuntimeError)
GOOD: dict[str, Any] = {"window": "1 hour", "queries": [(1, 2)]}

_columns = st.one_of(
    st.sampled_from(["src", "dst", "time", "name", "tags", "at", "dotted.name", "nested.src"]),
    st.sampled_from(["SRC", "`src`", "`", "", "*", "a.b", "src ", "window", "source", "\x00"]),
)
_durations = st.one_of(
    st.sampled_from(
        ["1 hour", "0 seconds", "-1 day", "1 month", "interval 2 hours", "1.5 seconds"]
    ),
    st.sampled_from(["P1D", "1 hour 1", "1 microsecond", "9223372036854775807 microseconds"]),
    st.sampled_from(["300000 years", "99999999999 days", "1 nanosecond"]),
    st.text(max_size=8),
)
_ids = st.one_of(
    st.integers(), st.text(max_size=3), st.floats(), st.none(), st.booleans(), st.binary(max_size=3)
)
_anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.binary(max_size=6),
    st.lists(st.one_of(st.integers(), st.text(max_size=3)), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    st.dates(),
    st.timedeltas(),
    st.builds(object),
)
_pairs = st.one_of(
    st.lists(st.tuples(_ids, _ids), max_size=3), st.lists(st.tuples(_ids, _ids, _ids), max_size=2)
)
# What a parameter takes besides anything.
_likely = {
    **dict.fromkeys(("window", "slide", "start_time"), _durations),
    **dict.fromkeys(("src", "dst", "time", "source", "target", "at"), _columns),
    **dict.fromkeys(("by", "keep"), st.one_of(_columns, st.lists(_columns, max_size=3))),
    "index": st.sampled_from(["bic", "recency", "BIC", ""]),
}


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return spark.range(3).selectExpr(
        *("id AS src", "id + 1 AS dst", "timestamp_seconds(id) AS time", "'eu' AS name"),
        *(
            "array(1) AS tags",
            "map(1, 2) AS at",
            "7 AS `dotted.name`",
            "struct(id AS src) AS nested",
        ),
    )


def frames(edges: DataFrame) -> st.SearchStrategy[DataFrame]:
    """Tables of pairs that may be wrong."""
    columns = ["1 AS source, 2 AS target", "'1' AS source, '2' AS target", "1.5 AS source"]
    columns += ["1 AS source, 2 AS source", "1 AS source, 2 AS target, 'eu' AS name"]
    columns += ["1 AS source, NULL AS target", "1 AS source, 2 AS target WHERE false"]
    return st.sampled_from([edges.sparkSession.sql(f"SELECT {each}") for each in columns])


@settings(max_examples=60)
@given(data=st.data(), method=st.sampled_from(sorted(METHODS)))
def test_any_arguments(edges: DataFrame, data: st.DataObject, method: str) -> None:
    parameters = [*inspect.signature(METHODS[method]).parameters][1:]
    names = data.draw(st.sets(st.sampled_from(parameters), min_size=1, max_size=6))
    good = {name: value for name, value in GOOD.items() if name in parameters}
    if method == "bicPaths":
        good["answers"] = METHODS["bicConnectivity"](edges, **GOOD)
    if method == "bicAsOf":
        good |= {"events": edges.drop("at"), "source": "src"}
    likely = {**_likely, "queries": st.one_of(_pairs, frames(edges))}
    given_ = {
        name: data.draw(st.one_of(likely.get(name, st.nothing()), _anything), label=name)
        for name in sorted(names)
    }
    try:
        answers = METHODS[method](edges, **{**good, **given_})
    except DOCUMENTED as error:
        assert str(error)
    else:
        assert answers.columns


@given(source=_anything)
def test_any_source_of_metrics(source: Any) -> None:
    try:
        assert metrics(source)["edges"] == 0
    except PySparkTypeError as error:
        assert str(error).startswith("source")
