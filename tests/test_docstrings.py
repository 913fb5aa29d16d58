"""The examples of the docstrings run, and print what they say."""

import doctest
import re
from datetime import datetime
from typing import Any

import pytest
from pyspark.sql import SparkSession

import pyspark_bic
import questions
from pyspark_bic._methods import METHODS

QUESTIONS = [function.__name__ for function in questions.FUNCTIONS]
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


def section(name: str, title: str) -> str:
    """The text of a section of a docstring, up to the title of the next section."""
    doc = getattr(pyspark_bic, name).__doc__
    text = re.search(rf"\n    {title}\n    -+\n(.*?)\n\n    [A-Z]\w+\n    -+\n", doc, re.DOTALL)
    assert text is not None
    return text.group(1)


def parameters(name: str) -> dict[str, str]:
    """The text about each parameter, by its line with name and type."""
    text = section(name, "Parameters")
    held = re.findall(r"^    (\S.*)\n((?:(?:     .*)?\n?)*)", text, re.MULTILINE)
    assert all(described.strip() for _, described in held)
    return dict(held)


def test_each_docstring_stands_alone_and_the_same_parameter_has_the_same_text() -> None:
    one = parameters("bic_connectivity")
    own = {"window", "queries", "early", "since", "refresh", "index"}
    shared = [head for head in one if head.split(" : ")[0] not in own]
    assert len(shared) == 7
    for name in QUESTIONS:
        other = parameters(name)
        for head in shared:
            assert other[head].strip() == one[head].strip(), f"{name}: {head}"
    for name in FUNCTIONS:
        assert "As for :func:" not in getattr(pyspark_bic, name).__doc__, name


def refusals(name: str) -> list[str]:
    """The points of the section about errors, in their order."""
    text = section(name, "Raises")
    points = re.findall(r"^        - (.*(?:\n          .*)*)", text, re.MULTILINE)
    return [" ".join(point.split()) for point in points]


def test_what_every_question_refuses_has_the_same_text() -> None:
    own = ("Several windows", "Without a window")
    shared = [point for point in refusals("bic_component_stats") if not point.startswith(own)]
    assert len(shared) == 9
    for name in QUESTIONS:
        assert [point for point in refusals(name) if point in shared] == shared, name
