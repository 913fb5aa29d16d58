"""The examples of the docstrings run, and print what they say."""

import doctest
from datetime import datetime
from typing import Any

import pytest
from pyspark.sql import SparkSession

import pyspark_bic

FUNCTIONS = [
    "bic_changes",
    "bic_component_stats",
    "bic_components",
    "bic_connectivity",
    "bic_largest_components",
    "bic_paths",
    "star_edges",
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_examples(spark: SparkSession, name: str) -> None:
    def at(minute: int) -> datetime:
        return datetime(2024, 5, 1, 10, minute)

    rows = [("ann", "bob", at(5)), ("bob", "cleo", at(20)), ("dan", "eve", at(40))]
    held: dict[str, Any] = {
        "edges": spark.createDataFrame(rows, "src string, dst string, time timestamp"),
        "payments": spark.createDataFrame(
            [("ann", "phone-1", "card-7", at(5))],
            "account string, device string, card string, time timestamp",
        ),
        "star_edges": pyspark_bic.star_edges,
    }
    [examples] = doctest.DocTestFinder(recurse=False).find(
        getattr(pyspark_bic, name), name, globs=held
    )
    assert examples.examples
    told: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(examples, out=told.append)
    assert outcome.failed == 0, "".join(told)
