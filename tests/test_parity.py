"""One name and one default for one concept: Scala beside Python. test_sql.py has SQL beside it."""

import inspect
import re
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pyspark_bic._methods import METHODS
from tables import static_edges

# What Scala says where Python says None: there is none, or it has no effect.
_NONE = ("None", "List()", "0 seconds", "whole table")


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
    parameters = dict(inspect.signature(METHODS[name]).parameters)
    del parameters["edges"]
    in_python = {
        name: "required" if each.default is inspect.Parameter.empty else each.default
        for name, each in parameters.items()
    }
    # They have a default in Python only because they follow one.
    for given in {"queries", "marked"} & {key for key in in_scala if in_scala[key] == "required"}:
        assert in_python[given] is None
        in_python[given] = "required"
    assert list(in_scala.items()) == list(in_python.items())


def snake_case(name: str) -> str:
    return re.sub(r"([A-Z])", lambda letter: "_" + letter.group(1).lower(), name)


def default(scala: Any, getter: str) -> object:
    if all(each.getName() != getter for each in scala.getClass().getMethods()):
        return "required"
    value = getattr(scala, getter)()
    if isinstance(value, bool | int | None):
        return value
    return (
        None if str(value.toString() if hasattr(value, "toString") else value) in _NONE else value
    )
