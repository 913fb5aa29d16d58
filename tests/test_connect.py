"""What is special about a Spark Connect client; the other tests run on one too, by --connect."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException, PySparkException, PySparkRuntimeError
from pyspark.serializers import CloudPickleSerializer
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

import pyspark_bic
from pyspark_bic import _connect, _sparks, bic_components, bic_connectivity
from pyspark_bic._foreach_batch import with_methods
from session_settings import set_to
from tables import static_edges

COORDINATES = _sparks.coordinates()


@pytest.fixture
def edges(spark: SparkSession, request: pytest.FixtureRequest) -> DataFrame:
    if not request.config.getoption("--connect"):
        pytest.skip("Spark Connect only: runs with --connect")
    _connect._checked.clear()
    return static_edges(spark, [])


def test_the_session_is_remote(edges: DataFrame) -> None:
    assert type(edges).__module__ == "pyspark.sql.connect.dataframe"
    assert bic_connectivity(edges, "1 hour", queries=[(1, 2)]).collect() == []


def test_a_server_without_the_functions(edges: DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_connect, "VERSION", "SELECT bic_version_of_another_name()")
    with pytest.raises(PySparkRuntimeError) as caught:
        bic_connectivity(edges, "1 hour", queries=[(1, 2)])
    assert str(caught.value) == (
        "the Spark Connect server runs without the spark-bic functions: start it with --packages "
        f"{COORDINATES} --conf spark.sql.extensions=io.github.sparkbic.sql.BicExtensions"
    )


def test_a_server_with_another_version(edges: DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    built = pyspark_bic.__version__
    monkeypatch.setattr(_connect, "__version__", "99.0.0")
    with pytest.raises(PySparkRuntimeError) as caught:
        bic_connectivity(edges, "1 hour", queries=[(1, 2)])
    assert str(caught.value) == (
        f"the Spark Connect server runs the spark-bic jar {built}, but pyspark-bic is 99.0.0: "
        f"pip install pyspark-bic=={built}, or start the server with --packages "
        f"{COORDINATES}"
    )


def test_text_reaches_the_server_as_it_is(edges: DataFrame) -> None:
    odd = "it's {a} \\ `column`"
    found = bic_connectivity(
        edges.withColumnRenamed("src", odd), "1 hour", queries=[(1, 2)], src=odd, by=["region"]
    )
    assert found.columns == ["region", "window", "source", "target", "connected"]


def test_words_that_the_session_reserves(edges: DataFrame) -> None:
    spark = edges.sparkSession
    settings = {
        "spark.sql.ansi.enabled": "true",
        "spark.sql.ansi.enforceReservedKeywords": "true",
        "spark.sql.parser.escapedStringLiterals": "true",
    }
    with set_to(spark, settings):
        odd = "it's \\ odd"
        renamed = edges.withColumnRenamed("src", odd)
        assert bic_connectivity(renamed, "1 hour", queries=[(1, 2)], src=odd).collect() == []
        assert bic_components(edges, ["1 hour", "2 hours"], "1 hour", index="recency").count() == 0


@pytest.mark.since("4.1", "cloneSession")
def test_queries_of_another_session(edges: DataFrame) -> None:
    """In the session of the edges a view of the same name would answer, and be another one."""
    spark: Any = edges.sparkSession
    other = spark.cloneSession()
    try:
        other.sql("SELECT 1L AS source, 2L AS target").createOrReplaceTempView("asked")
        with pytest.raises(PySparkRuntimeError) as caught:
            bic_connectivity(edges, "1 hour", queries=other.table("asked"))
    finally:
        other.client.close()
    assert str(caught.value) == (
        "queries and edges must be of one session, but they belong to two of Spark Connect"
    )


def test_a_subclass_of_the_frame(edges: DataFrame) -> None:
    kind = type("Mine", (type(edges),), {})
    mine: Any = kind(edges._plan, edges.sparkSession)
    assert bic_connectivity(mine, "1 hour", queries=[(1, 2)]).collect() == []


@pytest.mark.since("4.1", "what is observed of no rows")
def test_observations_of_the_edges_are_kept(edges: DataFrame) -> None:
    theirs, ours = Observation(), Observation()
    observed = edges.observe(theirs, F.count("*").alias("n"))
    assert bic_components(observed, "1 hour").collect() == []
    assert theirs.get == {"n": 0}
    again = edges.observe(more := Observation(), F.count("*").alias("n"))
    assert bic_components(again, "1 hour", observation=ours).collect() == []
    assert more.get == {"n": 0}
    assert ours.get["edges"] == 0


def test_a_refusal_comes_without_the_stack_of_the_server(edges: DataFrame) -> None:
    with pytest.raises(AnalysisException) as caught:
        bic_components(edges, "1 hour", src="scr")
    assert str(caught.value).startswith("edges have no column 'scr'")
    assert "\n" not in str(caught.value)


def started(writer: Any, tries: int = 4) -> Any:
    """The query: Spark gives its Python process ten seconds to start, too few on a busy host."""
    try:
        return writer.start()
    except PySparkException as error:
        if tries == 1 or "Python worker failed to connect back" not in str(error):
            raise
        return started(writer, tries - 1)


def test_a_method_in_foreach_batch(edges: DataFrame, tmp_path: Path) -> None:
    """The function runs in a Python process of the server, which has not imported the package."""
    spark = edges.sparkSession
    spark.createDataFrame([(1, 2), (2, 3)], "src long, dst long").write.parquet(f"{tmp_path}/edges")

    def rings(batch: Any, _: int) -> None:
        batch.bicComponents().write.mode("append").parquet(f"{tmp_path}/rings")

    stream = spark.readStream.schema("src long, dst long").parquet(f"{tmp_path}/edges")
    writer = stream.writeStream.foreachBatch(rings).trigger(availableNow=True)
    started(writer).awaitTermination()
    found = {tuple(row) for row in spark.read.parquet(f"{tmp_path}/rings").collect()}
    assert found == {(1, 1), (2, 1), (3, 1)}


def test_foreach_batch_on_a_server_without_the_package(tmp_path: Path) -> None:
    def plain(_: Any, batch_id: int) -> None:
        print("batch", batch_id)

    def calls(_: Any, __: int) -> None:
        from pyspark.sql import DataFrame

        DataFrame.bicComponents(None)  # type: ignore[attr-defined]

    sent = tmp_path / "sent"
    pickler: Any = CloudPickleSerializer()
    sent.write_bytes(pickler.dumps([with_methods(f, ("bicComponents",)) for f in (plain, calls)]))
    server = (
        "import pickle, sys\n"
        "sys.modules['pyspark_bic'] = None\n"
        f"plain, calls = pickle.loads(open({str(sent)!r}, 'rb').read())\n"
        "plain(None, 7)\n"
        "calls(None, 8)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", server], capture_output=True, text=True, check=False
    )
    assert run.stdout == "batch 7\n"
    assert run.stderr.splitlines()[-1] == (
        "RuntimeError: the Python of the Spark Connect server has no pyspark-bic, which bic… "
        "methods need in foreachBatch: pip install "
        f"pyspark-bic=={pyspark_bic.__version__} on the server"
    )
