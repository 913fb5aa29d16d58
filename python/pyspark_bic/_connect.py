"""The same calls from a Spark Connect client: through the table functions of SQL.

A client has no JVM at hand, but it can send SQL. So each call becomes
``SELECT * FROM bic_…(TABLE(…), …)`` with the arguments as literals, and Spark checks it at once, as
in a classic session. The server needs the jar and ``spark.sql.extensions``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from weakref import WeakSet

from pyspark.errors import AnalysisException, PySparkRuntimeError
from pyspark.sql import DataFrame, SparkSession

from pyspark_bic._jar import EXTENSION
from pyspark_bic._observation import require_unused
from pyspark_bic._sparks import coordinates
from pyspark_bic._version import __version__

if TYPE_CHECKING:
    from pyspark.sql.connect.observation import Observation

VERSION = "SELECT bic_version()"

# The condition of every bad argument that the server finds.
_INVALID = "BIC_INVALID_ARGUMENT"

# Sessions whose server has been found to have the jar, in the version of this package.
_checked: WeakSet[SparkSession] = WeakSet()


def is_remote(frame: DataFrame | SparkSession) -> bool:
    """Whether this is, or belongs to, a Spark Connect session."""
    # The class of a remote frame is not imported here: it needs packages that a classic session
    # does not need.
    return any(kind.__module__.startswith("pyspark.sql.connect.") for kind in type(frame).__mro__)


def is_same_session(one: DataFrame, other: DataFrame) -> bool:
    """Whether both belong to the same session of a server, or both to no server.

    A statement is resolved in one session: a view or a setting of another session would not be
    found, or would be another view or setting of the same name.
    """
    if not is_remote(one) or not is_remote(other):
        return is_remote(one) == is_remote(other)
    sessions: list[Any] = [one.sparkSession, other.sparkSession]
    return bool(sessions[0].session_id == sessions[1].session_id)


def require_functions(spark: SparkSession) -> None:
    """Check, once for each session, that the server has the functions, in our version."""
    if spark in _checked:
        return
    try:
        found = spark.sql(VERSION).collect()[0][0]
    except AnalysisException as error:
        if error.getCondition() != "UNRESOLVED_ROUTINE":
            raise
        raise PySparkRuntimeError(
            message="the Spark Connect server runs without the spark-bic functions: start it with "
            f"--packages {coordinates()} --conf spark.sql.extensions={EXTENSION}"
        ) from None
    if found != __version__:
        raise PySparkRuntimeError(
            message=f"the Spark Connect server runs the spark-bic jar {found}, but pyspark-bic is "
            f"{__version__}: pip install pyspark-bic=={found}, or start the server with --packages "
            f"{coordinates()}"
        )
    _checked.add(spark)


def call(
    function: str,
    edges: DataFrame,
    arguments: dict[str, Any],
    observation: Any,
) -> DataFrame:
    """The answers of a table function; an argument that is None is left out."""
    spark = edges.sparkSession
    given = {name: value for name, value in arguments.items() if value is not None}
    tables: dict[str, Any] = {
        name: value for name, value in given.items() if isinstance(value, DataFrame)
    }
    if observation is not None:
        given["observation"] = _name(observation)
    # In backquotes, since a session may reserve words such as `time`.
    terms = [
        f"`{name}` => " + (f"TABLE({{{name}}})" if name in tables else _literal(value))
        for name, value in given.items()
    ]
    statement = f"SELECT * FROM {function}(TABLE({{edges}}), {', '.join(terms)})"
    try:
        answers = spark.sql(statement, edges=edges, **tables)
    except AnalysisException as error:
        if error.getCondition() == _INVALID:
            # The message says all; getStackTrace() still has the stack of the server.
            cast(Any, error)._display_stacktrace = False
        raise
    # Observations of the frames that are read too, since a statement does not know them.
    observed: dict[str, Observation] = {}
    for frame in (edges, *tables.values()):
        observed |= frame._plan.observations
    if observation is not None:
        observation._result = {}
        observed[str(observation._name)] = observation
    return _observed(answers, observed) if observed else answers


def _literal(value: object) -> str:
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, list):
        return f"array({', '.join(_literal(each) for each in value)})"
    # A text goes by its bytes where the session might read its backslashes in another way, or where
    # spark.sql would take its braces for fields to format.
    if set(str(value)) & set("'\\{}"):
        return f"CAST(X'{str(value).encode().hex()}' AS STRING)"
    return f"'{value}'"


def _name(observation: Any) -> str:
    from uuid import uuid4

    from pyspark.sql.connect.observation import Observation

    require_unused(observation, Observation, "_result")
    # As Spark's own DataFrame.observe does.
    observation._name = observation._name or str(uuid4())
    return str(observation._name)


def _observed(answers: Any, observed: dict[str, Observation]) -> Any:
    """``answers``, with a plan that tells the client which observations receive the counters."""
    from pyspark.sql.connect.plan import LogicalPlan

    class Observed(LogicalPlan):
        """The same plan, under the same number."""

        def plan(self, session: Any) -> Any:
            return answers._plan.plan(session)

        @property
        def _plan_id(self) -> int:
            return int(answers._plan._plan_id)

        @property
        def observations(self) -> dict[str, Any]:
            return observed

    return type(answers)(Observed(answers._plan), answers.sparkSession)
