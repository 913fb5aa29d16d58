"""What is special about a Spark Connect client; the other tests run on one too, by --connect."""

from typing import Any

import pytest
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

import pyspark_bic
from pyspark_bic import _connect, _sparks, bic_components, bic_connectivity
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
