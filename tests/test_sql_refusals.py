"""What the table functions of SQL refuse, and how they say so."""

from pathlib import Path

import pytest
from pyspark.errors import AnalysisException, StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

from sql_edges import CALL, EDGES, make_views
from tables import run_to_end, streamed_edges, write_batches


@pytest.fixture
def edges(spark: SparkSession) -> DataFrame:
    return make_views(spark)


USAGE = (
    "bic_components(edges, window => NULL, slide => NULL, min_size => 1, updates_only => false, "
    "stable => false, src => 'src', dst => 'dst', time => 'time', by => NULL, "
    "start_time => NULL, index => 'auto', observation => NULL)"
)


@pytest.mark.usefixtures("edges")
@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("bic_components()", f"bic_components needs the argument 'edges': {USAGE}"),
        (
            "bic_changes(TABLE(edges))",
            "bic_changes needs the argument 'window': bic_changes(edges, window, slide => NULL",
        ),
        (
            "bic_components(TABLE(edges), '1 hour', length => 3)",
            f"bic_components has no parameter 'length': {USAGE}",
        ),
        (
            "bic_components(TABLE(edges), widow => '1 hour')",
            "bic_components has no parameter 'widow'; did you mean 'window'?",
        ),
        (
            "bic_components(edges, '1 hour')",
            f"bic_components takes a table as 'edges', not edges; write TABLE(edges): {USAGE}",
        ),
        (
            "bic_components(window => '1 hour', EDGES => `the edges`)",
            "bic_components takes a table as 'edges', not `the edges`; write TABLE(`the edges`): "
            f"{USAGE}",
        ),
        (
            "bic_paths(TABLE(edges), answers)",
            "bic_paths takes a table as 'answers', not answers; write TABLE(answers): bic_paths(",
        ),
        (
            "bic_components(TABLE(edges), '1 hour', window => '2 hours')",
            f"bic_components has the argument 'window' twice: {USAGE}",
        ),
        (
            "bic_components('edges', '1 hour')",
            "bic_components takes a table of edges, as TABLE(name) or TABLE(SELECT …), not "
            f"'edges': {USAGE}",
        ),
        (
            "bic_components(TABLE(edges), 3)",
            "bic_components takes a duration such as INTERVAL 1 HOUR or '1 hour' as 'window', not "
            f"3: {USAGE}",
        ),
        (
            "bic_components(TABLE(edges), '1 hour', min_size => 'many')",
            f"bic_components takes a number as 'min_size', not 'many': {USAGE}",
        ),
        (
            "bic_components(TABLE(edges), '1 hour', src => rand())",
            f"bic_components takes a constant as 'src', not rand(): {USAGE}",
        ),
        (
            "bic_components(TABLE(edges), '1 hour', `index` => 7)",
            f"bic_components takes a string as 'index', not 7: {USAGE}",
        ),
        (
            "bic_changes(TABLE(edges), NULL)",
            "bic_changes needs a value for 'window', not NULL: bic_changes(edges, window,",
        ),
        (
            "bic_components(TABLE(edges), slide => '1 hour')",
            "slide '1 hour' is given without a window; give a window too, or no slide",
        ),
        (
            "bic_component_stats(TABLE(edges), start_time => INTERVAL 1 MINUTE)",
            "start_time '1 minute' is given without a window; give a window too, or no start_time",
        ),
        (
            "bic_largest_components(TABLE(edges), '1 hour', top => 0)",
            "top must be at least 1, but it is 0",
        ),
        (
            "bic_largest_components(TABLE(edges), '1 hour', members => 1)",
            "bic_largest_components takes true or false as 'members', not 1",
        ),
        (
            "bic_components(TABLE(edges) WITH SINGLE PARTITION, '1 hour')",
            "bic_components takes a table of edges without ORDER BY and WITH SINGLE PARTITION; "
            f"leave them out: {USAGE}",
        ),
        (
            "bic_components(TABLE(sites) PARTITION BY (site) ORDER BY (at), '1 hour')",
            "bic_components takes a table of edges without ORDER BY and WITH SINGLE PARTITION; "
            f"leave them out: {USAGE}",
        ),
        (
            "bic_components(TABLE(sites) PARTITION BY (site), '1 hour', by => 'site')",
            "bic_components has both 'by' and PARTITION BY, which mean the same; give one of "
            f"them: {USAGE}",
        ),
        (
            "bic_components(TABLE(sites) PARTITION BY (upper(site)), '1 hour')",
            "bic_components takes columns in PARTITION BY, not ",
        ),
        (
            "bic_components(TABLE(SELECT *, struct(site AS code) AS deep FROM sites) "
            "PARTITION BY (deep.code), '1 hour')",
            "bic_components takes columns in PARTITION BY, not deep.code; add it to the table of "
            "edges",
        ),
        (
            "bic_components(TABLE(sites) PARTITION BY (elsewhere.site), '1 hour')",
            "bic_components takes columns in PARTITION BY, not elsewhere.site",
        ),
        (
            "bic_connectivity(TABLE(edges), '1 hour', queries => array())",
            "queries are empty; give at least one pair (source, target)",
        ),
        (
            "bic_connectivity(TABLE(edges), '1 hour', queries => array((1, 2), (3, NULL)))",
            "queries hold the pair (3, null); neither source nor target may be null",
        ),
        (
            "bic_connectivity(TABLE(edges), '1 hour', queries => array(1, 2))",
            "bic_connectivity takes queries as TABLE(…) with the columns source and target, or as "
            "an array of pairs such as array((1, 2), (3, 9)), not array(1, 2): bic_connectivity(",
        ),
        (
            "bic_connectivity(TABLE(edges), '1 hour', queries => array((1, 2.5)))",
            "bic_connectivity takes queries as TABLE(…) with the columns source and target",
        ),
        (
            "bic_connectivity(TABLE(edges), '1 hour')",
            "bic_connectivity needs the argument 'queries'",
        ),
        (
            "bic_connectivity(TABLE(edges), '1 hour', queries => (SELECT array((1, 2))))",
            "bic_connectivity takes a constant as 'queries', not (SELECT …): bic_connectivity(",
        ),
        (
            "bic_components(window => '1 hour', TABLE(edges))",
            f"bic_components has the argument TABLE(…) after a named one; name it as well: {USAGE}",
        ),
        (
            "bic_changes(TABLE(edges), array('1 hour', '2 hours'), '1 hour')",
            "window must be a single length where each window is compared with the window before, "
            "not '1 hour', '2 hours'; call once for each length",
        ),
        (
            "bic_changes(TABLE(edges), array(INTERVAL 1 HOUR, INTERVAL 90 MINUTES), '1 hour')",
            "not '1 hour', '90 minutes'; call once for each length",
        ),
        (
            "bic_components(TABLE(edges), array('1 hour', '2 hours'), '1 hour', stable => true)",
            "window must be a single length where each window is compared with the window before, "
            "not '1 hour', '2 hours'; call once for each length",
        ),
        (
            "bic_component_stats(TABLE(edges), INTERVAL 2 MONTHS)",
            "window '2 months' has months or years, which differ in length",
        ),
        (
            "bic_component_stats(TABLE(edges), INTERVAL 5 MINUTES, INTERVAL 90 SECONDS * 4)",
            "slide '6 minutes' is longer than window '5 minutes'",
        ),
        (
            "bic_component_stats(TABLE(edges), INTERVAL 36 HOURS, INTERVAL 3 DAYS)",
            "slide '3 days' is longer than window '36 hours'",
        ),
        (
            "bic_component_stats(TABLE(edges), INTERVAL '0.000007' SECOND, INTERVAL '1.5' SECOND)",
            "slide '1500 milliseconds' is longer than window '7 microseconds'",
        ),
        (
            "bic_component_stats(TABLE(edges), INTERVAL 0 HOURS)",
            "window must be positive, but it is '0 seconds'",
        ),
        (
            "bic_component_stats(TABLE(edges), '1 hour', sizes => 'true')",
            "bic_component_stats takes true or false as 'sizes', not 'true': bic_component_stats(",
        ),
        (
            "bic_components(TABLE(edges), '1 hour', NULL, 1, false, false, 'src', 'dst', 'time', "
            "NULL, NULL, 'bic', NULL, 7)",
            f"bic_components has 13 parameters, but 14 arguments are given: {USAGE}",
        ),
        (
            "bic_components(TABLE(edges), '1 hour', by => array(1))",
            f"bic_components takes a column name, or an array of them, as 'by', not 1: {USAGE}",
        ),
        (
            "bic_connectivity(TABLE(edges), '1 hour', queries => TABLE(pairs) PARTITION BY (source)"
            ")",
            "bic_connectivity takes queries without PARTITION BY, ORDER BY and WITH SINGLE "
            "PARTITION; leave them out",
        ),
        (
            "bic_connectivity(TABLE(edges), '1 hour', queries => array((1, 2, 3)))",
            "bic_connectivity takes queries as TABLE(…) with the columns source and target",
        ),
        (
            "bic_component_stats(TABLE(edges), '1 hour', src => 'from')",
            "edges have no column 'from' (given as src); there are: src, dst, region, shard, time",
        ),
    ],
)
def test_what_is_refused(spark: SparkSession, call: str, text: str) -> None:
    with pytest.raises(AnalysisException) as refused:
        spark.sql(f"SELECT * FROM {call}")
    assert text in str(refused.value)


