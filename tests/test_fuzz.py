"""Arguments of any type and value give answers, or one of the errors that the docstring names."""

from collections.abc import Callable
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
from pyspark.sql import functions as F

from pyspark_bic import bic_component_stats, bic_components, bic_connectivity, metrics

DOCUMENTED = (AnalysisException, PySparkTypeError, PySparkValueError, PySparkRuntimeError)
GOOD: dict[str, Any] = {"window": "1 hour", "slide": "5 minutes", "queries": [(1, 2)]}

_columns = st.sampled_from(
    ["src", "dst", "time", "name", "tags", "at", "dotted.name", "SRC", "`src`", "", "*", "a.b"]
)
_durations = st.one_of(
    st.sampled_from(
        [
            "1 hour",
            "0 seconds",
            "-1 day",
            "1 month",
            "interval 2 hours",
            "1.5 seconds",
            "P1D",
            "1 hour 1",
        ]
    ),
    st.sampled_from(
        [
            "1 microsecond",
            "9223372036854775807 microseconds",
            "300000 years",
            "99999999999 days",
            "1 nanosecond",
        ]
    ),
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
_arguments = {
    "window": st.one_of(_durations, _anything),
    "slide": st.one_of(_durations, _anything),
    "start_time": st.one_of(_durations, _anything),
    "src": st.one_of(_columns, _anything),
    "dst": st.one_of(_columns, _anything),
    "time": st.one_of(_columns, _anything),
    "by": st.one_of(_columns, st.lists(_columns, max_size=3), _anything),
    "index": st.one_of(st.sampled_from(["bic", "recency", "BIC", ""]), _anything),
    "queries": st.one_of(
        st.lists(st.tuples(_ids, _ids), max_size=3),
        st.lists(st.tuples(_ids, _ids, _ids), max_size=2),
        _anything,
    ),
    "observation": _anything,
}
_some = st.sets(st.sampled_from(sorted(_arguments)), min_size=1, max_size=3)


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return spark.range(3).select(
        F.col("id").alias("src"),
        (F.col("id") + 1).alias("dst"),
        F.timestamp_seconds("id").alias("time"),
        F.lit("eu").alias("name"),
        F.array(F.lit(1)).alias("tags"),
        F.map_from_arrays(F.array(F.lit(1)), F.array(F.lit(2))).alias("at"),
        F.lit(7).alias("dotted.name"),
    )


@settings(max_examples=40)
@given(data=st.data(), names=_some)
def test_any_arguments(edges: DataFrame, data: st.DataObject, names: set[str]) -> None:
    given_ = {name: data.draw(_arguments[name], label=name) for name in sorted(names)}
    try:
        answers = bic_connectivity(edges, **{**GOOD, **given_})
    except DOCUMENTED as error:
        assert str(error)
    else:
        assert answers.columns[-3:] == ["source", "target", "connected"]


@settings(max_examples=15)
@given(data=st.data(), names=_some, smallest=_anything)
def test_any_arguments_for_components(
    edges: DataFrame, data: st.DataObject, names: set[str], smallest: object
) -> None:
    given_ = {
        name: data.draw(_arguments[name], label=name)
        for name in sorted(names - {"queries", "window"})
    }
    calls: list[Callable[[], DataFrame]] = [
        lambda: bic_components(edges, "1 hour", **{**given_, "min_size": smallest}),
        lambda: bic_component_stats(edges, "1 hour", **given_),
    ]
    for call in calls:
        try:
            assert "window" in call().columns
        except DOCUMENTED as error:
            assert str(error)


@given(source=_anything)
def test_any_source_of_metrics(source: Any) -> None:
    try:
        assert metrics(source)["edges"] == 0
    except PySparkTypeError as error:
        assert str(error).startswith("source")
