"""Settings that a session would start with, so that adding to one does not hide what it holds.

Spark lets a builder's setting replace the one of ``spark-defaults.conf``, and an option in
``PYSPARK_SUBMIT_ARGS`` replace both. A list that is to be added to is therefore read first.
"""

import os
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from pyspark.errors import PySparkValueError
from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import SparkSession

# The option of spark-submit that replaces a setting.
_OPTIONS = {"spark.jars": "--jars", "spark.jars.packages": "--packages"}


def extend(builder: SparkSession.Builder, key: str, values: list[str]) -> None:
    """Add ``values`` to the list ``key`` of ``builder``, which keeps what it had, each once."""
    # The builder has no public reader; PySpark's own getOrCreate reads the same attribute.
    held = builder._options.get(key) or _default(key)
    merged = dict.fromkeys(part.strip() for part in [*str(held).split(","), *values])
    merged.pop("", None)
    _refuse_option(key, list(merged))
    builder.config(key, ",".join(merged))


def _default(key: str) -> str:
    """What ``spark-defaults.conf`` says for ``key``, empty where it says nothing."""
    folder = os.environ.get("SPARK_CONF_DIR") or Path(_find_spark_home()) / "conf"
    file = Path(folder) / "spark-defaults.conf"
    found = ""
    if file.is_file():
        for line in file.read_text(encoding="utf-8").splitlines():
            name, _, value = re.sub(r"\s*[=:\s]\s*", " ", line.strip(), count=1).partition(" ")
            if name == key:
                found = value.strip()
    return found


def _refuse_option(key: str, needed: list[str]) -> None:
    # Under spark-submit the JVM runs already, and none of this has an effect.
    if "PYSPARK_GATEWAY_PORT" in os.environ or key not in _OPTIONS:
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
    words = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))
    for word, following in pairwise([*words, ""]):
        name, equals, rest = word.partition("=")
        value = rest if equals else following
        if name == _OPTIONS[key]:
            yield name, value
        elif name in ("--conf", "-c") and value.partition("=")[0] == key:
            yield f"{name} {key}", value.partition("=")[2]
