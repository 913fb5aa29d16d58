"""Who is connected to whom at a college: connectivity over a sliding week, as a live Spark stream.

Replays the CollegeMsg messages through Structured Streaming, and asks each day which of 100 pairs
of students a chain of messages of the last 7 days connects. It writes the answers to a parquet
table, checks them against NetworkX and draws them. Run it with `make demo`.
"""

import shutil
import sys
import time
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

import numpy as np
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

import check
import figure
import replay
import spark_log
from messages import Message, read_messages
from pyspark_bic import bic_connectivity, configure_spark_with_bic, metrics

OUTPUT = Path(__file__).resolve().parent / "output"
PICTURE = OUTPUT / "collegemsg.png"
WINDOW_DAYS = 7
PAIRS = 100


def main() -> int:
    began = time.monotonic()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    spark_log.send_to(OUTPUT / "spark.log")
    messages = read_messages()
    pairs = busiest_pairs(messages)
    written = replay.write_files(OUTPUT / "stream", messages, delay=replay.DAY)
    print(
        f"{len(messages):,} messages in {written.files} files, {PAIRS} pairs, "
        f"window {WINDOW_DAYS} days, slide 1 day, watermark 1 day behind\n"
    )

    spark = start_spark()
    edges = (
        spark.readStream.schema(replay.SCHEMA)
        .option("maxFilesPerTrigger", 1)
        .csv(str(OUTPUT / "stream"))
        .withWatermark("time", "1 day")
    )
    query = (
        bic_connectivity(edges, f"{WINDOW_DAYS} days", "1 day", pairs)
        .writeStream.format("parquet")
        .option("path", str(OUTPUT / "answers"))
        .option("checkpointLocation", str(OUTPUT / "checkpoint"))
        .outputMode("append")
        .trigger(availableNow=True)
        .start()
    )
    follow(query, written.files)
    counted = metrics(query)
    answers = spark.read.parquet(str(OUTPUT / "answers"))
    found = show(answers)
    print(
        f"{counted['windows']:,} windows, {len(found):,} answers, "
        f"{counted['late_edges']} late edges (the replay holds {len(written.late)} messages back "
        "until their windows are answered)"
    )

    wrong = check.differences(found, written.in_time, pairs, WINDOW_DAYS)
    for line in wrong[:10]:
        print(line)
    if counted["late_edges"] != len(written.late):
        wrong.append("late edges")
    print(
        f"NetworkX, every window from scratch: {len(found):,} answers checked, "
        f"{'all the same' if not wrong else f'{len(wrong)} DIFFER'}"
    )

    paint(found, pairs)
    spark.stop()
    print(f"picture: {PICTURE}\ndone in {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


def busiest_pairs(messages: Sequence[Message]) -> list[tuple[int, int]]:
    """The 100 busiest students, each with one of the next 100."""
    degree = Counter(vertex for each in messages for vertex in (each.src, each.dst))
    busiest = sorted(degree, key=lambda vertex: (-degree[vertex], vertex))[: 2 * PAIRS]
    return list(zip(busiest[:PAIRS], busiest[PAIRS:], strict=True))


def start_spark() -> SparkSession:
    builder = (
        SparkSession.builder.master("local[*]")
        .appName("CollegeMsg connectivity")
        # One graph is one key, so one partition holds all of the state; each further one would
        # only cost its commit in every micro-batch. The default is 200.
        .config("spark.sql.shuffle.partitions", 1)
        .config("spark.sql.streaming.numRecentProgressUpdates", 1000)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
        .config("spark.log.level", "ERROR")
    )
    return configure_spark_with_bic(builder).getOrCreate()


def follow(query: StreamingQuery, files: int) -> None:
    """Print one line per micro-batch, while they run."""
    print("  file   watermark      edges so far   windows answered    edges/s")
    printed = 0
    active = True
    while active:
        active = query.isActive
        for progress in query.recentProgress[printed:]:
            printed += 1
            so_far = metrics(query.recentProgress[:printed])
            # A micro-batch without input only lets the last windows fall due.
            file = f"{printed}/{files}" if progress["numInputRows"] else "end"
            rate = progress["processedRowsPerSecond"] or 0
            watermark = progress["eventTime"].get("watermark", "")[:10]
            print(
                f"{file:>6}   {watermark}   {so_far['edges']:>12,}   {so_far['windows']:>16,}"
                f"   {rate:>8,.0f}",
                flush=True,
            )
        time.sleep(0.2)
    query.awaitTermination()  # Raises what the stream failed with, if it did.
    print()


def show(answers: DataFrame) -> dict[tuple[datetime, int, int], bool]:
    """Print the answers, and give them back by window start and pair."""
    print("The answers, as the sink holds them:\n")
    answers.where("connected").orderBy("window", "source").show(5, truncate=False)
    print("Connected pairs, every second week:\n")
    (
        answers.groupBy("window")
        .agg(F.count_if("connected").alias("connected"), F.count("*").alias("pairs"))
        .where(F.expr("datediff(window.end, DATE'2004-04-16') % 14 = 0"))
        .orderBy("window")
        .select(
            F.date_format("window.start", "yyyy-MM-dd").alias("from"),
            F.date_format("window.end", "yyyy-MM-dd").alias("until"),
            "connected",
            "pairs",
        )
        .show(100)
    )
    rows = answers.select(F.unix_seconds("window.start"), "source", "target", "connected")
    found: dict[tuple[datetime, int, int], bool] = {}
    for seconds, source, target, connected in rows.collect():
        key = (datetime.fromtimestamp(seconds, timezone.utc), source, target)
        if key in found:
            raise ValueError(f"answered twice: {key}")
        found[key] = connected
    return found


def paint(found: check.Answers, pairs: Sequence[tuple[int, int]]) -> None:
    starts = sorted({start for start, _, _ in found})
    connected = np.array(
        [[found[start, source, target] for start in starts] for source, target in pairs]
    )
    ends = np.array([start.replace(tzinfo=None) for start in starts], dtype="datetime64[s]")
    figure.draw(PICTURE, ends + np.timedelta64(WINDOW_DAYS, "D"), connected)


if __name__ == "__main__":
    sys.exit(main())
