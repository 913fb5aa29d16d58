"""The place and the name of the jar of this installation."""

from pathlib import Path

from pyspark.errors import PySparkRuntimeError, PySparkValueError

from pyspark_bic._sparks import artifact, coordinates
from pyspark_bic._version import __version__

# The value of spark.sql.extensions that makes the functions known to SQL and Spark Connect.
EXTENSION = "io.github.sparkbic.sql.BicExtensions"

# Spark splits spark.jars at commas and reads each part as a pattern, also after percent-encoding.
_UNREADABLE = ",?[]{:"

_JARS = Path(__file__).resolve().parent / "jars"


def jar_path() -> Path:
    """The jar that this installation of ``pyspark-bic`` carries for the installed PySpark.

    Useful where the JVM starts before Python does, as with
    ``spark-submit --jars "$(python -c 'import pyspark_bic; print(pyspark_bic.jar_path())')"``.
    If a ``#`` is in the path, Spark needs ``jar_path().as_uri()``.

    Returns
    -------
    pathlib.Path
        An absolute path.

    Raises
    ------
    pyspark.errors.PySparkRuntimeError
        This installation has no jar, as in a source tree that has not been built, or none for the
        installed PySpark.
    """
    jar = _JARS / f"{artifact()}-{__version__}.jar"
    if not jar.is_file():
        raise PySparkRuntimeError(
            message=f"pyspark-bic {__version__} has no jar at {jar}: install the wheel "
            f"(in a source tree, `make build SPARK={artifact().split('_')[1]}` makes it), or start "
            f"Spark with --packages "
            f"{coordinates()}"
        )
    return jar


def jar_setting() -> str:
    """The jar as a value of ``spark.jars``.

    Raises
    ------
    pyspark.errors.PySparkValueError
        The path holds a character that Spark cannot read there.
    """
    jar = jar_path()
    # The drive of a path of Windows has a colon, which Spark can read.
    path = str(jar)[len(jar.anchor) :]
    # In a pattern with a '*', a backslash is no character of the name.
    unreadable = _UNREADABLE + ("\\" if "*" in path else "")
    odd = next((each for each in path if each in unreadable), None)
    if odd is not None:
        raise PySparkValueError(
            message=f"the path of the spark-bic jar, {jar}, holds a '{odd}', which Spark cannot "
            f"read in spark.jars: install pyspark-bic into a folder without any of {unreadable}, "
            f"or start Spark with --packages {coordinates()}"
        )
    # A plain path would end at the first '#', as a URI does.
    return jar.as_uri() if "#" in str(jar) else str(jar)
