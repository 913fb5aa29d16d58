"""Which versions of Spark this package serves, and which of its jars the running one needs."""

import os
import warnings
from pathlib import Path

import pyspark
from pyspark import __version__ as running
from pyspark.errors import PySparkRuntimeError

from pyspark_bic._version import __version__

SUPPORTED = {"3.5": ("2.12", "2.13"), "4.0": ("2.13",), "4.1": ("2.13",), "4.2": ("2.13",)}
"""The minor versions of Spark that there are jars for, rising, each with its versions of Scala."""


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
        return f"spark-bic_{minor}_{_scala(SUPPORTED[minor])}"
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
    return f"spark-bic_{newest}_{SUPPORTED[newest][-1]}"


def coordinates(version: str = running) -> str:
    """The Maven coordinates of :func:`artifact`."""
    return f"io.github.sparkbic:{artifact(version)}:{__version__}"


def _scala(versions: tuple[str, ...]) -> str:
    """The version of Scala of the installed Spark; PySpark of PyPI has the first one."""
    home = Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent)
    there = [each for each in versions if any(home.glob(f"jars/scala-library-{each}.*.jar"))]
    return there[0] if there else versions[0]


def _number(minor: str) -> tuple[int, ...]:
    return tuple(int(part) for part in minor.split("."))


if _number(".".join(running.split(".")[:2])) < _number(next(iter(SUPPORTED))):
    # At once, before another module of this package misses what came to PySpark later.
    artifact()
