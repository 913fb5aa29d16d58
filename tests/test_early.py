"""`early`: a true as soon as it is certain. `since`: from when on edges connect a pair."""

import random
from collections import Counter
from collections.abc import Mapping
from math import gcd
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from pyspark.errors import AnalysisException, PySparkTypeError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import oracle
from cases import Case, arguments, cases
from oracle import Edge, Windows
from pyspark_bic import bic_connectivity
from tables import collected, run_to_end, static_edges, streamed_edges, write_batches

SECOND = 1_000_000
WINDOWS = Windows(20 * SECOND, 5 * SECOND)
LENGTHS = ("20 seconds", "5 seconds")
QUERIES = [(1, 2), (3, 4), (2, 9), (5, 5), (7, 77)]


def since(edges: list[Edge], windows: Windows, queries: list[oracle.Pair]) -> Counter[Any]:
    """All rows with `since`, by a search over all starts, each from scratch."""
    pane = gcd(windows.length, windows.slide)
    rows: Counter[Any] = Counter()
    for row, count in oracle.answers(edges, windows, queries).items():
        *key, start, end, source, target, joined = row
        assert isinstance(start, int) and isinstance(end, int)
        found = None
        for begin in range(end - pane, start - 1, -pane) if joined else ():
            held = [
                (edge.src, edge.dst)
                for edge in edges
                if edge.src is not None and edge.dst is not None and edge.time is not None
                if edge.key == tuple(key) and begin <= edge.time < end
            ]
            label: Mapping[Any, int] = oracle.components(held) if held else {}
            if source in label and label[source] == label.get(target, -1):
                found = begin
                break
        with_since = (*row, found)
        rows[with_since] += count
    return rows


def collected_since(answers: DataFrame, by: tuple[str, ...] = ()) -> Counter[Any]:
    bounds = [F.unix_micros(f"window.{bound}") for bound in ("start", "end")]
    columns = ("source", "target", "connected", F.unix_micros("since"))
    return Counter(tuple(row) for row in answers.select(*by, *bounds, *columns).collect())


@given(case=cases())
def test_since_is_the_latest_start_from_which_edges_connect(
    spark: SparkSession, case: Case
) -> None:
    options = {**arguments(case), "index": "auto", "queries": case.queries}
    found = bic_connectivity(static_edges(spark, case.edges), **options, since=True)
    wanted = since(list(case.edges), case.windows, list(case.queries))
    assert collected_since(found, tuple(case.by)) == wanted


