"""Counters of a batch query, by way of PySpark's Observation."""

from typing import Any

from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import Observation
from pyspark.sql.classic.dataframe import DataFrame

from pyspark_bic._arguments import wrong


def attach(edges: DataFrame, observation: Observation) -> Any:
    """The JVM's side of ``observation``, made as :meth:`pyspark.sql.DataFrame.observe` makes it."""
    if not isinstance(observation, Observation):
        raise PySparkTypeError(
            message=wrong("observation", "a pyspark.sql.Observation", observation)
        )
    if observation._jo is not None:
        raise PySparkValueError(
            message="observation is in use already: make a new pyspark.sql.Observation for each "
            "call"
        )
    jvm = edges.sparkSession._jvm
    assert jvm is not None, "a classic session exists only once the JVM runs"
    observation._jvm = jvm
    of_name = jvm.org.apache.spark.sql.Observation
    observation._jo = of_name() if observation._name is None else of_name(observation._name)
    return observation._jo
