"""A driver that is killed at any moment loses no row and writes none twice.

Each state store has a query of its own, in one driver: to start one takes longer than to run both.
"""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import oracle
from oracle import Edge, Windows
from tables import collected, write_batches

SECOND = 1_000_000
WINDOWS = Windows(50 * SECOND, 20 * SECOND)
DELAY = 15 * SECOND
QUERIES = [(s, t) for s in range(6) for t in range(6)]
STATE = "org.apache.spark.sql.execution.streaming.state."
PROVIDERS = {
    "bic": STATE + "HDFSBackedStateStoreProvider",
    "recency": STATE + "RocksDBStateStoreProvider",
}
KILLS = 1

# Runs a query of each index to the end of its files, and says so when both have begun to commit
# micro-batches.
PROGRAM = """
import json, sys, time
from pathlib import Path
from pyspark.sql import SparkSession
from pyspark_bic import bic_connectivity, configure_spark_with_bic
from tables import streamed_edges

given = json.loads(sys.argv[1])
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
builder.config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", 2)
spark = configure_spark_with_bic(builder).getOrCreate()
edges = streamed_edges(spark, Path(given["input"]), given["delay"])
queries = []
for index, provider in given["providers"].items():
    spark.conf.set("spark.sql.streaming.stateStore.providerClass", provider)
    answers = bic_connectivity(
        edges, given["window"], given["slide"], [tuple(pair) for pair in given["queries"]],
        by="region", index=index,
    )
    queries.append(
        answers.writeStream.format("parquet").option("path", given["sinks"][index])
        .option("checkpointLocation", given["checkpoint"] + index).trigger(availableNow=True)
        .start()
    )
while any(query.isActive and not query.recentProgress for query in queries):
    time.sleep(0.01)
print("RUNNING", flush=True)
for query in queries:
    query.awaitTermination()
spark.stop()
print("FINISHED", flush=True)
"""


def batches(chance: random.Random) -> list[list[Edge]]:
    """Edges of three graphs, out of order within the delay; the last batch closes all windows."""
    made = []
    for second in range(0, 250, 10):
        times = [(second + chance.random() * 10) * SECOND for _ in range(20)]
        made.append(
            [
                Edge(chance.randrange(6), chance.randrange(6), int(time), (chance.choice("abc"),))
                for time in times
            ]
        )
    chance.shuffle(made[0])
    flush = [Edge(0, 0, 10**6 * SECOND, ("a",))]
    return [*made, flush, flush]


@pytest.mark.long("it kills a driver")
def test_kills_at_random_moments(spark: SparkSession, tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    stream = batches(chance)
    write_batches(tmp_path / "in", stream)
    sinks = {index: str(tmp_path / f"out-{index}") for index in PROVIDERS}
    given = {
        "providers": PROVIDERS,
        "input": str(tmp_path / "in"),
        "sinks": sinks,
        "checkpoint": str(tmp_path / "checkpoint"),
        "window": f"{WINDOWS.length} microseconds",
        "slide": f"{WINDOWS.slide} microseconds",
        "delay": DELAY,
        "queries": QUERIES,
    }

    kills = 0
    finished = False
    while not finished:
        finished = run(given, None if kills == KILLS else chance.random() * 1.5, tmp_path)
        kills += not finished
    assert kills > 0, "the queries were too quick to be killed"

    edges = [edge for batch in stream[:-2] for edge in batch]
    wanted = oracle.answers(edges, WINDOWS, QUERIES)
    for index, sink in sinks.items():
        assert collected(spark.read.parquet(sink), ["region"]) == wanted, index


def run(given: dict[str, object], kill_after: float | None, folder: Path) -> bool:
    """Start the queries; kill Python and JVM after so many seconds. True if it got to its end."""
    here = Path(__file__).resolve().parent
    # Into a file: nobody reads a pipe while the first line is waited for.
    errors = folder / "errors.txt"
    with errors.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, json.dumps(given)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(here)},
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
            start_new_session=True,
        )
    assert process.stdout is not None
    if process.stdout.readline() == "RUNNING\n" and kill_after is not None:
        try:
            process.wait(kill_after)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return False
    out, _ = process.communicate()
    assert process.returncode == 0 and "FINISHED" in out, errors.read_text()
    return True
