"""The Spark session that the tests share, classic or Connect, and how Hypothesis runs."""

import os
from collections.abc import Iterator
from typing import Any

import pyspark
import pytest
from hypothesis import HealthCheck, settings
from pyspark.sql import SparkSession

from connect_server import connect_server
from pyspark_bic import configure_spark_with_bic
from session_settings import set_to, settings_of, unchanged

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
# reserves so little room for code that it soon throws away what it has compiled. No collector is
# chosen here: sbt and other programs choose theirs, and a JVM does not start with two.
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

# A quarter of the processor time of a session went where nothing is tested: into processes that set
# the permissions of a checkpoint's files, and, in a classic session, into a class loader for each
# stream, with all of its generated code compiled anew. Programs that tests start have both, as
# users have them.
CHECKPOINTING = "" if pyspark.__version__ < "4.1" else ".checkpointing"
SETTINGS["spark.sql.streaming.checkpointFileManagerClass"] = (
    f"org.apache.spark.sql.execution.streaming{CHECKPOINTING}.FileSystemBasedCheckpointFileManager"
)
SHARED_CLASSES = {"spark.sql.artifact.isolation.enabled": "false"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--connect",
        action="store_true",
        help="run the tests that share a Spark session from a Spark Connect client",
    )
    parser.addoption(
        "--part",
        choices=["session", "other", "long"],
        help="run only the short tests that share a Spark session, only the short ones that do "
        "not, or only the long ones",
    )


# A call gets to Spark as JSON through Py4J, or as SQL from a Connect client; its answers come back
# in two ways as well. Behind them the code is the same, so each test runs on one kind of session.
# Both kinds take about as long. Tests of these two ways are marked `both`.
ON_CONNECT = {
    "test_connect.py",
    "test_fuzz.py",
    "test_metrics.py",
    "test_sql.py",
    "test_sql_refusals.py",
    "test_streaming.py",
}
# Spark 3.5 has no Connect client for this package, and so runs all on classic sessions.
HAS_CONNECT = pyspark.__version__ >= "4"


def part_of(item: pytest.Item, connect: bool) -> str | None:
    """The part that runs this test on this kind of session, if one does."""
    if is_marked(item, "long"):
        return None if connect else "long"
    if "spark" not in getattr(item, "fixturenames", ()):
        return None if connect else "other"
    if not (is_marked(item, "both") or connect == is_on_connect(item)):
        return None
    return "long" if is_marked(item, "later") and HAS_CONNECT else "session"


def is_on_connect(item: pytest.Item) -> bool:
    is_meant = item.path.name in ON_CONNECT or is_marked(item, "connect")
    return is_meant and HAS_CONNECT and not is_marked(item, "classic")


def is_marked(item: pytest.Item, name: str) -> bool:
    return item.get_closest_marker(name) is not None


def is_property(item: Any) -> bool:
    return hasattr(item.obj, "_hypothesis_internal_use_settings")


def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> None:
    connect, part = config.getoption("--connect"), config.getoption("--part")
    if connect or part is not None:
        wanted = {part} if part else {"session", "long"}
        kept = [item for item in items if part_of(item, connect) in wanted]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept
    for item in items:
        mark = item.get_closest_marker("since")
        version, what = mark.args if mark is not None else ("4.0", "PARTITION after a table")
        called = getattr(item, "callspec", None)
        needs_it = mark is not None or (called is not None and " PARTITION" in str(called.params))
        if needs_it and pyspark.__version__ < version:
            item.add_marker(pytest.mark.skip(reason=f"this Spark lacks {what}"))
    if connect:
        for item in items:
            mark = item.get_closest_marker("classic")
            if mark is not None:
                item.add_marker(pytest.mark.skip(reason=f"classic sessions only: {mark.args[0]}"))
    # Once each: the items of a test with parameters share one function.
    for item in {id(item.obj): item for item in items if is_property(item)}.values():
        usual = item.obj._hypothesis_internal_use_settings
        # What is the same behind both ways takes few examples on the second one.
        few = connect and is_marked(item, "both")
        examples = 2 if few else usual.max_examples
        item.obj._hypothesis_internal_use_settings = settings(usual, max_examples=examples)


@pytest.fixture(scope="session")
def spark(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparkSession]:
    builder = SparkSession.builder
    for key, value in SETTINGS.items():
        builder.config(key, value)
    configure_spark_with_bic(builder)
    if not request.config.getoption("--connect"):
        for key, value in SHARED_CLASSES.items():
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


@pytest.fixture(scope="session")
def first_settings(spark: SparkSession) -> dict[str, str]:
    return settings_of(spark)


@pytest.fixture(autouse=True)
def settings_stay(request: pytest.FixtureRequest) -> Iterator[None]:
    """The session has the same settings after a test as at first, or else the test has failed.

    A setting that leaks changes what every later test runs under, and nothing there tells of it.
    """
    if "spark" not in request.fixturenames:
        yield
        return
    first = request.getfixturevalue("first_settings")
    with unchanged(request.getfixturevalue("spark"), first):
        yield


@pytest.fixture
def new_york(spark: SparkSession) -> Iterator[None]:
    """The session's clock, which is set back within ``tables.SET_BACK``."""
    with set_to(spark, {"spark.sql.session.timeZone": "America/New_York"}):
        yield
