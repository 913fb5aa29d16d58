"""The examples of the docstrings run, and print what they say."""

import doctest
import re
from datetime import datetime
from inspect import signature
from typing import Any

import pytest
from pyspark.sql import SparkSession

import pyspark_bic
from pyspark_bic._methods import METHODS

FUNCTIONS = [*(method.__name__ for method in METHODS.values()), "star_edges"]


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


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_docstring_describes_all_parameters(name: str) -> None:
    """In their order, and without a look at another docstring."""
    function = getattr(pyspark_bic, name)
    section = re.search(r"\n *Parameters\n *-+\n(.*?)\n *Returns\n", function.__doc__, re.DOTALL)
    assert section is not None
    heads = re.findall(r"^ *(\w+(?:, \w+)*) : \S.*\n +\S", section[1], re.MULTILINE)
    assert ", ".join(heads).split(", ") == [*signature(function).parameters]
    assert re.search(r"^ *\{\w+\}$", function.__doc__, re.MULTILINE) is None
