"""What is accepted is used: a column that nobody reads, or a wrong setting, is refused."""

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest
from pyspark.errors import AnalysisException, PySparkException, PySparkValueError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pyspark_bic import bic_component_stats, bic_components, bic_connectivity, bic_paths
from session_settings import set_to
from tables import said


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    """The path a, b, c, whose edges are of two countries."""
    rows = [("a", "b", "fr", 0), ("b", "c", "de", 60)]
    frame = spark.createDataFrame(rows, "src string, dst string, country string, at int")
    return frame.selectExpr("src", "dst", "country", "timestamp_seconds(at) AS time")


def refusal(error: type[PySparkException], question: Any, *given: Any, **arguments: Any) -> str:
    with pytest.raises(error) as caught:
        question(*given, **arguments)
    return said(caught.value)


UNREAD = (
    "queries have a column 'country', but only source, target are read; give it in by too, for "
    'pairs of each graph, or leave it out, as with queries.select("source", "target")'
)


@pytest.mark.parametrize("make", ["spark", "pandas"])
def test_columns_of_queries_that_nothing_reads(
    spark: SparkSession, edges: DataFrame, make: str
) -> None:
    columns = ["source", "target", "country"]
    frame = pd.DataFrame([("a", "c", "fr")], columns=columns)
    queries = frame if make == "pandas" else spark.createDataFrame(frame)
    assert refusal(AnalysisException, bic_connectivity, edges, "1 hour", queries=queries) == UNREAD
    frame.columns = ["source", "target", "contry"]
    misspelt = frame if make == "pandas" else spark.createDataFrame(frame)
    text = refusal(
        AnalysisException, bic_connectivity, edges, "1 hour", queries=misspelt, by="country"
    )
    assert text == (
        "queries have a column 'contry', but only source, target, country are read; did you mean "
        "'country'?"
    )


def test_columns_of_queries_in_sql(spark: SparkSession, edges: DataFrame) -> None:
    edges.createOrReplaceTempView("payments")
    with pytest.raises(AnalysisException) as caught:
        spark.sql(
            "SELECT * FROM bic_connectivity(TABLE(payments), '1 hour', queries => "
            "TABLE(SELECT 'a' AS source, 'c' AS target, 'fr' AS country))"
        )
    assert said(caught.value) == UNREAD


def test_a_key_of_queries_that_the_edges_cannot_have(edges: DataFrame) -> None:
    numbered = edges.withColumn("tenant", F.lit(1))
    queries = pd.DataFrame([("a", "c", 5_000_000_000)], columns=["source", "target", "tenant"])
    with pytest.raises(AnalysisException) as caught:
        bic_connectivity(numbered, "1 hour", queries=queries, by="tenant").collect()
    assert said(caught.value) == (
        "queries hold the key 5000000000, but the edges have 'tenant' (INT), which holds numbers "
        "from -2147483648 to 2147483647; correct the key"
    )


def test_paths_of_answers_by_a_key_that_is_forgotten(edges: DataFrame) -> None:
    answers = bic_connectivity(edges, "1 hour", queries=[("a", "c")], by="country")
    assert refusal(AnalysisException, bic_paths, edges, answers) == (
        "answers and edges both have a column 'country', which is not in by; give it in by, for "
        "paths of each graph, or rename it in answers"
    )
    assert {row.path for row in bic_paths(edges, answers, by="country").collect()} == {None}


def test_two_roles_for_one_column(edges: DataFrame) -> None:
    packed = edges.select("*", F.struct("src", "dst").alias("payment"))
    for name in ("src", "payment.src"):
        text = refusal(PySparkValueError, bic_components, packed, "1 hour", src=name, dst=name)
        assert text == (
            f"column '{name}' is given as src and as dst: each needs a column of its own"
        )
    for role, column in {"dst": F.col("src"), "by": ["country", "src"]}.items():
        text = refusal(AnalysisException, bic_components, edges, "1 hour", **{role: column})
        assert text == f"column 'src' is given as src and as {role}; each needs a column of its own"


def test_times_of_a_whole_table(edges: DataFrame) -> None:
    seen = edges.withColumnRenamed("time", "seen")
    assert refusal(AnalysisException, bic_component_stats, seen, time="seen") == (
        "time 'seen' is given without a window; give a window too, or no time"
    )
    assert bic_component_stats(seen).collect() == [(3, 2, 1, 3)]


def test_pairs_whose_fields_come_in_another_order(edges: DataFrame) -> None:
    class Swapped(NamedTuple):
        target: str
        source: str

    answers = bic_connectivity(edges, "1 hour", queries=[Swapped(target="c", source="a")])
    assert answers.select("source", "target").collect() == [("a", "c")]


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        (
            "spark.bic.stateLayout",
            "pane",
            "unknown spark.bic.stateLayout 'pane'; there is: value, panes; did you mean 'panes'?",
        ),
        (
            "spark.bic.cache.maxByte",
            "1g",
            "unknown setting spark.bic.cache.maxByte; there is: spark.bic.stateLayout, "
            "spark.bic.cache.maxBytes, spark.bic.cache.minBytes, spark.bic.batch.segmentWindows; "
            "did you mean 'spark.bic.cache.maxBytes'?",
        ),
    ],
)
def test_settings_that_no_batch_query_reads(
    edges: DataFrame, name: str, value: str, text: str
) -> None:
    with set_to(edges.sparkSession, {name: value}):
        assert refusal(AnalysisException, bic_component_stats, edges, "1 hour") == text


def test_ids_that_spark_pads(spark: SparkSession, tmp_path: Path) -> None:
    spark.sql(
        "CREATE TABLE padded (src CHAR(4), dst CHAR(8), code CHAR(2)) USING parquet "
        f"LOCATION '{tmp_path}/padded'"
    )
    try:
        spark.sql("INSERT INTO padded VALUES ('ann', 'bob', 'fr'), ('bob', 'cleo', 'fr')")
        refuse_padded(spark.table("padded"))
    finally:
        spark.sql("DROP TABLE padded")


def refuse_padded(padded: DataFrame) -> None:
    text = (
        "column {} holds strings that Spark pads with spaces, but strings are compared by their "
        "bytes; give rtrim(…), cast to STRING"
    )
    assert refusal(AnalysisException, bic_components, padded) == text.format("'src' (CHAR(4))")
    ends: dict[str, Any] = {end: F.rtrim(end).cast("string") for end in ("src", "dst")}
    assert refusal(AnalysisException, bic_components, padded, **ends, by="code") == (
        text.format("'code' (CHAR(2)) of by")
    )
    named = padded.select(*(column.alias(end) for end, column in ends.items()))
    assert {row.component for row in bic_components(padded, **ends).collect()} == {"ann"}
    queries = padded.selectExpr("src AS source", "dst AS target")
    seen = named.withColumn("time", F.timestamp_seconds(F.lit(0)))
    assert refusal(AnalysisException, bic_connectivity, seen, "1 hour", queries=queries) == (
        text.format("'source' (CHAR(4))")
    )
