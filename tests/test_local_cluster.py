"""Executors in processes of their own: stage 1 spreads over them, and no memory is shared.

What is sent to them needs no class that a strict serializer would have to be told of.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from oracle import Edge, Windows, answers

# Every other edge belongs to one huge graph, the rest to two thousand small ones.
EDGES = 100_000
QUERIES = [(1, 2), (3, 11)]

PROGRAM = """
import json, sys
from pyspark.sql import SparkSession, functions as F
from pyspark_bic import configure_spark_with_bic

edges, queries = json.loads(sys.argv[1])
builder = SparkSession.builder.master("local-cluster[2,1,2048]")
settings = {
    "spark.executor.memory": "1g",
    # Both executors are to be there before the first task: of so many cores.
    "spark.cores.max": "2",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.scheduler.maxRegisteredResourcesWaitingTime": "300s",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.enabled": "false",
    "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    "spark.kryo.registrationRequired": "true",
}
for key, value in settings.items():
    builder.config(key, value)
spark = configure_spark_with_bic(builder).getOrCreate()
n = F.col("id")
huge = n % 2 == 0
rows = spark.range(0, edges, 1, 4).select(
    F.when(huge, 0).otherwise(n % 2003).alias("graph"),
    F.when(huge, n * 7919 % 20011).otherwise(n * 31 % 17).alias("src"),
    F.when(huge, n * 104729 % 20011).otherwise(n * 53 % 19).alias("dst"),
    F.timestamp_micros(n * 37 % 120 * 1000000).alias("time"),
)
for adaptive in (True, False):
    spark.conf.set("spark.sql.adaptive.enabled", adaptive)
    found = rows.bicConnectivity("1 minute", "30 seconds", queries=queries, by="graph").select(
        "graph", F.unix_micros("window.start"), F.unix_micros("window.end"),
        "source", "target", "connected",
    )
    print("ROWS", json.dumps([list(row) for row in found.collect()]))
executors = spark.sparkContext._jsc.sc().statusStore().executorList(True)
for i in range(executors.size()):
    each = executors.apply(i)
    print("EXECUTOR", json.dumps([each.id(), each.totalShuffleWrite()]))
spark.stop()
"""


def edge(n: int) -> Edge:
    huge = n % 2 == 0
    return Edge(
        src=n * 7919 % 20011 if huge else n * 31 % 17,
        dst=n * 104729 % 20011 if huge else n * 53 % 19,
        time=n * 37 % 120 * 1_000_000,
        key=(0 if huge else n % 2003,),
    )


@pytest.mark.long("a cluster of three JVMs")
def test_one_huge_graph_beside_thousands_of_small_ones(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, json.dumps([EDGES, QUERIES])]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-4000:]
    printed: dict[str, list[str]] = {"ROWS": [], "EXECUTOR": []}
    for line in ran.stdout.splitlines():
        word, _, rest = line.partition(" ")
        if word in printed:
            printed[word].append(rest)
    windows = Windows(60_000_000, 30_000_000)
    wanted = sorted(answers(map(edge, range(EDGES)), windows, QUERIES).elements())
    # With adaptive execution, and without.
    assert len(printed["ROWS"]) == 2
    for rows in printed["ROWS"]:
        assert sorted(tuple(row) for row in json.loads(rows)) == wanted
    # Blocks of stage 1 left from both executors, and none from the driver.
    written = dict(json.loads(line) for line in printed["EXECUTOR"])
    assert written.pop("driver", 0) == 0
    assert len(written) == 2 and all(size > 0 for size in written.values()), written
