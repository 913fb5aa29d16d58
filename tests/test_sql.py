"""The table functions of SQL: the same rows and errors as the methods, static and streaming."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, Observation, SparkSession

import oracle
import pyspark_bic
from questions import ONE_EACH, Question
from sql_edges import CALL, COLUMNS, EDGES, QUERIES, WINDOWS, make_views
from tables import collected, static_edges, streamed_edges, write_batches


@pytest.fixture
def edges(spark: SparkSession) -> DataFrame:
    return make_views(spark)


EXPECTED = oracle.answers(EDGES, WINDOWS, QUERIES)


@pytest.mark.parametrize(
    "arguments",
    [
        "TABLE(edges), '10 seconds', '5 seconds', array((1, 3), (9, 9), (3, 9))",
        f"{CALL}, queries => TABLE(pairs)",
        f"{CALL}, queries => TABLE(SELECT * FROM pairs)",
        f"{CALL}, queries => TABLE(WITH mine AS (SELECT * FROM pairs) SELECT * FROM mine)",
        f"{CALL}, queries => array(array(1, 3), array(9, 9), array(3, 9))",
        f"{CALL}, queries => array((1, 3S), (9L, 9Y), (3, 9))",
        f"{CALL}, queries => array(named_struct('s', 1, 't', 3), named_struct('s', 9, 't', 9), "
        "named_struct('s', 3, 't', 9)), by => NULL",
        "edges => TABLE(edges), SLIDE => INTERVAL 5 SECONDS, queries => TABLE(pairs), "
        "window => INTERVAL 10 SECONDS, `index` => 'recency', start_time => INTERVAL 0 SECONDS",
        "TABLE(SELECT src AS a, dst AS b, time AS t FROM edges), INTERVAL '10' SECOND, "
        "INTERVAL '5' SECOND, TABLE(pairs), src => 'a', dst => 'b', time => 't'",
        "TABLE(SELECT * FROM edges WHERE src IS NOT NULL), '10 ' || 'seconds', '5 seconds', "
        "TABLE(pairs)",
    ],
)
def test_connectivity(spark: SparkSession, edges: DataFrame, arguments: str) -> None:
    found = spark.sql(f"SELECT * FROM bic_connectivity({arguments})")
    assert collected(found) == EXPECTED
    assert found.schema == pyspark_bic.bic_connectivity(edges, "1 hour", queries=QUERIES).schema


@pytest.mark.usefixtures("edges")
@pytest.mark.parametrize("question", ONE_EACH.values(), ids=ONE_EACH)
def test_every_parameter_arrives(spark: SparkSession, question: Question) -> None:
    """Other columns, and nothing as it is by default, in Python and in SQL."""
    sites = spark.table("sites")
    given: dict[str, Any] = {"window": "10 seconds", "slide": "5 seconds", "by": "site"}
    given["start_time"] = "2 seconds"
    own_names = sites.withColumnsRenamed({"from": "src", "to": "dst", "at": "time"})
    expected = sorted(map(str, question.ask(own_names, QUERIES, **given).collect()))
    observation = Observation()
    given |= {"src": "from", "dst": "to", "time": "at"}
    found = question.ask(sites, QUERIES, **given, observation=observation)
    assert sorted(map(str, found.collect())) == expected != []
    assert observation.get["edges"] == 2 * len(EDGES)
    # So the same call reads an answer that Spark has cached.
    asked = question.ask(sites, QUERIES, **given)
    assert asked.sameSemantics(question.ask(sites, QUERIES, **given))
    assert not asked.sameSemantics(question.ask(sites.where("`to` > 3"), QUERIES, **given))
    answers = spark.sql(question.in_sql("sites", QUERIES, **given))
    assert sorted(map(str, answers.collect())) == expected
    with pytest.raises(AnalysisException, match="unknown index 'magic'"):
        question.ask(sites, QUERIES, **given, index="magic")
    with pytest.raises(AnalysisException, match="unknown index 'magic'"):
        spark.sql(question.in_sql("sites", QUERIES, **given, index="magic"))


@pytest.mark.usefixtures("edges")
@pytest.mark.parametrize(
    "by", [") PARTITION BY (site)", "), by => 'site'", "), by => array('site')"]
)
def test_one_graph_per_key(spark: SparkSession, by: str) -> None:
    first, _, rest = by.partition(",")
    found = spark.sql(
        f"SELECT * FROM bic_components(TABLE(sites{first}, '10 seconds', {COLUMNS}"
        f"{',' + rest if rest else ''})"
    )
    assert found.columns == ["site", "window", "vertex", "component"]
    rows = found.select("site", "vertex").distinct().collect()
    assert sorted(map(tuple, rows)) == [
        *(("x", vertex) for vertex in (1, 2, 3, 9)),
        *(("y", vertex) for vertex in (11, 12, 13, 19)),
    ]


@pytest.mark.usefixtures("edges")
@pytest.mark.parametrize(
    ("edges", "pairs"),
    [
        ("TABLE(sites) PARTITION BY (site)", "TABLE(asked)"),
        (
            "TABLE(sites), by => array('site')",
            "TABLE(SELECT target, source, site FROM asked WHERE source > 0)",
        ),
    ],
)
def test_queries_of_each_key(spark: SparkSession, edges: str, pairs: str) -> None:
    rows = [("x", 1, 3), ("x", 2, 9), ("y", 11, 12), ("z", 1, 2)]
    asked = spark.createDataFrame(rows, "site string, source long, target long")
    asked.createOrReplaceTempView("asked")
    found = spark.sql(
        "SELECT * FROM bic_connectivity(window => '10 seconds', slide => '5 seconds', "
        f"{COLUMNS}, queries => {pairs}, edges => {edges})"
    )
    names: dict[str, Any] = {"src": "from", "dst": "to", "time": "at", "by": "site"}
    by_method = pyspark_bic.bic_connectivity(
        spark.table("sites"), "10 seconds", "5 seconds", asked, **names
    )
    assert collected(found, ["site"]) == collected(by_method, ["site"])
    assert {row.site for row in found.where("connected").collect()} == {"x", "y"}


@pytest.mark.usefixtures("edges")
@pytest.mark.since("4.0", "PARTITION BY after a table")
def test_queries_without_the_key_are_asked_of_every_graph(spark: SparkSession) -> None:
    found = spark.sql(
        "SELECT site, bool_or(connected) FROM bic_connectivity(TABLE(sites) PARTITION BY (site), "
        f"'1 hour', {COLUMNS}, queries => array((1, 3), (2, 9))) "
        "GROUP BY site"
    )
    assert sorted(map(tuple, found.collect())) == [("x", True), ("y", False)]


@pytest.mark.usefixtures("edges")
def test_part_of_a_larger_statement(spark: SparkSession) -> None:
    found = spark.sql(
        "WITH recent AS (SELECT * FROM edges WHERE time >= timestamp_seconds(4)), "
        "a AS (SELECT * FROM bic_component_stats(TABLE(recent), '10 seconds')) "
        "SELECT unix_seconds(a.window.start), a.edges, b.edges FROM a "
        "JOIN bic_component_stats(TABLE(edges), '10 seconds') AS b ON a.window = b.window "
        "ORDER BY 1"
    )
    assert [tuple(row) for row in found.collect()] == [(0, 2, 3), (10, 1, 1)]


@pytest.mark.usefixtures("edges")
def test_a_whole_table(spark: SparkSession) -> None:
    table = "TABLE(SELECT src, dst FROM edges)"
    found = spark.sql(f"SELECT * FROM bic_components({table}, window => NULL)")
    assert sorted(map(tuple, found.collect())) == [(1, 1), (2, 1), (3, 1), (9, 1)]


@pytest.mark.usefixtures("edges")
def test_a_view(spark: SparkSession) -> None:
    spark.sql(
        f"CREATE OR REPLACE TEMP VIEW answers AS SELECT * FROM bic_connectivity({CALL}, "
        "queries => array((1, 3), (9, 9), (3, 9)))"
    )
    assert collected(spark.table("answers")) == EXPECTED


@pytest.mark.since("4.0", "the condition of an error in this form")
def test_a_stream_is_blamed_for_what_spark_cannot_resolve(
    spark: SparkSession, tmp_path: Path
) -> None:
    write_batches(tmp_path / "in", [EDGES])
    for edges, blamed in (
        (streamed_edges(spark, tmp_path / "in", delay=0), "INVALID_SUBQUERY_EXPRESSION"),
        (static_edges(spark, EDGES), "TABLE_OR_VIEW_NOT_FOUND"),
    ):
        edges.createOrReplaceTempView("asked")
        with pytest.raises(AnalysisException) as refused:
            spark.sql(
                "SELECT * FROM bic_connectivity(TABLE(asked), '1 hour', NULL, TABLE(nowhere))"
            )
        assert str(refused.value.getCondition()).startswith(blamed)
