"""Real data: every window of CollegeMsg, 200 pairs, several settings, in batch and in streaming."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import oracle
from messages import read_messages
from oracle import Edge, Pair, Windows
from pyspark_bic import bic_components, bic_connectivity
from tables import collected, counted, run_to_end, static_edges, streamed_edges, told, write_batches

pytestmark = pytest.mark.later("real data take as long as fifty other tests")

HOUR = 3600 * 1_000_000
DAY = 24 * HOUR
DELAY = DAY
BATCHES = 4

# Whole slides, a window that is no multiple of its slide, and tumbling windows that do not start
# at midnight: (window, slide, start time), their lengths, and the number of windows in the data.
SETTINGS = {
    "week-by-day": (("7 days", "1 day", None), Windows(7 * DAY, DAY)),
    "50-by-12-hours": (("50 hours", "12 hours", None), Windows(50 * HOUR, 12 * HOUR)),
    "tumbling-3-days": (("3 days", "3 days", "5 hours"), Windows(3 * DAY, 3 * DAY, 5 * HOUR)),
}


@pytest.fixture(scope="module")
def edges() -> list[Edge]:
    return [Edge(each.src, each.dst, each.seconds * 1_000_000) for each in read_messages()]


@pytest.fixture(scope="module")
def queries() -> list[Pair]:
    """200 pairs: half among the 100 busiest vertices, half among all, chosen by a fixed seed."""
    chance = random.Random(20040415)
    degree = Counter(vertex for each in read_messages() for vertex in (each.src, each.dst))
    vertices = [vertex for vertex, _ in degree.most_common()]
    drawn: dict[Pair, None] = {}
    while len(drawn) < 200:
        source, target = chance.sample(vertices[:100] if len(drawn) < 100 else vertices, 2)
        drawn[source, target] = None
    return list(drawn)


@pytest.mark.parametrize("setting", SETTINGS)
def test_batch(
    spark: SparkSession, edges: list[Edge], queries: Sequence[Pair], setting: str
) -> None:
    (window, slide, start), windows = SETTINGS[setting]
    found = bic_connectivity(static_edges(spark, edges), window, slide, queries, start_time=start)
    assert collected(found) == oracle.answers(edges, windows, queries)


@pytest.mark.parametrize("setting", ["50-by-12-hours", "tumbling-3-days"])
def test_streaming(
    spark: SparkSession, edges: list[Edge], queries: Sequence[Pair], setting: str, tmp_path: Path
) -> None:
    (window, slide, start), windows = SETTINGS[setting]
    chance = random.Random(setting)
    # Each message is held back by up to the delay, so that the stream is out of order throughout.
    arriving = sorted(edges, key=lambda edge: (edge.time or 0) + chance.randrange(DELAY))
    size = -(-len(arriving) // BATCHES)
    batches = [arriving[low : low + size] for low in range(0, len(arriving), size)]
    end = max(edge.time or 0 for edge in edges)
    flush = Edge(0, 0, end + 3 * windows.length + DELAY)
    write_batches(tmp_path / "in", [*batches, [flush]])

    stream = streamed_edges(spark, tmp_path / "in", DELAY)
    answers = bic_connectivity(stream, window, slide, queries, start_time=start)
    query = run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")

    expected = oracle.answers(edges, windows, queries)
    assert collected(spark.read.parquet(str(tmp_path / "out"))) == expected
    counts = {"edges": len(edges) + 1, "late_edges": 0, "null_rows": 0}
    counts["windows"] = expected.total() // len(queries)
    assert counted(query) == told(counts)


def test_names_that_live_change_fewer_rows(spark: SparkSession, edges: list[Edge]) -> None:
    """A vertex that comes or leaves gives a row under any names: names decide about all others."""
    (window, slide, _), windows = SETTINGS["week-by-day"]
    changed, renamed = {}, {}
    for stable in (False, True):
        updates = bic_components(
            static_edges(spark, edges), window, slide, updates_only=True, stable=stable
        )
        born = [F.unix_micros("born")] if stable else []
        columns = updates.select(F.unix_micros("window.start"), "vertex", "component", *born)
        rows = Counter(tuple(row) for row in columns.collect())
        assert rows == oracle.memberships(
            edges, windows, min_size=1, updates_only=True, stable=stable
        )
        left = sum(count for row, count in rows.items() if row[2] is None)
        changed[stable] = rows.total()
        # Each vertex that leaves has come, and all have left in the end.
        renamed[stable] = rows.total() - 2 * left
    assert changed == {False: 13_177, True: 10_538}
    assert renamed == {False: 4_381, True: 1_742}
