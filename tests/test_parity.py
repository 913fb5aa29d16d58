"""One name and one default for one concept: Scala and SQL beside Python."""

import inspect
import re
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pyspark_bic._methods import METHODS
from questions import literal
from tables import static_edges

# What Scala says where Python says None: there is none, or it has no effect.
_NONE = ("None", "List()", "0 seconds", "whole table")
REQUIRED = "required"


def in_python(method: str, other: dict[str, Any]) -> list[tuple[str, Any]]:
    """Names and defaults, of which the ``other`` side says which are required."""
    held = {
        name: REQUIRED if each.default is inspect.Parameter.empty else each.default
        for name, each in inspect.signature(METHODS[method]).parameters.items()
    }
    # They have a default in Python only because they follow one.
    for given in {"queries", "marked"} & {key for key in other if other[key] == REQUIRED}:
        assert held[given] is None
        held[given] = REQUIRED
    return list(held.items())


@pytest.mark.classic("it looks into the JVM")
@pytest.mark.parametrize("name", METHODS)
def test_names_and_defaults_in_scala(spark: SparkSession, name: str) -> None:
    jvm: Any = spark._jvm
    edges: Any = static_edges(spark, [])._jdf
    scala = jvm.io.github.sparkbic.SlidingWindowConnectivity(edges)
    # Of overloaded methods the longest; the others say less.
    method = max(
        (each for each in scala.getClass().getMethods() if each.getName() == name),
        key=lambda each: int(each.getParameterCount()),
    )
    in_scala = {
        snake_case(each.getName()): default(scala, f"{name}$default${position}")
        for position, each in enumerate(method.getParameters(), start=1)
    }
    assert [("edges", REQUIRED), *in_scala.items()] == in_python(name, in_scala)


def snake_case(name: str) -> str:
    return re.sub(r"([A-Z])", lambda letter: "_" + letter.group(1).lower(), name)


def default(scala: Any, getter: str) -> object:
    if all(each.getName() != getter for each in scala.getClass().getMethods()):
        return REQUIRED
    value = getattr(scala, getter)()
    if isinstance(value, bool | int | None):
        return value
    return (
        None if str(value.toString() if hasattr(value, "toString") else value) in _NONE else value
    )


@pytest.mark.parametrize("name", METHODS)
def test_names_and_defaults_in_sql(spark: SparkSession, name: str) -> None:
    """What SQL says of a function."""
    described = spark.sql(f"DESCRIBE FUNCTION {METHODS[name].__name__}").collect()
    [line] = [row[0] for row in described if row[0].startswith("Usage:")]
    usage = re.search(r"\((.*)\)", line.replace("\n", " "))
    assert usage is not None
    terms = [[*each.split(" => "), REQUIRED][:2] for each in usage[1].strip().split(", ")]
    wanted = [
        [name, value if value == REQUIRED else literal(value)]
        for name, value in in_python(name, dict(terms))
    ]
    assert terms == wanted
