"""The live view of a query that runs: its data, its refusals, and the page in headless Chromium."""

import html
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import chromium
from oracle import Edge
from pyspark_bic import bic_changes, bic_component_stats, bic_components, bic_connectivity, metrics
from pyspark_bic.live import live_view
from pyspark_bic.live._snapshot import Watcher, series
from tables import run_to_end, static_edges, streamed_edges, write_batches

MINUTE = 60 * 1_000_000
PAIRS = [(source, source + 1) for source in range(0, 40, 2)]


@pytest.fixture(scope="module")
def ran(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamingQuery]:
    """A query that has answered an hour of windows, in several micro-batches."""
    folder = tmp_path_factory.mktemp("live")
    chance = random.Random(5)
    batches = [
        [
            Edge(chance.randrange(40), chance.randrange(40), (10 * part + step % 10) * MINUTE)
            for step in range(20 + 10 * part)
        ]
        for part in range(6)
    ]
    late = Edge(1, 2, 0)
    write_batches(folder / "in", [*batches, [Edge(0, 0, 10_000 * MINUTE)], [late]])
    answers = bic_connectivity(
        streamed_edges(spark, folder / "in", MINUTE), "10 minutes", "2 minutes", PAIRS
    )
    yield run_to_end(answers, folder / "out", folder / "checkpoint")


def answers_of(query: StreamingQuery, spark: SparkSession) -> DataFrame:
    sink = query.recentProgress[-1]["sink"]["description"]
    return spark.read.parquet(re.sub(r"^FileSink\[(.*)\]$", r"\1", sink))


def test_what_is_gathered(ran: StreamingQuery, spark: SparkSession) -> None:
    table = answers_of(ran, spark)
    seen = Watcher(ran, lambda: table).look()
    assert (seen.status, seen.failure) == ("has stopped", "")
    assert seen.metrics == metrics(ran)
    assert seen.batches == [int(each["batchId"]) for each in ran.recentProgress]
    assert len(seen.edges_per_second) == len(seen.batch_ms) == len(seen.batches)
    by_window = {
        row["end"]: row["connected"]
        for row in table.where("connected")
        .selectExpr("window.end")
        .groupBy("end")
        .count()
        .withColumnRenamed("count", "connected")
        .collect()
    }
    ends = seen.answers.ends
    assert ends == sorted(ends)
    assert set(seen.answers.lines["pairs asked"]) == {len(PAIRS)}
    drawn = dict(zip(ends, seen.answers.lines["connected"], strict=True))
    assert {end: count for end, count in drawn.items() if count} == by_window


def test_answers_are_read_after_a_new_micro_batch_only(
    ran: StreamingQuery, spark: SparkSession
) -> None:
    reads = []

    def read() -> DataFrame:
        reads.append(1)
        return answers_of(ran, spark)

    watcher = Watcher(ran, read)
    first, second = watcher.look(), watcher.look()
    assert first == second
    assert len(reads) == 1


def test_answers_that_are_not_there_yet(
    ran: StreamingQuery, spark: SparkSession, tmp_path: Path
) -> None:
    tables = [spark.read.parquet, lambda _: answers_of(ran, spark)]
    watcher = Watcher(ran, lambda: tables.pop(0)(str(tmp_path / "none")))
    told = watcher.look().answers
    assert told.title.startswith("the answers cannot be read: [PATH_NOT_FOUND]")
    assert watcher.look().answers.title == "connected pairs of each window"


def test_results_of_every_method(spark: SparkSession) -> None:
    edges = static_edges(spark, [Edge(1, 2, 0), Edge(2, 3, 1), Edge(8, 9, 2), Edge(8, 9, MINUTE)])
    members = series(bic_components(edges, "1 minute")).lines
    assert members == {"components": [2, 1], "vertices of the largest": [3, 2]}
    assert series(bic_component_stats(edges, "1 minute")).lines == members
    assert series(bic_changes(edges, "1 minute")).lines == {
        "appeared": [2, 0, 0],
        "merged": [0, 0, 0],
        "split": [0, 0, 0],
        "vanished": [0, 1, 1],
    }
    with pytest.raises(PySparkValueError, match="but its columns are src, dst"):
        series(edges.select("src", "dst"))


def test_refusals(ran: StreamingQuery, spark: SparkSession) -> None:
    given: Any = "query"
    with pytest.raises(PySparkTypeError, match="query must be a StreamingQuery, not 'query'"):
        live_view(given, lambda: spark.range(1))
    given = spark.range(1)
    with pytest.raises(PySparkTypeError, match="answers must be a function without parameters"):
        live_view(ran, given)
    with pytest.raises(PySparkValueError, match="seconds must be positive, but it is 0"):
        live_view(ran, lambda: spark.range(1), seconds=0)


def test_the_page_in_a_browser(ran: StreamingQuery, spark: SparkSession, tmp_path: Path) -> None:
    chromium.executable()
    table = answers_of(ran, spark)
    with live_view(ran, lambda: table, port=0) as view:
        page = chromium.dom(view.url, tmp_path / "profile", wait_ms=8000)
        chromium.picture(view.url, tmp_path / "profile", wait_ms=8000, to=tmp_path / "live.png")
    held = metrics(ran)

    def tile(name: str) -> str:
        found = re.search(rf'id="{name}"[^>]*>([^<]*)<', page)
        assert found is not None, f"no {name} on the page:\n{page[:3000]}"
        return html.unescape(found.group(1))

    assert tile("edges") == f"{held['edges']:,}"
    assert tile("late-edges") == "1"
    assert tile("windows-answered") == f"{held['windows']:,}"
    assert tile("status") == "has stopped"
    # Plotly has drawn: a line for each name, and a bar for each micro-batch.
    assert page.count('class="scatterlayer') >= 2
    assert page.count('class="point"') >= held["micro_batches"]
    assert (tmp_path / "live.png").stat().st_size > 20_000
