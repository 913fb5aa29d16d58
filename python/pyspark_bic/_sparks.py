"""Which versions of Spark this package serves, and which of its jars the running one needs."""

import warnings

from pyspark import __version__ as running
from pyspark.errors import PySparkRuntimeError

from pyspark_bic._version import __version__

SUPPORTED = {"4.0": "2.13", "4.1": "2.13", "4.2": "2.13"}
"""The minor versions of Spark that there are jars for, rising, each with its version of Scala."""


def artifact(version: str = running) -> str:
    """The name of the jar for a version of Spark.

    Of a Spark newer than all jars, that is the newest jar, and a warning says so.

    Raises
    ------
    pyspark.errors.PySparkRuntimeError
        There is no jar for this version.
    """
    minor = ".".join(version.split(".")[:2])
    if minor in SUPPORTED:
        return f"spark-bic_{minor}_{SUPPORTED[minor]}"
    *_, newest = SUPPORTED
    if _number(minor) < _number(newest):
        raise PySparkRuntimeError(
            message=f"pyspark-bic {__version__} serves Spark {', '.join(SUPPORTED)}, but PySpark "
            f"is {version}: install one of these, such as pip install 'pyspark=={newest}.*'"
        )
    warnings.warn(
        f"PySpark {version} is newer than every jar of pyspark-bic {__version__}, which has been "
        f"tested up to Spark {newest}; the jar for {newest} is taken",
        stacklevel=2,
    )
    return f"spark-bic_{newest}_{SUPPORTED[newest]}"


def coordinates(version: str = running) -> str:
    """The Maven coordinates of :func:`artifact`."""
    return f"io.github.sparkbic:{artifact(version)}:{__version__}"


def _number(minor: str) -> tuple[int, ...]:
    return tuple(int(part) for part in minor.split("."))


if _number(".".join(running.split(".")[:2])) < _number(next(iter(SUPPORTED))):
    # At once, before another module of this package misses what came to PySpark later.
    artifact()
