"""The live view of a query that runs: its data, its refusals, and the page in headless Chromium."""

import errno
import html
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import chromium
from oracle import Edge
from pyspark_bic import _metrics, bic_component_stats, bic_connectivity, metrics
from pyspark_bic.extras.live import _page, _snapshot, live_view
from pyspark_bic.extras.live._snapshot import Watcher, series
from tables import run_to_end, static_edges, streamed_edges, write_batches

MINUTE = 60 * 1_000_000
PAIRS = [(source, source + 1) for source in range(0, 40, 2)]
CANNOT = "the answers cannot be read: "
TITLE = "connected pairs of each window"


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


@pytest.fixture(scope="module")
def table(ran: StreamingQuery, spark: SparkSession) -> DataFrame:
    """Its answers."""
    sink = ran.recentProgress[-1]["sink"]["description"]
    return spark.read.parquet(re.sub(r"^FileSink\[(.*)\]$", r"\1", sink))


class Counting:
    """Gives a table, and knows how often."""

    def __init__(self, table: DataFrame) -> None:
        self.table = table
        self.reads = 0

    def __call__(self) -> DataFrame:
        self.reads += 1
        return self.table


def test_what_is_gathered(ran: StreamingQuery, table: DataFrame) -> None:
    seen = Watcher(ran, lambda: table).look()
    assert (seen.status, seen.failure) == ("has stopped", "")
    assert seen.metrics == metrics(ran)
    batches = [each for each in ran.recentProgress if not _metrics.is_pause(each)]
    assert seen.batches == [int(each["batchId"]) for each in batches]
    assert len(seen.rows_per_second) == len(seen.batch_ms) == len(seen.batches)
    counts = table.where("connected").groupBy("window.end").count().collect()
    ends = seen.answers.ends
    assert ends == sorted(ends)
    assert set(seen.answers.lines["pairs asked"]) == {len(PAIRS)}
    drawn = dict(zip(ends, seen.answers.lines["connected"], strict=True))
    assert {(end, count) for end, count in drawn.items() if count} == {*map(tuple, counts)}


def test_answers_are_read_once_a_micro_batch_and_counts_outlive_what_is_forgotten(
    ran: StreamingQuery, table: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_snapshot, "BATCHES", 2)
    read = Counting(table)
    watcher = Watcher(ran, read)
    first, second = watcher.look(), watcher.look()
    assert first == second and read.reads == 1
    assert (len(first.batches), first.metrics) == (2, metrics(ran))


def test_nobody_waits_for_answers_that_another_reads(ran: StreamingQuery, table: DataFrame) -> None:
    """A page that has waited for longer than its interval asks again, and drops what comes then."""
    begun, go_on = Event(), Event()
    was_told = []

    def read() -> DataFrame:
        begun.set()
        was_told.append(go_on.wait(180))
        return table

    watcher = Watcher(ran, read)
    reader = Thread(target=watcher.look)
    reader.start()
    try:
        assert begun.wait(600)
        seen = watcher.look()
        assert seen.metrics == metrics(ran) and not seen.answers.ends
    finally:
        go_on.set()
        reader.join()
    assert was_told == [True]
    assert watcher.look().answers.title == TITLE


