"""SciPy's `connected_components` for each window, in Spark: what one writes without an index.

In a batch, `applyInPandas` over the chosen windows; in a stream, `applyInPandasWithState`, which keeps the edges
of the windows to come. Started by the Spark benchmarks, over the parquet files that they made. The last line
printed is the outcome: time, edges, and a checksum of the answers of each window.
"""

# ruff: noqa: E501

import argparse
import functools
import os
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.state import GroupState, GroupStateTimeout
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

ANSWER = "start BIGINT, crc BIGINT"


def answers(src: np.ndarray, dst: np.ndarray, pairs: np.ndarray) -> int:
    """The checksum of one byte a pair: whether the edges connect it."""
    # By hashes: `np.unique` would sort the ends, which takes two to three times as long as all the rest.
    ends, vertices = pd.factorize(np.concatenate([src, dst]))
    n = len(src)
    graph = coo_array((np.ones(n, np.int8), (ends[:n], ends[n:])), shape=(len(vertices),) * 2)
    _, labels = connected_components(graph, directed=False)
    at = pd.Index(vertices).get_indexer(pairs.ravel()).reshape(pairs.shape)
    there = at >= 0
    found = labels[at]
    connected = there.all(axis=1) & (found[:, 0] == found[:, 1])
    return zlib.crc32(connected.astype(np.uint8).tobytes())


def batch(
    edges: Callable[[int], DataFrame], starts: list[int], pairs: np.ndarray
) -> dict[int, int]:
    """`edges` gives those of the window that starts then."""

    def solve(group: pd.DataFrame) -> pd.DataFrame:
        crc = answers(group["src"].to_numpy(), group["dst"].to_numpy(), pairs)
        return pd.DataFrame({"start": group["start"].iloc[:1], "crc": [crc]})

    parts = [
        edges(start).select(F.lit(start).cast("bigint").alias("start"), "src", "dst")
        for start in starts
    ]
    chosen = functools.reduce(DataFrame.union, parts)
    return dict(map(tuple, chosen.groupBy("start").applyInPandas(solve, ANSWER).collect()))


def stream(
    edges: DataFrame, window: int, slide: int, pairs: np.ndarray, folder: str
) -> dict[int, int]:
    """One group: its state is the next window and the edges of the windows to come, in rising order of time."""

    def step(_: Any, blocks: Iterator[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
        if state.exists:
            following, raw = state.get
            held = [np.frombuffer(raw, np.int64).reshape(3, -1)]
        else:
            following, held = None, []
        held += [
            np.stack([b["ms"].to_numpy(), b["src"].to_numpy(), b["dst"].to_numpy()]) for b in blocks
        ]
        ms, src, dst = np.concatenate(held, axis=1)
        if following is None:
            following = int((ms.min() - window) // slide + 1) * slide
        watermark = state.getCurrentWatermarkMs()
        rows = []
        while following + window <= watermark:
            low, high = np.searchsorted(ms, [following, following + window])
            if low < high:
                rows.append((following, answers(src[low:high], dst[low:high], pairs)))
            following += slide
        low = int(np.searchsorted(ms, following))
        state.update((following, np.stack([ms[low:], src[low:], dst[low:]]).tobytes()))
        state.setTimeoutTimestamp(max(watermark + 1, following + window - 1))
        yield pd.DataFrame(rows, columns=["start", "crc"])

    found: dict[int, int] = {}
    checkpoint = tempfile.mkdtemp(dir=folder)
    query = (
        edges.withColumn("one", F.lit(0))
        .groupBy("one")
        .applyInPandasWithState(
            step,
            ANSWER,
            "following BIGINT, edges BINARY",
            "append",
            GroupStateTimeout.EventTimeTimeout,
        )
        .writeStream.foreachBatch(lambda frame, _: found.update(map(tuple, frame.collect())))
        .option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    shutil.rmtree(checkpoint)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--folder", "--mode", "--starts"):
        parser.add_argument(name, required=True)
    for name in (
        *("--pairs", "--cores", "--window-ms", "--slide-ms"),
        *("--batch", "--edges", "--first-ms"),
    ):
        parser.add_argument(name, type=int, required=True)
    options = parser.parse_args()
    folder = Path(options.folder)
    lines = (folder / f"pairs-{options.pairs}.txt").read_text().splitlines()
    pairs = np.array([line.split() for line in lines], np.int64)
    # The workers have SciPy where this one has it.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master(f"local[{options.cores}]")
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
        .config("spark.driver.memory", "5g")
        .config("spark.sql.shuffle.partitions", options.cores)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", 1_000_000)
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    files = [
        f"edges-{number:05d}.parquet"
        for number in range((options.edges + options.batch - 1) // options.batch)
    ]
    schema = "src BIGINT, dst BIGINT, time TIMESTAMP"
    ms = F.unix_millis("time").alias("ms")

    def in_window(start: int) -> DataFrame:
        """Out of the files that hold some of it, of a hundred edges a millisecond."""
        end = start + options.window_ms
        first = (start - options.first_ms) * 100 // options.batch
        last = ((end - options.first_ms) * 100 - 1) // options.batch
        held = [str(folder / file) for file in files[first : last + 1]]
        table = spark.read.schema(schema).parquet(*held)
        return table.where((ms >= start) & (ms < end))

    def run(starts: list[int], files: list[str]) -> tuple[float, dict[int, int]]:
        begun = time.perf_counter()
        if options.mode == "batch":
            found = batch(in_window, starts, pairs)
        else:
            edges = (
                spark.readStream.schema(schema)
                .option("maxFilesPerTrigger", 1)
                .parquet(f"{folder}/{{{','.join(files)}}}")
                .withWatermark("time", "0 seconds")
                .select("src", "dst", "time", ms)
            )
            found = stream(edges, options.window_ms, options.slide_ms, pairs, tempfile.gettempdir())
        return time.perf_counter() - begun, found

    starts = [int(start) for start in options.starts.split(",")]
    # To warm up: a window, or a micro-batch.
    run(starts[:1], files[:1])
    seconds, found = run(starts, files)
    spark.stop()
    checks = " ".join(f"{start}={crc}" for start, crc in sorted(found.items()))
    print(f"outcome: scipy {int(seconds * 1e9)} 0 {options.edges} {len(found)} 0 0 1 0 0;{checks};")


if __name__ == "__main__":
    main()