def some_edges() -> list[Edge]:
    chance = random.Random(3)
    return [
        Edge(chance.randrange(10), chance.randrange(10), (100 + i // 2) * SECOND)
        for i in range(120)
    ]


def ask(edges: DataFrame, **options: Any) -> DataFrame:
    return bic_connectivity(edges, *LENGTHS, QUERIES, early=True, **options)


def test_each_true_comes_in_the_micro_batch_of_its_edge_and_each_row_once(
    spark: SparkSession, tmp_path: Path
) -> None:
    """The query is started again for every micro-batch."""
    edges = some_edges()
    random.Random(5).shuffle(edges[30:60])
    batches = [edges[i : i + 20] for i in range(0, len(edges), 20)]
    seen: list[Edge] = []
    for number, batch in enumerate(batches):
        seen += batch
        write_batches(tmp_path / "in", [batch], first=number)
        answers = ask(streamed_edges(spark, tmp_path / "in", 10 * SECOND))
        run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")
        found = collected(spark.read.parquet(str(tmp_path / "out")))
        assert max(found.values()) == 1
        wanted = oracle.answers(seen, WINDOWS, QUERIES)
        assert {row for row in found if row[-1]} == {row for row in wanted if row[-1]}
    write_batches(tmp_path / "in", [[Edge(0, 0, 10**6 * SECOND)]], first=len(batches))
    run_to_end(
        ask(streamed_edges(spark, tmp_path / "in", 10 * SECOND)),
        tmp_path / "out",
        tmp_path / "checkpoint",
    )
    assert collected(spark.read.parquet(str(tmp_path / "out"))) == oracle.answers(
        edges, WINDOWS, QUERIES
    )


def test_no_id_can_be_chosen_to_hide_a_row(spark: SparkSession, tmp_path: Path) -> None:
    """Both pairs have one hash under XXH64 without a seed."""
    pairs = [(1, 2), (3, -5686046541809725321)]
    edges = [Edge(*pair, (100 + i) * SECOND) for i, pair in enumerate(pairs)]
    write_batches(tmp_path / "in", [edges, [Edge(0, 0, 10**6 * SECOND)]])
    stream = streamed_edges(spark, tmp_path / "in", 10 * SECOND)
    answers = bic_connectivity(stream, *LENGTHS, pairs, early=True)
    run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")
    found = collected(spark.read.parquet(str(tmp_path / "out")))
    assert found == oracle.answers(edges, WINDOWS, pairs)


def test_a_static_frame_has_the_same_rows(spark: SparkSession) -> None:
    edges = some_edges()
    for index in ("auto", "recency"):
        found = ask(static_edges(spark, edges), index=index, since=True)
        assert collected_since(found) == since(edges, WINDOWS, QUERIES)


def test_sql(spark: SparkSession) -> None:
    edges = some_edges()
    static_edges(spark, edges).createOrReplaceTempView("early_edges")
    pairs = ", ".join(str(pair) for pair in QUERIES)
    found = spark.sql(
        "SELECT * FROM bic_connectivity(TABLE(early_edges), '20 seconds', '5 seconds', "
        f"queries => array({pairs}), early => true, since => true)"
    )
    assert collected_since(found) == since(edges, WINDOWS, QUERIES)


def test_since_has_the_type_of_the_time(spark: SparkSession) -> None:
    edges = static_edges(spark, some_edges())
    local = edges.withColumn("time", F.col("time").cast("timestamp_ntz"))
    for frame, kind in ((edges, "timestamp"), (local, "timestamp_ntz")):
        answers = ask(frame, since=True)
        assert dict(answers.dtypes)["since"] == kind
        assert answers.columns == ["window", "source", "target", "connected", "since"]


@pytest.mark.parametrize("option", ["early", "since"])
def test_what_is_refused(spark: SparkSession, option: str) -> None:
    edges = static_edges(spark, [])
    with pytest.raises(PySparkTypeError, match=f"{option} must be a bool, not 1"):
        bic_connectivity(edges, *LENGTHS, QUERIES, **{option: 1})  # type: ignore[call-overload]
    with pytest.raises(AnalysisException) as refused:
        given: Any = {option: True, "index": "bic"}
        bic_connectivity(edges, *LENGTHS, QUERIES, **given)
    assert (
        f"{option} needs the index 'recency', but index is 'bic'; give index 'auto' or 'recency'"
        in str(refused.value)
    )


def test_pairs_of_each_graph_that_repeat_and_strings(spark: SparkSession, tmp_path: Path) -> None:
    """Each graph is asked for its own pairs; a pair that is asked twice gives each row twice."""
    edges = [edge._replace(key=(key,)) for edge in some_edges()[:60] for key in ("eu", "us")]
    asked = {"eu": [(1, 2), (3, 4), (1, 2)], "us": [(2, 9), (1, 2)]}
    rows = [(key, f"v{s}", f"v{t}") for key, pairs in asked.items() for s, t in pairs]
    queries = spark.createDataFrame(rows, "region string, source string, target string")
    wanted: Counter[Any] = Counter()
    for key, pairs in asked.items():
        own = [edge for edge in edges if edge.key == (key,)]
        for (*head, source, target, joined), count in oracle.answers(own, WINDOWS, pairs).items():
            row = (*head, f"v{source}", f"v{target}", joined)
            wanted[row] += count
    # The edge that ends the stream is of a graph that is not asked for.
    batches = [edges[i : i + 30] for i in range(0, len(edges), 30)]
    write_batches(tmp_path / "in", [*batches, [Edge(0, 0, 10**6 * SECOND, ("nowhere",))]])
    stream = streamed_edges(spark, tmp_path / "in", 10 * SECOND)
    for end in ("src", "dst"):
        stream = stream.withColumn(end, F.concat(F.lit("v"), F.col(end).cast("string")))
    answers = bic_connectivity(stream, *LENGTHS, queries, early=True, by="region")
    run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")
    found = collected(spark.read.parquet(str(tmp_path / "out")), ("region",))
    assert found == wanted
    assert max(found.values()) == 2


def test_an_edge_far_ahead_is_early_in_its_own_windows_alone(
    spark: SparkSession, tmp_path: Path
) -> None:
    """The watermark follows after the micro-batch, so edges of it still count."""
    far = 10**9 * SECOND
    write_batches(tmp_path / "in", [[Edge(1, 2, SECOND), Edge(2, 3, far), Edge(3, 4, 2 * SECOND)]])
    answers = ask(streamed_edges(spark, tmp_path / "in", 10 * SECOND))
    run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")
    found = collected(spark.read.parquet(str(tmp_path / "out")))
    wanted = oracle.answers([Edge(1, 2, SECOND), Edge(3, 4, 2 * SECOND)], WINDOWS, QUERIES)
    assert found == wanted
