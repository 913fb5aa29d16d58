"""Every call goes through here to the JVM and back: its arguments, checked, as one object."""

import json
import numbers
from collections.abc import Callable
from typing import Any

from pyspark.errors import PySparkRuntimeError, PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame

from pyspark_bic import _connect
from pyspark_bic._arguments import duration, durations, spark_frame, text, wrong
from pyspark_bic._classic import DataFrame as ClassicDataFrame
from pyspark_bic._columns import by_name
from pyspark_bic._jvm import python_api
from pyspark_bic._observation import attach, jvm_side
from pyspark_bic._queries import asked, pairs_frame


def _size(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise PySparkTypeError(message=wrong(name, "an int", value))
    size = int(value)
    if not -(2**63) <= size < 2**63:
        raise PySparkValueError(message=f"{name} must fit in 64 bits, but it is {size}")
    return size


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise PySparkTypeError(message=wrong(name, "a bool", value))
    return value


def _optional_duration(name: str, value: object) -> str | None:
    return None if value is None else duration(name, value)


def _lengths(name: str, value: object) -> str | list[str] | None:
    if value is None:
        return None
    found = durations(name, value)
    return found[0] if len(found) == 1 else found


def _index(name: str, value: object) -> str:
    return text(name, value, "the name of an index, such as 'auto'")


# The check of each parameter that Python can make by itself; Scala checks the rest.
_CHECKS: dict[str, Callable[[str, object], Any]] = {
    "edges": spark_frame,
    "window": _lengths,
    "slide": _optional_duration,
    "top": _size,
    "min_size": _size,
    "updates_only": _flag,
    "stable": _flag,
    "early": _flag,
    "since": _flag,
    "members": _flag,
    "sizes": _flag,
    "start_time": _optional_duration,
    "index": _index,
}


def answers(function: str, given: dict[str, Any]) -> DataFrame:
    """Call ``function``, named as in SQL, with the arguments ``given`` by name."""
    options = {name: check(name, given[name]) for name, check in _CHECKS.items() if name in given}
    edges: Any
    edges, columns = by_name(options.pop("edges"), given)
    options |= columns
    observation = given["observation"]
    remote = _connect.is_remote(edges)
    if remote:
        _connect.require_functions(edges.sparkSession)
    else:
        api = python_api(edges.sparkSession)
    if "queries" in given:
        options["queries"] = asked(edges, options["src"], given["queries"])
    if "answers" in given:
        options["answers"] = spark_frame("answers", given["answers"])
    for name in ("queries", "answers"):
        _require_one_session(edges, name, options.get(name))
    if remote:
        if isinstance(options.get("queries"), list):
            options["queries"] = pairs_frame(edges.sparkSession, options["queries"])
        return _connect.call(function, edges, options, observation)
    objects = {"edges": edges._jdf}
    for name in [name for name, value in options.items() if isinstance(value, ClassicDataFrame)]:
        objects[name] = options.pop(name)._jdf
    if observation is not None:
        objects["observation"] = jvm_side(edges, observation)
    found = api.answers(function, json.dumps(options), objects)
    if observation is not None:
        attach(observation, edges, objects["observation"])
    return ClassicDataFrame(found, edges.sparkSession)


def _require_one_session(edges: DataFrame, name: str, frame: object) -> None:
    if isinstance(frame, DataFrame) and not _connect.is_same_session(frame, edges):
        both = _connect.is_remote(frame) and _connect.is_remote(edges)
        raise PySparkRuntimeError(
            message=f"{name} and edges must be of one session, but "
            + (
                "they belong to two of Spark Connect"
                if both
                else "one of them belongs to Spark Connect and the other does not"
            )
        )
