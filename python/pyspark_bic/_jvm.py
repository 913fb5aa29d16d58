"""The way to the Scala side, which holds the algorithm."""

from typing import Any

from py4j.java_gateway import JavaPackage
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession

from pyspark_bic._sparks import coordinates
from pyspark_bic._version import __version__


def python_api(spark: SparkSession) -> Any:
    """The Scala object that serves this package, after a check that it is there and fits."""
    jvm = spark._jvm
    assert jvm is not None, "a classic session exists only once the JVM runs"
    api = jvm.io.github.sparkbic.PythonApi
    # For a class that is not on the class path, py4j hands out a package of that name.
    if isinstance(api, JavaPackage):
        raise PySparkRuntimeError(
            message="this Spark session runs without the spark-bic jar: make the first session of "
            "the process with configure_spark_with_bic(SparkSession.builder).getOrCreate(), or "
            f"start Spark with --packages {coordinates()}"
        )
    refusal = api.refusal()
    if refusal is not None:
        raise PySparkRuntimeError(message=refusal)
    found = api.version()
    if found != __version__:
        raise PySparkRuntimeError(
            message=f"this Spark session runs the spark-bic jar {found}, but pyspark-bic is "
            f"{__version__}: pip install pyspark-bic=={found}, or start Spark with --packages "
            f"{coordinates()}"
        )
    return api
