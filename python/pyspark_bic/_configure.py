"""Putting the jar on the class path of a session that is about to start."""

from collections.abc import Iterable

from pyspark.errors import PySparkTypeError
from pyspark.sql import SparkSession

from pyspark_bic._arguments import names, wrong
from pyspark_bic._connect import is_remote
from pyspark_bic._jar import EXTENSION, jar_setting
from pyspark_bic._jvm import python_api
from pyspark_bic._settings import extend


def configure_spark_with_bic(
    builder: SparkSession.Builder, extra_packages: Iterable[str] | None = None
) -> SparkSession.Builder:
    """Add the jar that this wheel carries to the session that ``builder`` will start.

    With it comes the setting ``spark.sql.extensions``, which makes the functions known to SQL and
    to Spark Connect. Nothing is downloaded. What ``spark.jars``, ``spark.jars.packages`` and
    ``spark.sql.extensions`` already hold, in the builder or else in ``--conf`` or
    ``spark-defaults.conf``, stays. The builder must start the first session of the process: Spark
    reads these settings only when its JVM starts. Where the JVM is already running
    (``spark-submit``, the ``pyspark`` shell, a notebook server's session), start it with
    ``--packages`` or with ``--jars`` and :func:`pyspark_bic.jar_path` instead.

    Parameters
    ----------
    builder : pyspark.sql.SparkSession.Builder
        The builder to add to; it is changed in place.
    extra_packages : iterable of str, optional
        Further Maven coordinates (``group:artifact:version``) for ``spark.jars.packages``.

    Returns
    -------
    pyspark.sql.SparkSession.Builder
        The same builder.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``builder`` is not a builder, or ``extra_packages`` is not made of str.
    pyspark.errors.PySparkValueError
        ``PYSPARK_SUBMIT_ARGS`` holds ``--jars`` or ``--packages``, which would hide the setting.
        Or the path of the jar holds a character that Spark cannot read in ``spark.jars``.
    pyspark.errors.PySparkRuntimeError
        This installation has no jar, or none for the installed PySpark. Or a session is running,
        and runs without the jar.

    Examples
    --------
    >>> from pyspark.sql import SparkSession
    >>> builder = SparkSession.builder.master("local[2]")
    >>> spark = configure_spark_with_bic(builder).getOrCreate()  # doctest: +SKIP
    """
    if not isinstance(builder, SparkSession.Builder):
        raise PySparkTypeError(
            message=wrong("builder", "a SparkSession.Builder, as SparkSession.builder is", builder)
        )
    running = SparkSession.getActiveSession()
    if running is not None and not is_remote(running):
        # Too late for the settings: the session must have the jar.
        python_api(running)
    extend(builder, "spark.jars", [jar_setting()])
    extend(builder, "spark.sql.extensions", [EXTENSION])
    if extra_packages is not None:
        extend(builder, "spark.jars.packages", names("extra_packages", extra_packages))
    return builder
