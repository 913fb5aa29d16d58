"""Every call goes through here to the JVM and back: its arguments, checked, as one object."""

import json
import numbers
from collections.abc import Callable, Iterable
from functools import cache
from inspect import Parameter, signature
from typing import Any, get_type_hints

from pyspark.errors import PySparkRuntimeError, PySparkTypeError
from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic import _connect
from pyspark_bic._arguments import Duration, duration, durations, spark_frame, text, wrong
from pyspark_bic._classic import DataFrame as ClassicDataFrame
from pyspark_bic._columns import by_name, of_events
from pyspark_bic._jvm import python_api
from pyspark_bic._observation import attach, jvm_side
from pyspark_bic._queries import VERTICES, Marked, Queries, vertices

Check = Callable[[str, object], Any]


def _number(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise PySparkTypeError(message=wrong(name, "an int", value))
    return int(value)


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise PySparkTypeError(message=wrong(name, "a bool", value))
    return value


def _optional(check: Check) -> Check:
    return lambda name, value: None if value is None else check(name, value)


def _later(_name: str, value: object) -> object:
    return value


# The check of each type that a parameter may have, of what Python alone can see; Scala checks the
# rest. Columns, pairs and observations are checked along with the edges.
_CHECKS: dict[Any, Check] = {
    DataFrame: spark_frame,
    bool: _flag,
    int: _number,
    str: lambda name, value: text(name, value, f"the name of an {name}, such as 'auto'"),
    Duration: durations,
    Duration | None: _optional(duration),
    Duration | Iterable[Duration]: durations,
    Duration | Iterable[Duration] | None: _optional(durations),
    **dict.fromkeys(
        [str | Column, str | Column | None, str | Column | Iterable[str | Column] | None], _later
    ),
    **dict.fromkeys([Queries | None, Marked | None, Observation | None], _later),
}


@cache
def _checks(function: Callable[..., DataFrame]) -> dict[str, Check]:
    """The check of each parameter."""
    types = get_type_hints(function)
    del types["return"]
    return {name: _CHECKS[kind] for name, kind in types.items()}


def answers(function: Callable[..., DataFrame], given: dict[str, Any]) -> DataFrame:
    """Call the function of SQL and Scala that has the name of ``function``.

    ``given`` has the arguments by name.
    """
    name = function.__name__
    options = {key: check(key, given[key]) for key, check in _checks(function).items()}
    observation = options.pop("observation")
    edges: Any
    edges, columns = by_name(options.pop("edges"), given)
    options |= columns
    added: list[str] = []
    if "events" in options:
        options["events"], columns, added = of_events(options["events"], given)
        options |= columns
    remote = _connect.is_remote(edges)
    if remote:
        _connect.require_functions(edges.sparkSession)
    else:
        api = python_api(edges.sparkSession)
    for key in VERTICES.keys() & given.keys():
        # Vertices that must be given may follow the slide by position; others have a name.
        is_optional = signature(function).parameters[key].kind is Parameter.KEYWORD_ONLY
        if given[key] is not None or not is_optional:
            options[key] = vertices(key, edges.sparkSession, given[key])
    for key, value in options.items():
        _require_one_session(edges, key, value)
    if remote:
        return _without(_connect.call(name, edges, options, observation), added)
    objects = {"edges": edges._jdf}
    for key, value in list(options.items()):
        if isinstance(value, ClassicDataFrame):
            objects[key] = options.pop(key)._jdf
    if observation is not None:
        objects["observation"] = jvm_side(edges, observation)
    found = api.answers(name, json.dumps(options), objects)
    if observation is not None:
        attach(observation, edges, objects["observation"])
    return _without(ClassicDataFrame(found, edges.sparkSession), added)


def _without(frame: DataFrame, added: list[str]) -> DataFrame:
    # To drop nothing would still put a node into the plan.
    return frame.drop(*added) if added else frame


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
