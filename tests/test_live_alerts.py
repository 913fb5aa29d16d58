"""The live page lists connected pairs, and marks those that have just come."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from oracle import Edge
from pyspark_bic import bic_component_stats, bic_connectivity
from pyspark_bic.extras.live import _page
from pyspark_bic.extras.live._alerts import SHOWN, Alerts
from pyspark_bic.extras.live._snapshot import Watcher
from tables import run_to_end, static_edges, streamed_edges, write_batches

MINUTE = 60 * 1_000_000
QUERIES = [(1, 2), (3, 4), (5, 6)]


def answers_of(spark: SparkSession, edges: list[Edge], **options: Any) -> DataFrame:
    return bic_connectivity(static_edges(spark, edges), "10 minutes", queries=QUERIES, **options)


def test_what_is_new_between_two_looks(spark: SparkSession) -> None:
    edges = [Edge(1, 2, 0), Edge(3, 4, 11 * MINUTE), Edge(1, 2, 12 * MINUTE)]
    first = Alerts().after(answers_of(spark, edges, since=True))
    assert [(alert.pair, alert.end.minute) for alert in first.rows] == [
        ("1 and 2", 20),
        ("3 and 4", 20),
        ("1 and 2", 10),
    ]
    assert first.news == frozenset()
    assert all(alert.since for alert in first.rows)
    later = first.after(answers_of(spark, [*edges, Edge(5, 6, 13 * MINUTE)], since=True))
    assert [alert.pair for alert in later.news] == ["5 and 6"]
    assert later.shown[0].pair == "5 and 6"
    assert (
        later.after(answers_of(spark, [*edges, Edge(5, 6, 13 * MINUTE)], since=True)).news == set()
    )


def test_graphs_are_told_apart_and_other_answers_have_no_alerts(spark: SparkSession) -> None:
    edges = [Edge(1, 2, 0, ("eu", 1)), Edge(1, 2, 0, ("us", 1))]
    found = Alerts().after(answers_of(spark, edges, by=["region", "shard"]))
    assert [alert.pair for alert in found.rows] == ["eu: 1: 1 and 2", "us: 1: 1 and 2"]
    assert [alert.since for alert in found.rows] == ["", ""]
    stats = bic_component_stats(static_edges(spark, edges), "10 minutes")
    assert found.after(stats) == Alerts()


def test_no_more_than_a_page_can_show(spark: SparkSession) -> None:
    many = spark.range(100).select(
        F.expr("struct(timestamp_seconds(id) AS start, timestamp_seconds(id + 60) AS end)").alias(
            "window"
        ),
        F.col("id").alias("source"),
        F.col("id").alias("target"),
        F.lit(True).alias("connected"),
    )
    found = Alerts().after(many)
    assert [alert.pair for alert in found.shown] == [
        f"{n} and {n}" for n in range(99, 99 - SHOWN, -1)
    ]


@pytest.mark.classic("a table that files are added to by this process")
def test_the_page_marks_an_early_alert(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    edges = streamed_edges(spark, tmp_path / "in", MINUTE)
    answers = bic_connectivity(edges, "10 minutes", queries=QUERIES, early=True, since=True)

    def go_on(number: int, *batch: Edge) -> Any:
        write_batches(tmp_path / "in", [batch], first=number)
        return run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")

    watcher = Watcher(
        go_on(0, Edge(1, 2, MINUTE)), lambda: spark.read.parquet(str(tmp_path / "out"))
    )
    seen = watcher.look()
    assert [alert.pair for alert in seen.alerts.rows] == ["1 and 2"]
    assert "● new" not in page(seen)
    watcher._query = go_on(1, Edge(5, 6, 2 * MINUTE))
    seen = watcher.look()
    assert [alert.pair for alert in seen.alerts.shown] == ["5 and 6", "1 and 2"]
    assert page(seen).count("● new") == 1
    assert "1 of them new" in page(seen)


def page(seen: Any) -> str:
    return json.dumps(
        [part.to_plotly_json() for part in _page.news(seen)], default=plain, ensure_ascii=False
    )


def plain(part: Any) -> Any:
    return part.to_plotly_json() if hasattr(part, "to_plotly_json") else str(part)
