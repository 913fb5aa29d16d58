"""Pairs that come and go while a stream runs: its components, joined with those of the moment."""

from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import oracle
from oracle import Edge, Windows
from pyspark_bic import bic_components
from tables import collected, streamed_edges, write_batches

SECOND = 1_000_000
WINDOWS = Windows(10 * SECOND, 5 * SECOND)
EDGES = [
    [Edge(1, 2, 0), Edge(2, 3, 4 * SECOND)],
    [Edge(9, 9, 6 * SECOND), Edge(3, 9, 13 * SECOND)],
    [Edge(1, 9, 17 * SECOND), Edge(7, 8, 24 * SECOND)],
    [Edge(0, 0, 1000 * SECOND)],
]
# source, target, and the ends of the windows from which and up to which it is asked, in seconds.
PAIRS = [(1, 3, 0, 12), (9, 9, 0, 1000), (3, 9, 15, 20), (1, 5, 0, 11), (7, 8, 2000, 3000)]


def pairs_of(spark: SparkSession, rows: list[tuple[int, int, int, int]], folder: str) -> None:
    """What any job may do while the stream runs."""
    pairs = spark.createDataFrame(rows, "source long, target long, since long, until long")
    for column in ("since", "until"):
        pairs = pairs.withColumn(column, F.timestamp_seconds(column))
    pairs.write.mode("append").parquet(folder)


@pytest.mark.later("it takes as long as twenty other tests")
@pytest.mark.classic("a Spark Connect server keeps the files of a path once it has listed them")
def test_pairs_with_a_lifetime_of_their_own(spark: SparkSession, tmp_path: Path) -> None:
    asked_at, answered_at = str(tmp_path / "pairs"), str(tmp_path / "answers")

    def answer(components: DataFrame, batch: int) -> None:
        pairs = components.sparkSession.read.parquet(asked_at)
        asked = (
            components.select("window")
            .distinct()
            .join(pairs, F.expr("window.end BETWEEN since AND until"))
        )
        sources = components.withColumnsRenamed({"vertex": "source", "component": "of_source"})
        targets = components.withColumnsRenamed({"vertex": "target", "component": "of_target"})
        answers = asked.join(sources, ["window", "source"], "left").join(
            targets, ["window", "target"], "left"
        )
        connected = F.expr("coalesce(of_source = of_target, false) AS connected")
        answers.select("window", "source", "target", connected).write.mode("overwrite").parquet(
            f"{answered_at}/batch={batch}"
        )

    for number, (batch, asked) in enumerate([(EDGES[:2], PAIRS[:2]), (EDGES[2:], PAIRS[2:])]):
        # The last pairs are there before the windows that they ask for have ended.
        pairs_of(spark, PAIRS[:2] if number == 0 else asked, asked_at)
        write_batches(tmp_path / "in", batch, first=2 * number)
        edges = streamed_edges(spark, tmp_path / "in", 0)
        query = (
            bic_components(edges, "10 seconds", "5 seconds")
            .writeStream.foreachBatch(answer)
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()

    expected: Counter[oracle.Answer] = Counter()
    edges_of_all = [edge for batch in EDGES[:-1] for edge in batch]
    # By the first run the watermark has passed 13 s: what was asked later is not asked of windows
    # that had ended by then.
    for source, target, since, until in PAIRS:
        known_from = 0 if (source, target, since, until) in PAIRS[:2] else 13
        for row, count in oracle.answers(edges_of_all, WINDOWS, [(source, target)]).items():
            end = int(str(row[1])) // SECOND
            if max(since, known_from + 1) <= end <= until:
                expected[row] += count
    assert collected(spark.read.parquet(answered_at)) == expected
    assert {row[-1] for row in expected} == {True, False}
