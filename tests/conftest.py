"""The Spark session that the tests share, and how Hypothesis runs."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from pyspark.sql import SparkSession

from pyspark_bic import configure_spark_with_bic

# A Spark job takes its time, and the session is made once for all examples.
settings.register_profile(
    "spark",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("spark")


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    builder = (
        SparkSession.builder.master("local[2]")
        .appName("pyspark-bic tests")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.default.parallelism", 2)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
        .config("spark.driver.memory", "2g")
    )
    session = configure_spark_with_bic(builder).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
