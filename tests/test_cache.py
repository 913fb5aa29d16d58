"""Answers that Spark caches: the same call, made again, reads them."""

import pytest
from pyspark.sql import DataFrame, SparkSession

from questions import QUESTIONS, Question

PAIRS = [(1, 2), (2, 9)]


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return spark.range(20).selectExpr(
        "id AS src", "id + 1 AS dst", "timestamp_seconds(id * 900) AS time", "id % 2 AS region"
    )


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_the_same_call_has_the_same_semantics(edges: DataFrame, question: Question) -> None:
    def call(edges: DataFrame) -> DataFrame:
        return question.ask(edges, PAIRS, window="1 hour", by="region")

    assert call(edges).sameSemantics(call(edges))
    assert not call(edges).sameSemantics(call(edges.where("src > 3")))


def test_other_pairs_are_another_call(edges: DataFrame) -> None:
    asked, other = (
        edges.bicConnectivity("1 hour", queries=pairs) for pairs in (PAIRS, [(1, 2), (2, 8)])
    )
    assert not asked.sameSemantics(other)


def test_a_cached_answer_is_read_and_freed(edges: DataFrame) -> None:
    def call() -> DataFrame:
        return edges.bicComponents("1 hour", by="region")

    wanted = sorted(call().collect())
    kept = call().cache()
    try:
        assert sorted(kept.collect()) == wanted
        assert call().storageLevel.useMemory
    finally:
        kept.unpersist()
    assert not call().storageLevel.useMemory
