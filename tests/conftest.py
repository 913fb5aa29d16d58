"""The Spark session that the tests share, classic or Connect, and how Hypothesis runs."""

import os
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from pyspark.sql import SparkSession

from connect_server import connect_server
from pyspark_bic import configure_spark_with_bic
from session_settings import unchanged

# A Spark job takes its time, and the session is made once for all examples.
settings.register_profile(
    "spark",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("spark")

# Most of what Spark runs in a test runs a few times: the optimising compiler would take a third of
# the processor time of every JVM that is started from here, and give little back. Without it a JVM
# reserves so little room for code that it soon throws away what it has compiled.
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m")

SETTINGS = {
    "spark.master": "local[2]",
    "spark.app.name": "pyspark-bic tests",
    "spark.sql.shuffle.partitions": 2,
    "spark.default.parallelism": 2,
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "2g",
}

# A quarter of the processor time of a classic session went where nothing is tested: into a class
# loader for each stream, with all of its generated code compiled anew, and into processes that set
# the permissions of a checkpoint's files. The Connect server, and programs that tests start, have
# it as users have it.
QUICK = {
    "spark.sql.artifact.isolation.enabled": "false",
    "spark.sql.streaming.checkpointFileManagerClass": "org.apache.spark.sql.execution.streaming"
    ".checkpointing.FileSystemBasedCheckpointFileManager",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--connect",
        action="store_true",
        help="run the tests that share a Spark session from a Spark Connect client",
    )
    parser.addoption(
        "--part",
        choices=["session", "other", "long"],
        help="run only the tests that share a Spark session, only the short ones that do not, or "
        "only those that are marked long",
    )


def part_of(item: pytest.Item) -> str:
    if item.get_closest_marker("long") is not None:
        return "long"
    return "session" if "spark" in getattr(item, "fixturenames", ()) else "other"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    connect = config.getoption("--connect")
    part = "session" if connect else config.getoption("--part")
    if part is not None:
        kept = [item for item in items if part_of(item) == part]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept
    if connect:
        adapt_to_connect(items)


def adapt_to_connect(items: list[pytest.Item]) -> None:
    for item in items:
        mark = item.get_closest_marker("classic")
        if mark is not None:
            item.add_marker(pytest.mark.skip(reason=f"classic sessions only: {mark.args[0]}"))
        test: Any = getattr(item, "obj", None)
        if hasattr(test, "_hypothesis_internal_use_settings"):
            # The engine is the same: what may differ is the way there, which few examples show.
            few = settings(test._hypothesis_internal_use_settings, max_examples=4)
            test._hypothesis_internal_use_settings = few


@pytest.fixture(scope="session")
def spark(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparkSession]:
    builder = SparkSession.builder
    for key, value in SETTINGS.items():
        builder.config(key, value)
    configure_spark_with_bic(builder)
    if not request.config.getoption("--connect"):
        for key, value in QUICK.items():
            builder.config(key, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()
        return
    with connect_server(builder._options, tmp_path_factory.mktemp("server")) as url:
        remote = SparkSession.Builder().remote(url).getOrCreate()
        yield remote
        remote.stop()


@pytest.fixture(autouse=True)
def settings_stay(request: pytest.FixtureRequest) -> Iterator[None]:
    """The session has the same settings after a test as before, or else the test has failed.

    A setting that leaks changes what every later test runs under, and nothing there tells of it.
    """
    shared = "spark" in request.fixturenames
    with unchanged(request.getfixturevalue("spark")) if shared else nullcontext():
        yield


@pytest.fixture
def new_york(spark: SparkSession) -> Iterator[None]:
    """The session's clock, which is set back within ``tables.SET_BACK``."""
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    yield
    spark.conf.set("spark.sql.session.timeZone", "UTC")
