"""Edges into DataFrames and answers out of them, without a time zone or a clock in between."""

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyspark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.types import LongType, StringType, StructField, StructType

from cases import StreamCase, closing_vertex
from oracle import Answer, Edge
from pyspark_bic import metrics

# Two key columns, so that `by` can be none, one or both of them.
KEYS = ("region", "shard")
_RAW = StructType(
    [
        StructField("src", LongType()),
        StructField("dst", LongType()),
        StructField("micros", LongType()),
        StructField("region", StringType()),
        StructField("shard", LongType()),
    ]
)

# 00:05 and 01:05 EDT and 01:05 EST of the day on which New York sets its clocks back.
SET_BACK = [
    Edge(1, 2, 1730606700_000000),
    Edge(1, 2, 1730610300_000000),
    Edge(3, 4, 1730613900_000000),
]


def with_time(raw: DataFrame) -> DataFrame:
    return raw.withColumn("time", F.timestamp_micros("micros")).drop("micros")


def static_edges(spark: SparkSession, edges: Sequence[Edge]) -> DataFrame:
    return with_time(spark.createDataFrame([_raw_row(edge) for edge in edges], _RAW))


def collected(answers: DataFrame, by: Sequence[str] = ()) -> Counter[Answer]:
    """The rows of `answers` as the oracle writes them."""
    rows = answers.select(
        *by,
        F.unix_micros("window.start"),
        F.unix_micros("window.end"),
        "source",
        "target",
        "connected",
    ).collect()
    return Counter(tuple(row) for row in rows)


def rows(answers: DataFrame) -> Counter[Answer]:
    """The rows with arrays and structs as tuples."""
    return Counter(map(plain, answers.collect()))


def plain(value: Any) -> Any:
    return tuple(map(plain, value)) if isinstance(value, list | tuple) else value


def write_batches(folder: Path, batches: Sequence[Sequence[Edge]], first: int = 0) -> None:
    """One file per micro-batch: the file source takes the files in the order of their dates."""
    folder.mkdir(parents=True, exist_ok=True)
    names = _RAW.fieldNames()
    for number, batch in enumerate(batches, start=first):
        rows = [dict(zip(names, _raw_row(edge), strict=True)) for edge in batch]
        write_rows(folder, number, rows)


def write_rows(folder: Path, number: int, rows: Sequence[dict[str, Any]]) -> None:
    """A file of a stream that may run: Spark sees it when it is whole, in the order of numbers."""
    # Spark reads no file whose name begins with a dot.
    hidden = folder / f".{number:05d}"
    hidden.write_text("".join(json.dumps(row) + "\n" for row in rows))
    os.utime(hidden, (1_700_000_000 + number, 1_700_000_000 + number))
    hidden.rename(folder / f"{number:05d}.json")


def streamed_edges(spark: SparkSession, folder: Path, delay: int) -> DataFrame:
    raw = spark.readStream.schema(_RAW).option("maxFilesPerTrigger", 1).json(str(folder))
    return with_time(raw).withWatermark("time", f"{delay} microseconds")


def run_to_end(answers: DataFrame, sink: Path, checkpoint: Path) -> StreamingQuery:
    """Append the answers to a parquet table until the files that are there are used up."""
    query = (
        answers.writeStream.format("parquet")
        .option("path", str(sink))
        .option("checkpointLocation", str(checkpoint))
        .outputMode("append")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return query


def through_a_restart(
    spark: SparkSession,
    case: StreamCase,
    ask: Callable[[DataFrame], DataFrame],
    read: Callable[[DataFrame], Counter[Answer]],
) -> tuple[Counter[Answer], list[Any]]:
    """What `read` makes of all that `ask` answers about the stream, and the progress of both runs.

    The query is stopped where the case says and started again from its checkpoint. Behind the
    edges of the case comes one so far ahead that the watermark passes every window but its own,
    of which no early row tells.
    """
    ahead = max([edge.time for edge in case.edges if edge.time is not None], default=0)
    time = max(0, ahead) + 4 * case.windows.length + case.delay + 2000
    vertex = closing_vertex(case)
    batches = [*case.batches, [Edge(vertex, vertex, time, case.edges[0].key)]]
    progress: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        files, sink, checkpoint = (Path(folder, name) for name in ("in", "out", "checkpoint"))
        files.mkdir()
        answers = ask(streamed_edges(spark, files, case.delay))
        for first, last in ((0, case.restart_after), (case.restart_after, len(batches))):
            write_batches(files, batches[first:last], first)
            progress += run_to_end(answers, sink, checkpoint).recentProgress
        return read(spark.read.schema(answers.schema).parquet(str(sink))), progress


def counted(source: Any) -> dict[str, int]:
    """What became of edges and windows, of all that a query counts."""
    found = metrics(source)
    return told({name: found[name] for name in ("edges", "late_edges", "null_rows", "windows")})


def told(counts: dict[str, int]) -> dict[str, int]:
    """These counters without those that Spark 3.5 does not tell of micro-batches without data."""
    fewer = pyspark.__version__ < "4"
    return {name: count for name, count in counts.items() if not fewer or name != "windows"}


def said(error: BaseException) -> str:
    """The text of an error without what Spark Connect adds: a place in SQL, the server's stack."""
    return re.sub(r"(; line \d+ pos \d+)?\n\nJVM stacktrace:.*", "", str(error), flags=re.DOTALL)


def _raw_row(edge: Edge) -> tuple[object, ...]:
    keys = (*edge.key, *[None] * (len(KEYS) - len(edge.key)))
    return (edge.src, edge.dst, edge.time, *keys)
