"""What the live page shows of the answers: lines of each method, and a list of connected pairs."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkValueError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from oracle import Edge
from pyspark_bic import bic_changes, bic_component_stats, bic_components, bic_connectivity
from pyspark_bic.extras.live import _page
from pyspark_bic.extras.live._alerts import SHOWN, Alerts
from pyspark_bic.extras.live._snapshot import Watcher, on_clock, series
from tables import SET_BACK, run_to_end, static_edges, streamed_edges, write_batches

pytestmark = pytest.mark.later("the core needs none of it")

MINUTE = 60 * 1_000_000
PAIRS = [(1, 2), (3, 4), (5, 6)]


def lines(answers: DataFrame) -> dict[str, list[int]]:
    return dict(series(answers).lines)


def test_lines_of_every_method(spark: SparkSession) -> None:
    edges = static_edges(spark, [Edge(1, 2, 0), Edge(2, 3, 1), Edge(8, 9, 2), Edge(8, 9, MINUTE)])
    of_groups = {"components": [2, 1], "vertices of the largest": [3, 2]}
    assert lines(bic_components(edges, "1 minute")) == of_groups
    assert lines(bic_component_stats(edges, "1 minute")) == of_groups
    assert lines(bic_changes(edges, "1 minute")) == {
        "appeared": [2, 0, 0],
        "merged": [0, 0, 0],
        "split": [0, 0, 0],
        "vanished": [0, 1, 1],
    }
    growth = lines(bic_changes(edges, "1 minute", growth=True))
    assert growth.keys() == {"appeared", "grew", "merged", "split", "shrank", "vanished"}
    with pytest.raises(PySparkValueError, match="but its columns are src, dst"):
        series(edges.select("src", "dst"))


@pytest.mark.parametrize(
    "name", ["region", "component", "connected", "vertex", "change", "size", "count", "end", "a.b"]
)
def test_graphs_by_a_key_of_any_name(spark: SparkSession, name: str) -> None:
    """Such as that of a column of another method's answers."""
    given = [Edge(1, 2, 0, ("a",)), Edge(1, 3, 1, ("b",)), Edge(1, 4, 2, ("b",))]
    edges = static_edges(spark, given).withColumnRenamed("region", name)
    of_groups = {"components": [2], "vertices of the largest": [3]}
    assert lines(bic_component_stats(edges, "1 minute", by=name)) == of_groups
    if name not in ("component", "vertex"):
        assert lines(bic_components(edges, "1 minute", by=name)) == of_groups
    if name not in ("change", "size"):
        assert lines(bic_changes(edges, "1 minute", by=name))["appeared"] == [2, 0]
    if name != "connected":
        pairs = bic_connectivity(edges, "1 minute", None, [(1, 2)], by=name)
        assert lines(pairs) == {"pairs asked": [2], "connected": [1]}


def test_keys_with_the_names_of_what_pairs_give(spark: SparkSession) -> None:
    edges = static_edges(spark, [Edge(1, 2, 0, ("a", 1))])
    edges = edges.withColumnsRenamed({"region": "source", "shard": "connected"})
    found = lines(bic_components(edges, "1 minute", by=["source", "connected"]))
    assert found == {"components": [1], "vertices of the largest": [2]}


@pytest.mark.usefixtures("new_york")
def test_windows_are_moments_of_one_length(spark: SparkSession) -> None:
    edges = static_edges(spark, SET_BACK)
    found = series(bic_connectivity(edges, "1 hour", None, [(1, 2)]))
    assert found.lines == {"pairs asked": [1, 1, 1], "connected": [1, 1, 0]}
    assert [end.hour for end in found.ends] == [1, 1, 2]
    several = bic_connectivity(edges, ["1 hour", "2 hours"], "1 hour", [(1, 2)], index="recency")
    with pytest.raises(PySparkValueError, match=r"of 2 lengths \(1:00:00, 2:00:00\): keep one"):
        series(several)
    local = edges.withColumn("time", F.col("time").cast("timestamp_ntz"))
    assert lines(bic_component_stats(local, "1 hour"))["components"] == [1, 2]


