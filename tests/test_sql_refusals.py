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
ORDER = "without ORDER BY and WITH SINGLE PARTITION; leave them out"
QUERIES = (
    "takes queries as TABLE(…) with the columns source and target, or as an array of pairs such"
)
WRONG_CALLS = {
    # Of bic_components, and the text after this name.
    "": f"needs the argument 'edges': {USAGE}",
    "TABLE(edges), '1 hour', length => 3": f"has no parameter 'length': {USAGE}",
    "TABLE(edges), widow => '1 hour'": "has no parameter 'widow'; did you mean 'window'?",
    "edges, '1 hour'": f"takes a table as 'edges', not edges; write TABLE(edges): {USAGE}",
    "window => '1 hour', EDGES => `the edges`": (
        f"takes a table as 'edges', not `the edges`; write TABLE(`the edges`): {USAGE}"
    ),
    "TABLE(edges), '1 hour', window => '2 hours'": f"has the argument 'window' twice: {USAGE}",
    "'edges', '1 hour'": "takes a table of edges, as TABLE(name) or TABLE(SELECT …), not 'edges': ",
    "TABLE(edges), 3": "takes a duration such as INTERVAL 1 HOUR or '1 hour' as 'window', not 3: ",
    "TABLE(edges), '1 hour', min_size => 'many'": "takes a number as 'min_size', not 'many': ",
    "TABLE(edges), '1 hour', stable => 1": "takes true or false as 'stable', not 1: ",
    "TABLE(edges), '1 hour', stable => 'true'": "takes true or false as 'stable', not 'true': ",
    "TABLE(edges), '1 hour', src => rand()": f"takes a constant as 'src', not rand(): {USAGE}",
    "TABLE(edges), '1 hour', `index` => 7": f"takes a string as 'index', not 7: {USAGE}",
    "TABLE(edges), '1 hour', by => array(1)": (
        f"takes a column name, or an array of them, as 'by', not 1: {USAGE}"
    ),
    "TABLE(edges) WITH SINGLE PARTITION, '1 hour'": f"takes a table of edges {ORDER}: {USAGE}",
    "TABLE(sites) PARTITION BY (site) ORDER BY (at), '1 hour'": f"takes a table of edges {ORDER}",
    "TABLE(sites) PARTITION BY (site), '1 hour', by => 'site'": (
        f"has both 'by' and PARTITION BY, which mean the same; give one of them: {USAGE}"
    ),
    "TABLE(sites) PARTITION BY (upper(site)), '1 hour'": "takes columns in PARTITION BY, not ",
    "TABLE(SELECT *, struct(site AS code) AS deep FROM sites) PARTITION BY (deep.code), '1 hour'": (
        "takes columns in PARTITION BY, not deep.code; add it to the table of edges"
    ),
    "TABLE(sites) PARTITION BY (elsewhere.site), '1 hour'": (
        "takes columns in PARTITION BY, not elsewhere.site"
    ),
    "window => '1 hour', TABLE(edges)": (
        f"has the argument TABLE(…) after a named one; name it as well: {USAGE}"
    ),
    "TABLE(edges), '1 hour', NULL, 1, false, false, 'src', 'dst', 'time', NULL, NULL, 'bic', NULL, "
    "7": f"has 13 parameters, but 14 arguments are given: {USAGE}",
}
# What is asked, for these queries.
WRONG_QUERIES = {
    "array()": "queries are empty; give at least one pair (source, target)",
    "array((1, 2), (3, NULL))": "queries hold (3, null); leave out nulls, as with queries.dropna()",
    "array(1, 2)": f"bic_connectivity {QUERIES} as array((1, 2), (3, 9)), not array(1, 2): bic_",
    "array((1, 2.5))": f"bic_connectivity {QUERIES}",
    "array((1, 2, 3))": f"bic_connectivity {QUERIES}",
    "X'0102'": f"bic_connectivity {QUERIES}",
    "NULL": "bic_connectivity needs a value for 'queries', not NULL",
    "(SELECT array((1, 2)))": "bic_connectivity takes a constant as 'queries', not (SELECT …)",
    "TABLE(pairs) PARTITION BY (source)": (
        "bic_connectivity takes queries without PARTITION BY, ORDER BY and WITH SINGLE PARTITION; "
        "leave them out"
    ),
}
OTHERS = {
    "bic_changes(TABLE(edges))": (
        "bic_changes needs the argument 'window': bic_changes(edges, window, slide => NULL"
    ),
    "bic_changes(TABLE(edges), NULL)": "bic_changes needs a value for 'window', not NULL: ",
    "bic_connectivity(TABLE(edges), '1 hour')": "bic_connectivity needs the argument 'queries'",
    "bic_paths(TABLE(edges), answers)": (
        "bic_paths takes a table as 'answers', not answers; write TABLE(answers): bic_paths("
    ),
    "bic_paths(TABLE(edges), 7)": "bic_paths takes a table, TABLE(…), as 'answers', not 7: bic_",
    "bic_paths(TABLE(edges), TABLE(pairs), slide => 1)": "bic_paths has no parameter 'slide'",
}
# Window and slide, and how a refusal by the JVM shows intervals.
INTERVALS = {
    "slide => '1 hour'": "slide '1 hour' is given without a window; give a window too, or no slide",
    "start_time => INTERVAL 1 MINUTE": "start_time '1 minute' is given without a window; give a",
    "INTERVAL 2 MONTHS": "window '2 months' has months or years, which differ in length",
    "INTERVAL 5 MINUTES, INTERVAL 90 SECONDS * 4": "slide '6 minutes' is longer than window '5 min",
    "INTERVAL 36 HOURS, INTERVAL 3 DAYS": "slide '3 days' is longer than window '36 hours'",
    "INTERVAL '0.000007' SECOND, INTERVAL '1.5' SECOND": (
        "slide '1500 milliseconds' is longer than window '7 microseconds'"
    ),
    "INTERVAL 0 HOURS": "window must be positive, but it is '0 seconds'",
    "array(INTERVAL 1 HOUR, INTERVAL 90 MINUTES), '1 hour', stable => true": (
        "window must be a single length where each window is compared with the window before, not "
        "'1 hour', '90 minutes'; call once for each length"
    ),
}
REFUSED = {
    **{f"bic_components({call})": f"bic_components {text}" for call, text in WRONG_CALLS.items()},
    **{
        f"bic_connectivity(TABLE(edges), '1 hour', queries => {queries})": text
        for queries, text in WRONG_QUERIES.items()
    },
    **OTHERS,
    **{f"bic_components(TABLE(edges), {given})": text for given, text in INTERVALS.items()},
}


