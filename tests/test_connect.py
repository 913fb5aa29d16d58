"""What is special about a Spark Connect client; the other tests run on one too, by --connect."""

import pytest
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import DataFrame, SparkSession

import pyspark_bic
from pyspark_bic import _connect, bic_connectivity
from tables import static_edges

COORDINATES = f"io.github.sparkbic:spark-bic-spark4_2.13:{pyspark_bic.__version__}"


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
        f"io.github.sparkbic:spark-bic-spark4_2.13:{built}"
    )


def test_text_reaches_the_server_as_it_is(edges: DataFrame) -> None:
    odd = "it's {a} \\ `column`"
    found = bic_connectivity(
        edges.withColumnRenamed("src", odd), "1 hour", queries=[(1, 2)], src=odd, by=["region"]
    )
    assert found.columns == ["region", "window", "source", "target", "connected"]
