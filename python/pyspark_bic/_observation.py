"""Counters of a batch query, by way of PySpark's Observation."""

from typing import Any

from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import Observation

from pyspark_bic._arguments import wrong
from pyspark_bic._classic import DataFrame


def require_unused(observation: Any, kind: type, counters: str) -> None:
    """Refuse what is no observation of this ``kind``, or has an attribute ``counters`` already."""
    if not isinstance(observation, kind):
        raise PySparkTypeError(
            message=wrong("observation", "a pyspark.sql.Observation", observation)
        )
    if getattr(observation, counters) is not None:
        raise PySparkValueError(
            message="observation is in use already: make a new pyspark.sql.Observation for each "
            "call"
        )


def jvm_side(edges: DataFrame, observation: Observation) -> Any:
    """A JVM object for ``observation``, as :meth:`pyspark.sql.DataFrame.observe` makes it."""
    require_unused(observation, Observation, "_jo")
    jvm = edges.sparkSession._jvm
    assert jvm is not None, "a classic session exists only once the JVM runs"
    of_name = jvm.org.apache.spark.sql.Observation
    return of_name() if observation._name is None else of_name(observation._name)


def attach(observation: Observation, edges: DataFrame, counters: Any) -> None:
    """Make ``observation.get`` read ``counters``, now that the JVM has accepted the call."""
    observation._jvm = edges.sparkSession._jvm
    observation._jo = counters