@pytest.mark.usefixtures("edges")
@pytest.mark.parametrize(("call", "text"), REFUSED.items())
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


def test_a_stream_of_what_is_held_back(spark: SparkSession, tmp_path: Path) -> None:
    """A common table is not known before the whole statement is planned; others are Scala's."""
    write_batches(tmp_path / "in", [EDGES])
    streamed_edges(spark, tmp_path / "in", delay=0).createOrReplaceTempView("stream")
    answers = spark.sql(
        "WITH counted AS (SELECT src, dst, window_time(w) AS time FROM (SELECT src, dst, "
        "window(time, '1 minute') AS w FROM stream GROUP BY 1, 2, 3)) "
        "SELECT * FROM bic_component_stats(TABLE(counted), '1 minute')"
    )
    with pytest.raises(StreamingQueryException) as refused:
        run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")
    assert "edges come from a streaming aggregation" in str(refused.value)


@pytest.mark.usefixtures("edges")
def test_queries_from_a_common_table(spark: SparkSession) -> None:
    with pytest.raises(AnalysisException) as refused:
        spark.sql(
            "WITH mine AS (SELECT * FROM pairs) "
            f"SELECT * FROM bic_connectivity({CALL}, queries => TABLE(mine))"
        )
    assert (
        "bic_connectivity reads its queries in a query of their own, so they cannot come from a "
        "common table expression or another table of the statement; give a table, a view or a "
        "subquery"
    ) in str(refused.value)
