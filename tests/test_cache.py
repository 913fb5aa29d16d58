"""Answers that Spark caches: the same call, made again, reads them."""

from collections.abc import Callable

import pytest
from pyspark.sql import DataFrame, SparkSession

CALLS: dict[str, Callable[[DataFrame], DataFrame]] = {
    "pairs": lambda edges: edges.bicConnectivity("1 hour", queries=[(1, 2), (2, 9)]),
    "components": lambda edges: edges.bicComponents("1 hour", by="region"),
    "whole": lambda edges: edges.bicComponents(),
    "largest": lambda edges: edges.bicLargestComponents("1 hour", members=True),
    "stats": lambda edges: edges.bicComponentStats("1 hour", sizes=True),
    "changes": lambda edges: edges.bicChanges("1 hour", stable=True),
}


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return spark.range(20).selectExpr(
        "id AS src", "id + 1 AS dst", "timestamp_seconds(id * 900) AS time", "id % 2 AS region"
    )


@pytest.mark.parametrize("name", CALLS)
def test_the_same_call_has_the_same_semantics(edges: DataFrame, name: str) -> None:
    call = CALLS[name]
    assert call(edges).sameSemantics(call(edges))
    assert not call(edges).sameSemantics(call(edges.where("src > 3")))


def test_other_pairs_are_another_call(edges: DataFrame) -> None:
    asked = edges.bicConnectivity("1 hour", queries=[(1, 2), (2, 8)])
    assert not asked.sameSemantics(CALLS["pairs"](edges))


def test_a_cached_answer_is_read_and_freed(edges: DataFrame) -> None:
    call = CALLS["components"]
    wanted = sorted(call(edges).collect())
    kept = call(edges).cache()
    try:
        assert sorted(kept.collect()) == wanted
        assert call(edges).storageLevel.useMemory
    finally:
        kept.unpersist()
    assert not call(edges).storageLevel.useMemory
