"""The Spark session that the tests share, classic or Connect, and how Hypothesis runs."""

import os
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pyspark
import pytest
from hypothesis import HealthCheck, settings
from pyspark.sql import SparkSession

from connect_server import connect_server
from pyspark_bic import configure_spark_with_bic
from session_settings import set_to, unchanged

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
        "--whole",
        action="store_true",
        help="with --part session: the modules too that the short tests leave to the other kind",
    )
    parser.addoption(
        "--part",
        choices=["session", "other", "long"],
        help="run only the short tests that share a Spark session, only the short ones that do "
        "not, or only the long ones",
    )


# The two kinds of sessions differ in how a call gets to Spark and how its answers come back. So
# most modules are run on one kind in the short part, and on the other in the long part. A module
# that is in both sets is run in the long part alone, on both kinds.
CONNECT_LATER = {
    "test_collegemsg.py",
    "test_connectivity.py",
    "test_docstrings.py",
    "test_equivalence.py",
    "test_graph_keys.py",
    "test_graphframes.py",
    "test_live.py",
    "test_live_alerts.py",
    "test_live_series.py",
    "test_oracle.py",
    "test_paths.py",
    "test_plot.py",
    "test_star_edges.py",
    "test_streaming.py",
    "test_ways_to_say.py",
    "test_windows.py",
}
CLASSIC_LATER = {
    "test_bad_input.py",
    "test_changes.py",
    "test_collegemsg.py",
    "test_components.py",
    "test_early.py",
    "test_equivalence.py",
    "test_graphframes.py",
    "test_largest_components.py",
    "test_live_alerts.py",
    "test_live_series.py",
    "test_methods.py",
    "test_plot.py",
    "test_sql.py",
    "test_sql_refusals.py",
    "test_state_layout.py",
    "test_whole_table.py",
}


def parts_of(item: pytest.Item, connect: bool, whole: bool) -> set[str]:
    shared = "spark" in getattr(item, "fixturenames", ())
    modules = CONNECT_LATER if connect else CLASSIC_LATER
    is_later = item.path.name in modules or item.get_closest_marker("later") is not None
    later = is_later and not whole
    if connect:
        return {"long" if later else "session"} if shared and not is_long(item) else set()
    if is_long(item) or (shared and later):
        return {"long"}
    return {"session" if shared else "other"}


def is_long(item: pytest.Item) -> bool:
    return item.get_closest_marker("long") is not None


def is_property(item: Any) -> bool:
    return hasattr(item.obj, "_hypothesis_internal_use_settings")


def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> None:
    connect, part = config.getoption("--connect"), config.getoption("--part")
    if connect or part is not None:
        wanted = {part} if part else {"session", "long"}
        whole = config.getoption("--whole")
        kept = [item for item in items if wanted & parts_of(item, connect, whole)]
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
    for test in {id(item.obj): item.obj for item in items if is_property(item)}.values():
        usual = test._hypothesis_internal_use_settings
        # The engine is the same with Connect: few examples show whether the way there differs.
        examples = 4 if connect else usual.max_examples
        test._hypothesis_internal_use_settings = settings(usual, max_examples=examples)


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
    with set_to(spark, {"spark.sql.session.timeZone": "America/New_York"}):
        yield
