"""What variants of a call cost beside the plain one: string ids, and windows of several lengths.

    .venv/bin/python bench/variants.py --edges 4000000 --vertices 200000 --rounds 3 --groups Ids

One random graph over ten hours, in Parquet, once for each kind of id; `bicConnectivity` as a batch
query, one pair, on two cores. The group "Ids: a stream" reads the same edges, one file a
micro-batch, with each layout of the state. Each round runs every variant once, so that what else
the machine does hits all alike; the table shows the best time of each, and its ratio to the first
of its group.
"""

import argparse
import os
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from pyspark_bic import bic_connectivity, configure_spark_with_bic

LAYOUTS = ("value", "panes")
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

SLIDE = "5 minutes"
IDS = {
    "BIGINT": "CAST({0} AS BIGINT)",
    "INT": "CAST({0} AS INT)",
    "STRING, user-123": "concat('user-', {0})",
    "STRING, 36 characters of a UUID": "concat_ws('-', substr(md5(string({0})), 1, 8), "
    "substr(md5(string({0})), 9, 4), substr(md5(string({0})), 13, 4), "
    "substr(md5(string({0})), 17, 4), substr(md5(string({0})), 21, 12))",
}
WINDOWS: dict[str, list[list[str]]] = {
    "6 hours": [["6 hours"]],
    "5 minutes, 1 hour and 6 hours, at once": [["5 minutes", "1 hour", "6 hours"]],
    "5 minutes, 1 hour and 6 hours, one after the other": [["5 minutes"], ["1 hour"], ["6 hours"]],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edges", type=int, default=4_000_000)
    parser.add_argument("--vertices", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--files", type=int, default=6, help="micro-batches of a stream")
    parser.add_argument("--groups", default="", help="only groups whose name has this in it")
    options = parser.parse_args()

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
    builder.config("spark.sql.shuffle.partitions", 1).config("spark.driver.memory", "3g")
    builder.config("spark.ui.showConsoleProgress", False)
    # For the layout that keeps panes apart; the other one takes either.
    builder.config("spark.sql.streaming.stateStore.providerClass", ROCKSDB)
    spark = configure_spark_with_bic(builder).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    folder = Path(tempfile.mkdtemp(prefix="variants-"))
    try:
        # Written when a variant first asks for it: few of them are wanted at a time.
        @cache
        def edges(name: str, files: int = 2) -> DataFrame:
            return written(spark, folder, name, options, files)

        runs: dict[str, dict[str, Any]] = {
            "Ids: windows of 1 hour": {
                name: lambda name=name: run(edges(name), [["1 hour"]]) for name in IDS
            },
            "Ids: reading the same files, and nothing else": {
                name: lambda name=name: read(edges(name)) for name in IDS
            },
            **{
                f"Ids: a stream, state by {layout}": {
                    name: lambda name=name, layout=layout: stream(
                        edges(name, options.files), layout, folder
                    )
                    for name in IDS
                    if name != "INT"
                }
                for layout in LAYOUTS
            },
            "Windows": {
                name: lambda calls=calls: run(edges("BIGINT"), calls)
                for name, calls in WINDOWS.items()
            },
        }
        print(f"{options.edges:,} edges, {options.vertices:,} vertices, slide {SLIDE}, recency")
        for group, variants in runs.items():
            if options.groups not in group:
                continue
            times: dict[str, list[float]] = {name: [] for name in variants}
            for _ in range(options.rounds):
                for name, variant in variants.items():
                    times[name].append(variant())
            first = min(next(iter(times.values())))
            print(f"\n| {group} | seconds | ratio |\n| --- | ---: | ---: |")
            for name, all_times in times.items():
                best = min(all_times)
                print(f"| {name} | {best:.2f} | {best / first:.2f} |", flush=True)
    finally:
        shutil.rmtree(folder)
        spark.stop()


def written(
    spark: SparkSession, folder: Path, name: str, options: argparse.Namespace, files: int
) -> DataFrame:
    path = str(folder / str(len(list(folder.iterdir()))))
    vertex = "pmod(xxhash64(id, {0}), " + str(options.vertices) + ")"
    spark.range(0, options.edges, numPartitions=files).selectExpr(
        IDS[name].format(vertex.format(1)) + " AS src",
        IDS[name].format(vertex.format(2)) + " AS dst",
        f"timestamp_seconds(id * 36000 / {options.edges}) AS time",
    ).write.parquet(path)
    # A stream takes files in the order of their dates.
    for number, file in enumerate(sorted(Path(path).glob("part-*"))):
        os.utime(file, (1e9 + number, 1e9 + number))
    return spark.read.parquet(path)


def pair_of(edges: DataFrame) -> tuple[Any, Any]:
    return ("a", "b") if edges.schema["src"].dataType.simpleString() == "string" else (1, 2)


def run(edges: DataFrame, calls: list[list[str]]) -> float:
    start = time.perf_counter()
    for windows in calls:
        answers = bic_connectivity(edges, windows, SLIDE, [pair_of(edges)], index="recency")
        answers.write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


def stream(edges: DataFrame, layout: str, folder: Path) -> float:
    spark = edges.sparkSession
    spark.conf.set("spark.bic.stateLayout", layout)
    files = spark.readStream.schema(edges.schema).option("maxFilesPerTrigger", 1)
    # All files of the frame are in one folder.
    late = files.parquet(edges.inputFiles()[0].rpartition("/")[0]).withWatermark("time", SLIDE)
    checkpoint = Path(tempfile.mkdtemp(dir=folder))
    start = time.perf_counter()
    answers = bic_connectivity(late, "1 hour", SLIDE, [pair_of(edges)], index="recency")
    writer = answers.writeStream.format("noop").option("checkpointLocation", str(checkpoint))
    writer.trigger(availableNow=True).start().awaitTermination()
    seconds = time.perf_counter() - start
    shutil.rmtree(checkpoint)
    return seconds


def read(edges: DataFrame) -> float:
    start = time.perf_counter()
    edges.write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