@pytest.mark.parametrize(
    ("time", "zone", "shown"),
    [
        ("2024-05-01T10:00:00.000Z", "Europe/Berlin", "2024-05-01 12:00:00"),
        ("2024-05-01T10:00:00.000Z", "UTC", "2024-05-01 10:00:00"),
        ("2024-05-01T10:00:00.000Z", "+01:00", "2024-05-01 10:00:00 UTC"),
        ("+57351-06-01T00:00:00.000Z", "America/New_York", "+57351-06-01 00:00:00 UTC"),
        (None, "UTC", "none yet"),
    ],
)
def test_the_watermark_is_on_the_clock_of_the_session(
    time: str | None, zone: str, shown: str
) -> None:
    assert on_clock(time, zone) == shown


def pairs_of(spark: SparkSession, edges: list[Edge], **options: Any) -> DataFrame:
    return bic_connectivity(static_edges(spark, edges), "10 minutes", queries=PAIRS, **options)


def test_which_pairs_are_new_between_two_looks(spark: SparkSession) -> None:
    edges = [Edge(1, 2, 0), Edge(3, 4, 11 * MINUTE), Edge(1, 2, 12 * MINUTE)]
    first = Alerts().after(pairs_of(spark, edges, since=True))
    pairs = [("1 and 2", 20), ("3 and 4", 20), ("1 and 2", 10)]
    assert [(alert.pair, alert.end.minute) for alert in first.rows] == pairs
    assert first.news == frozenset()
    assert all(alert.since for alert in first.rows)
    more = pairs_of(spark, [*edges, Edge(5, 6, 13 * MINUTE)], since=True)
    later = first.after(more)
    assert [alert.pair for alert in later.news] == ["5 and 6"]
    assert later.shown[0].pair == "5 and 6"
    assert later.after(more).news == frozenset()


def test_pairs_of_several_graphs_and_answers_without_pairs(spark: SparkSession) -> None:
    edges = [Edge(1, 2, 0, ("eu", 1)), Edge(1, 2, 0, ("us", 1))]
    found = Alerts().after(pairs_of(spark, edges, by=["region", "shard"]))
    assert [alert.pair for alert in found.rows] == ["eu: 1: 1 and 2", "us: 1: 1 and 2"]
    assert [alert.since for alert in found.rows] == ["", ""]
    stats = bic_component_stats(static_edges(spark, edges), "10 minutes")
    assert found.after(stats) == Alerts()


def test_no_more_pairs_than_a_page_can_show(spark: SparkSession) -> None:
    many = spark.range(100).selectExpr(
        "struct(timestamp_seconds(id) AS start, timestamp_seconds(id + 60) AS end) AS window",
        *("id AS source", "id AS target", "true AS connected"),
    )
    newest = [f"{n} and {n}" for n in range(99, 99 - SHOWN, -1)]
    assert [alert.pair for alert in Alerts().after(many).shown] == newest


@pytest.mark.classic("a table that files are added to by this process")
def test_the_page_marks_an_early_alert(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    edges = streamed_edges(spark, tmp_path / "in", MINUTE)
    answers = bic_connectivity(edges, "10 minutes", queries=PAIRS, early=True, since=True)

    def go_on(number: int, *batch: Edge) -> Any:
        write_batches(tmp_path / "in", [batch], first=number)
        return run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")

    def page(seen: Any) -> str:
        parts = [part.to_plotly_json() for part in _page.news(seen)]
        return json.dumps(parts, default=plain, ensure_ascii=False)

    def plain(part: Any) -> Any:
        return part.to_plotly_json() if hasattr(part, "to_plotly_json") else str(part)

    query = go_on(0, Edge(1, 2, MINUTE))
    watcher = Watcher(query, lambda: spark.read.parquet(str(tmp_path / "out")))
    seen = watcher.look()
    assert [alert.pair for alert in seen.alerts.rows] == ["1 and 2"]
    assert "● new" not in page(seen)
    watcher._query = go_on(1, Edge(5, 6, 2 * MINUTE))
    seen = watcher.look()
    assert [alert.pair for alert in seen.alerts.shown] == ["5 and 6", "1 and 2"]
    assert page(seen).count("● new") == 1
    assert "1 of them new" in page(seen)