@pytest.mark.usefixtures("edges")
@pytest.mark.since("4.0", "variables of SQL")
def test_what_the_optimizer_would_make_a_constant_of(spark: SparkSession) -> None:
    spark.sql("DECLARE OR REPLACE VARIABLE length STRING DEFAULT '10 seconds'")
    counts = {
        window: spark.sql(f"SELECT * FROM bic_component_stats(TABLE(edges), {window})").count()
        for window in (
            "'10 seconds'",
            "length",
            "nvl(NULL, '10 seconds')",
            "concat('10', ' seconds')",
            "make_interval(0, 0, 0, 0, 0, 0, 10)",
        )
    }
    assert set(counts.values()) == {counts["'10 seconds'"]}


@pytest.mark.parametrize("way", ["table", "common table"])
def test_a_stream_of_what_is_held_back(spark: SparkSession, tmp_path: Path, way: str) -> None:
    write_batches(tmp_path / "in", [EDGES])
    streamed_edges(spark, tmp_path / "in", delay=0).createOrReplaceTempView("stream")
    marked = (
        "SELECT src, dst, window_time(w) AS time FROM (SELECT src, dst, "
        "window(time, '1 minute') AS w FROM stream GROUP BY 1, 2, 3)"
    )
    table = f"TABLE({marked})" if way == "table" else "TABLE(counted)"
    common = "" if way == "table" else f"WITH counted AS ({marked}) "
    # A common table is not known before the whole statement is planned.
    error = AnalysisException if way == "table" else StreamingQueryException
    with pytest.raises(error) as refused:
        answers = spark.sql(f"{common}SELECT * FROM bic_component_stats({table}, '1 minute')")
        run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")
    assert "edges come from a streaming aggregation" in str(refused.value)


def test_an_observation_of_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    write_batches(tmp_path / "in", [EDGES])
    streamed_edges(spark, tmp_path / "in", delay=0).createOrReplaceTempView("stream")
    with pytest.raises(AnalysisException) as refused:
        spark.sql("SELECT * FROM bic_components(TABLE(stream), '1 hour', observation => 'mine')")
    assert "an Observation serves static DataFrames only" in str(refused.value)


@pytest.mark.usefixtures("edges")
def test_queries_from_a_common_table(spark: SparkSession) -> None:
    with pytest.raises(AnalysisException) as refused:
        spark.sql(
            "WITH mine AS (SELECT * FROM pairs) "
            f"SELECT * FROM bic_connectivity({CALL}, queries => TABLE(mine))"
        )
    assert "so they cannot come from a common table expression" in str(refused.value)