def test_a_micro_batch_after_a_pause_is_counted_and_its_answers_are_read(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    stats = bic_component_stats(streamed_edges(spark, tmp_path / "in", MINUTE), "10 minutes")
    query = stats.writeStream.format("noop").start()
    read = Counting(bic_component_stats(static_edges(spark, [Edge(1, 2, 0)]), "10 minutes"))
    watcher = Watcher(query, read)
    write_batches(tmp_path / "made", [[Edge(1, 2, 0)] * 3])
    try:
        # Spark tells that it waits, under the number of the micro-batch to come.
        end = time.monotonic() + 600
        while query.lastProgress is None:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert metrics(query)["micro_batches"] == 0
        assert watcher.look().batches == []
        before = read.reads
        (tmp_path / "made/00000.json").rename(tmp_path / "in/00000.json")
        query.processAllAvailable()
        seen = watcher.look()
        assert read.reads == before + 1
        assert (seen.metrics["edges"], metrics(query)["edges"]) == (3, 3)
        assert (seen.batches, metrics(query)["micro_batches"]) == ([0], 1)
    finally:
        query.stop()


def test_windows_that_have_all_their_rows_are_not_read_again(
    ran: StreamingQuery, table: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the page of a query that has run for a year costs what that of an hour costs."""
    done = [each for each in ran.recentProgress if not _metrics.is_pause(each)]

    class Earlier:
        name, id, isActive = "query", "query", True  # noqa: N815
        recentProgress = done[: len(done) // 2]  # noqa: N815

        def exception(self) -> None:
            return None

    query: Any = Earlier()
    read: list[int] = []

    def counting(answers: DataFrame) -> Any:
        read.append(answers.count())
        return series(answers)

    monkeypatch.setattr(_snapshot, "series", counting)
    watcher = Watcher(query, lambda: table)
    before = watcher.look()
    query.recentProgress = done
    seen = watcher.look()
    assert 0 < read[1] < read[0] == table.count()
    assert seen.answers == before.answers == series(table)
    assert seen.alerts.rows == before.alerts.rows and not seen.alerts.news


@pytest.mark.parametrize(
    ("read", "told"),
    [
        (lambda spark: spark.read.parquet("/none/at/all"), "[PATH_NOT_FOUND]"),
        (lambda _: 1 // 0, "ZeroDivisionError: integer division or modulo by zero"),
        (lambda _: None, "what answers gives must be a DataFrame, not None (NoneType)"),
        (lambda spark: spark.range(1), "answers must give what bicConnectivity, bicComponents,"),
        # Its text begins with an empty line.
        (lambda spark: spark.sql("SELEC 1"), "[PARSE_SYNTAX_ERROR] Syntax error at or near"),
        pytest.param(
            lambda spark: spark._jvm.java.lang.Class.forName("a.B"),
            "java.lang.ClassNotFoundException: a.B",
            marks=pytest.mark.classic("a Connect client has no errors of Java's"),
        ),
    ],
)
def test_the_page_tells_why_answers_cannot_be_read(
    ran: StreamingQuery, table: DataFrame, read: Callable[[Any], Any], told: str
) -> None:
    reads: list[Callable[[Any], Any]] = [read, lambda _: table]
    watcher = Watcher(ran, lambda: reads.pop(0)(table.sparkSession))
    seen = watcher.look()
    assert seen.answers.title.startswith(CANNOT + told)
    assert seen.answers.title in str(_page.news(seen))
    assert watcher.look().answers.title == TITLE


class Lost:
    """A query, but for the times at which its server is out of reach."""

    def __init__(self, query: StreamingQuery) -> None:
        self._query = query
        self.now = False

    def __getattr__(self, name: str) -> Any:
        if self.now:
            raise ConnectionError("no answer\nat all")
        return getattr(self._query, name)


def test_the_page_tells_that_a_query_is_out_of_reach(ran: StreamingQuery, table: DataFrame) -> None:
    query: Any = Lost(ran)
    watcher = Watcher(query, lambda: table)
    before = watcher.look()
    query.now = True
    seen = watcher.look()
    assert (seen.status, seen.failure) == ("is out of reach", "ConnectionError: no answer")
    assert replace(seen, status=before.status, failure=before.failure) == before
    shown = str(_page.news(seen))
    assert seen.status in shown and seen.failure in shown
    query.now = False
    assert watcher.look() == before


def test_refusals(ran: StreamingQuery, spark: SparkSession) -> None:
    frame = spark.range(1).withColumnRenamed("id", "recentProgress")
    refused: list[tuple[dict[str, Any], str]] = [
        ({"query": "query"}, "query must be a StreamingQuery, not 'query'"),
        ({"query": frame}, "query must be a StreamingQuery, not DataFrame"),
        ({"answers": frame}, "answers must be a function without parameters"),
        ({"seconds": 0}, "seconds must be positive and finite, but it is 0"),
        ({"seconds": float("nan")}, "seconds must be positive and finite, but it is nan"),
        ({"seconds": "2"}, "seconds must be a number, not '2'"),
        ({"port": 65536}, "port must be from 0 to 65535, but it is 65536"),
        ({"port": "x"}, "port must be an int, not 'x'"),
        ({"host": 1}, "host must be an address such as '127.0.0.1', not 1"),
    ]
    for arguments, text in refused:
        with pytest.raises((PySparkTypeError, PySparkValueError), match=text):
            live_view(**{"query": ran, "answers": lambda: frame, **arguments})


def test_a_port_that_is_taken(ran: StreamingQuery, table: DataFrame) -> None:
    with live_view(ran, lambda: table, port=0) as view:
        port = int(view.url.rstrip("/").rpartition(":")[2])
        with pytest.raises(
            OSError, match=rf"cannot serve the page: .*'127.0.0.1', {port}.*"
        ) as taken:
            live_view(ran, lambda: table, port=port)
    assert taken.value.errno == errno.EADDRINUSE
    assert str(taken.value).endswith("; give another host or port, 0 for a free one")


def test_the_page_does_without_matplotlib() -> None:
    program = "import sys, pyspark_bic.extras.live; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_page_in_a_browser(ran: StreamingQuery, table: DataFrame, tmp_path: Path) -> None:
    with live_view(ran, lambda: table, port=0) as view:
        page = chromium.dom(view.url, tmp_path / "profile", wait_ms=8000)
    held = metrics(ran)
    tiles = {
        "edges": f"{held['edges']:,}",
        "late-edges": "1",
        "windows-answered": f"{held['windows']:,}",
        "status": "has stopped",
    }
    found = {name: re.search(rf'id="{name}"[^>]*>([^<]*)<', page) for name in tiles}
    shown = {name: html.unescape(each.group(1)) for name, each in found.items() if each}
    assert shown == tiles, page[:3000]
    # Plotly has drawn: a line for each name, and a bar for each micro-batch.
    assert page.count('class="scatterlayer') >= 2
    assert page.count('class="point"') >= held["micro_batches"]
