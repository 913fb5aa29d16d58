"""Settings that a session would start with, so that adding to a setting does not hide its value.

In Spark a builder's setting replaces the setting of ``spark-defaults.conf`` or of ``--conf``, and
options such as ``--jars`` replace both. So a list is read before something is added to it.
"""

import os
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkValueError
from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import SparkSession

# The option of spark-submit that replaces a setting.
_OPTIONS = {"spark.jars": "--jars", "spark.jars.packages": "--packages"}


def extend(builder: SparkSession.Builder, key: str, values: list[str]) -> None:
    """Add ``values`` to the list ``key`` of ``builder``, which keeps what it had, each once."""
    # The builder has no public reader; PySpark's own getOrCreate reads the same attribute.
    held = builder._options.get(key) or _started_with(key)
    merged = dict.fromkeys(part.strip() for part in [*str(held).split(","), *values])
    merged.pop("", None)
    _refuse_option(key, list(merged))
    builder.config(key, ",".join(merged))


def _started_with(key: str) -> str:
    """The value of ``key`` that the JVM has or would start with; empty if there is none."""
    if _is_running():
        SparkContext._ensure_initialized()
        return SparkConf().get(key, "") or ""
    given = [value for _, value in _given(key)]
    return given[-1] if given else _default(key)


def _is_running() -> bool:
    """Whether ``spark-submit`` has started this program, and the JVM before it."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def _default(key: str) -> str:
    """The value of ``key`` in ``spark-defaults.conf``, or in the file given in its place."""
    folder = os.environ.get("SPARK_CONF_DIR") or Path(_find_spark_home()) / "conf"
    files = [value for name, value in _options() if name == "--properties-file"]
    file = Path(files[-1]) if files else Path(folder) / "spark-defaults.conf"
    found = ""
    if file.is_file():
        for line in file.read_text(encoding="utf-8").splitlines():
            name, _, value = re.sub(r"\s*[=:\s]\s*", " ", line.strip(), count=1).partition(" ")
            if name == key:
                found = value.strip()
    return found


def _refuse_option(key: str, needed: list[str]) -> None:
    # A JVM that runs already has taken its options.
    if _is_running() or key not in _OPTIONS:
        return
    for option, value in _given(key):
        missing = [each for each in needed if each not in value.split(",")]
        if missing:
            raise PySparkValueError(
                message=f"PYSPARK_SUBMIT_ARGS holds {option}, which replaces {key}: add "
                f"{','.join(missing)} to it, or move its value into the builder's {key}"
            )


def _given(key: str) -> Iterator[tuple[str, str]]:
    """The options of ``PYSPARK_SUBMIT_ARGS`` that set ``key``, as they are written, and to what."""
    for name, value in _options():
        if name == _OPTIONS.get(key):
            yield name, value
        elif name in ("--conf", "-c") and value.partition("=")[0] == key:
            yield f"{name} {key}", value.partition("=")[2]


def _options() -> Iterator[tuple[str, str]]:
    """The words of ``PYSPARK_SUBMIT_ARGS``, each with its value, or with what follows it."""
    words = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))
    for word, following in pairwise([*words, ""]):
        name, equals, rest = word.partition("=")
        yield name, rest if equals else following
