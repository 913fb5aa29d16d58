"""Jobs that `test_sparks` runs under other versions of PySpark, with nothing but that installed.

    spark_job.py FOLDER                   every kind of question, and a stream
    spark_job.py FOLDER NUMBER [...]      this micro-batch of the stream with checkpoints in FOLDER

Every answer is compared with components computed from scratch, by the plain search below.
"""

import random
import sys
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pyspark_bic import configure_spark_with_bic
from pyspark_bic._methods import METHODS

WINDOW, SLIDE = 20, 5
PAIRS = [(0, 1), (2, 3), (4, 9), (5, 5), (7, 99)]
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

Edge = tuple[int, int, int]
"""Source, target, and the time in seconds."""


def windows(edges: list[Edge]) -> dict[int, dict[int, int]]:
    """The smallest vertex of the component of each vertex, by the start of the window."""
    found = {}
    times = [time for _, _, time in edges]
    first = (min(times) - WINDOW) // SLIDE * SLIDE
    for start in range(first, max(times) + 1, SLIDE):
        held = [(u, v) for u, v, time in edges if start <= time < start + WINDOW]
        names = {end: end for edge in held for end in edge}
        changed = True
        while changed:
            changed = False
            for u, v in held:
                least = min(names[u], names[v])
                changed |= names[u] != least or names[v] != least
                names[u] = names[v] = least
        if held:
            found[start] = names
    return found


def pairs_of(edges: list[Edge]) -> set[tuple[int, int, int, bool]]:
    return {
        (start, u, v, names.get(u, -1) == names.get(v, -2))
        for start, names in windows(edges).items()
        for u, v in PAIRS
    }


def sizes_of(edges: list[Edge]) -> list[Edge]:
    """Of each edge: its source, its time, and how large the source's component was just before."""
    found = []
    held = windows(edges)
    for u, _, time in edges:
        names = held.get(time // SLIDE * SLIDE - WINDOW, {})
        found.append((u, time, [*names.values()].count(names.get(u, -1))))
    return sorted(found)


def rows(answers: DataFrame) -> set[tuple[int, int, int, bool]]:
    found = answers.select(
        F.unix_seconds("window.start"), "source", "target", "connected"
    ).collect()
    assert len(set(found)) == len(found), "a row came twice"
    return {tuple(row) for row in found}


def check(what: str, found: object, wanted: object) -> None:
    assert found == wanted, f"{what}: {found} is not {wanted}"
    print(f"{what}: as expected", flush=True)


def timed(frame: DataFrame) -> DataFrame:
    return frame.select("src", "dst", F.timestamp_seconds("at").alias("time"))


def stream(
    spark: SparkSession, folder: Path, layout: str, batches: list[list[Edge]], done: int = 0
) -> None:
    """Each micro-batch is a run of the query, so that the state is read back every time.

    The first ``done`` batches have been run before.
    """
    spark.conf.set("spark.bic.stateLayout", layout)
    if layout == "panes":
        spark.conf.set("spark.sql.streaming.stateStore.providerClass", ROCKSDB)
    source, out, state = (str(folder / name) for name in ("in", "out", "state"))
    for i, batch in enumerate(batches[done:], start=done):
        part = spark.createDataFrame(batch, "src long, dst long, at long").coalesce(1)
        part.write.mode("append").parquet(f"{source}/batch={i}")
        edges = timed(spark.readStream.schema("src long, dst long, at long").parquet(f"{source}/*"))
        answers = edges.withWatermark("time", "3 seconds").bicConnectivity(
            f"{WINDOW} seconds", f"{SLIDE} seconds", queries=PAIRS
        )
        query = (
            answers.writeStream.option("checkpointLocation", state)
            .trigger(availableNow=True)
            .format("parquet")
            .start(out)
        )
        query.awaitTermination()
    last = max(time for batch in batches for _, _, time in batch)
    closed = {
        row
        for row in pairs_of([edge for batch in batches for edge in batch])
        if row[0] + WINDOW <= last - 3
    }
    check(f"stream, layout {layout}", rows(spark.read.parquet(out)), closed)


def main(folders: list[Path], numbers: list[int]) -> None:
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "2")
    spark = configure_spark_with_bic(builder).getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    chance = random.Random(7)
    edges = [(chance.randrange(12), chance.randrange(12), i // 3 + 30) for i in range(150)]
    batches = [edges[i : i + 30] for i in range(0, len(edges), 30)]
    parts = [range(number, number + 1) for number in numbers]
    if not parts:
        parts = [range(len(batches))]
        every_question(spark, edges)
    for layout in ["value"] if spark.version.startswith("3.") else ["value", "panes"]:
        for folder, part in zip(folders, parts, strict=True):
            stream(spark, folder / layout, layout, batches[: part.stop], part.start)
    spark.stop()
    print("all answers are as expected")


def every_question(spark: SparkSession, edges: list[Edge]) -> None:
    frame = timed(spark.createDataFrame(edges, "src long, dst long, at long")).cache()

    lengths = (f"{WINDOW} seconds", f"{SLIDE} seconds")
    for index in ("bic", "recency"):
        answers = frame.bicConnectivity(*lengths, queries=PAIRS, index=index)
        check(f"batch, index {index}", rows(answers), pairs_of(edges))
    found = frame.bicComponents(*lengths).select(
        F.unix_seconds("window.start"), "vertex", "component"
    )
    wanted = {
        (start, vertex, name)
        for start, names in windows(edges).items()
        for vertex, name in names.items()
    }
    check("components", {tuple(row) for row in found.collect()}, wanted)
    events = frame.bicAsOf(frame, *lengths, source="src")
    sizes = events.select("src", F.unix_seconds("time"), "graph.size").collect()
    check("events", sorted(map(tuple, sizes)), sizes_of(edges))
    own = {"bicConnectedTo": {"marked": [u for u, _ in PAIRS]}}
    for name in METHODS:
        # bicConnectivity and bicAsOf have been asked above; bicPaths is about answers.
        if name not in ("bicConnectivity", "bicAsOf", "bicPaths"):
            found = getattr(frame, name)(*lengths, **own.get(name, {}))
            starts = found.select(F.unix_seconds("window.start")).distinct().collect()
            # A window without a change gives no row of changes; in the first window all is new.
            occurring = sorted(windows(edges))[: 1 if name == "bicChanges" else None]
            check(name, {start for (start,) in starts} >= set(occurring), True)
    frame.createOrReplaceTempView("edges")
    array = ", ".join(f"({u}, {v})" for u, v in PAIRS)
    answers = spark.sql(
        f"SELECT * FROM bic_connectivity(TABLE(edges), '{lengths[0]}', '{lengths[1]}', "
        f"queries => array({array}))"
    )
    check("SQL", rows(answers), pairs_of(edges))
    strings = frame.select(F.col("src").cast("string"), F.col("dst").cast("string"), "time")
    named = [(str(u), str(v)) for u, v in PAIRS]
    answers = strings.bicConnectivity(*lengths, queries=named)
    check(
        "strings",
        rows(answers.withColumns({c: F.col(c).cast("long") for c in ("source", "target")})),
        pairs_of(edges),
    )


if __name__ == "__main__":
    main([*map(Path, sys.argv[1::2])], [*map(int, sys.argv[2::2])])
