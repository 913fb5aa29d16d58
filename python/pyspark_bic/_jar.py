"""The place and the name of the jar of this installation."""

from pathlib import Path

from pyspark.errors import PySparkRuntimeError

from pyspark_bic._sparks import artifact, coordinates
from pyspark_bic._version import __version__

# The value of spark.sql.extensions that makes the functions known to SQL and Spark Connect.
EXTENSION = "io.github.sparkbic.sql.BicExtensions"

_JARS = Path(__file__).resolve().parent / "jars"


def jar_path() -> Path:
    """The jar that this installation of ``pyspark-bic`` carries for the installed PySpark.

    Useful where the JVM starts before Python does, as with
    ``spark-submit --jars "$(python -c 'import pyspark_bic; print(pyspark_bic.jar_path())')"``.

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
            f"(in a source tree, `make build` makes it), or start Spark with --packages "
            f"{coordinates()}"
        )
    return jar
