"""The page that keeps an identity graph, with Delta Lake: as it is, and with a longer stream.

Delta Lake needs jars, and so a session of its own: the test starts this file as a program.
"""

import json
import os
import random
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

import pages
from pyspark_bic import bic_components, configure_spark_with_bic

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/how-to/identity-graph.md"
SCHEMA = "src STRING, dst STRING, time TIMESTAMP"
FILES = 5


@pytest.mark.long("Delta Lake has a session of its own")
def test_the_page_and_a_longer_stream(tmp_path: Path) -> None:
    subprocess.run(["make", "examples/payments/target/.staged"], cwd=ROOT, check=True)
    command = [sys.executable, __file__, str(tmp_path)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.endswith("the page and the stream are right\n")


def main(folder: Path) -> None:
    spark = delta_session()
    held = pages.run(PAGE, folder)
    keeps_the_last_window(spark, held["merge"], folder / "stream", random.Random(0))
    spark.stop()
    print("the page and the stream are right")


def delta_session() -> SparkSession:
    jars = sorted((ROOT / "examples/payments/target/compile-jars").glob("*.jar"))
    builder = (
        SparkSession.builder.master("local[2]")
        .config("spark.jars", ",".join(map(str, jars)))
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config(
            "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog"
        )
        .config("spark.databricks.delta.snapshotPartitions", 1)
        .config("spark.sql.shuffle.partitions", 1)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
    )
    return configure_spark_with_bic(builder).getOrCreate()


def keeps_the_last_window(
    spark: SparkSession, merge: Any, folder: Path, chance: random.Random
) -> None:
    """The page's merge, over a stream that is stopped in the middle and then goes on."""
    spark.sql("DELETE FROM identities")
    written = write_sightings(folder / "in", chance)
    read = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1)
    edges = read.json(str(folder / "in")).withWatermark("time", "5 minutes")
    updates = named(edges, updates_only=True)
    stopped: list[int] = []

    def stops(batch: DataFrame, number: int) -> None:
        if number == FILES // 2 and not stopped:
            # The micro-batch has been merged, but the checkpoint does not say so.
            merge(batch, number)
            stopped.append(number)
            raise RuntimeError("stopped in the middle")
        merge(batch, number)

    for _ in range(2):
        query = (
            updates.writeStream.foreachBatch(stops)
            .option("checkpointLocation", str(folder / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        try:
            query.awaitTermination()
        except Exception as error:
            if "stopped in the middle" not in str(error):
                raise
    assert stopped
    full = named(spark.read.schema(SCHEMA).json(str(folder / "in")), updates_only=False)
    last = full.where(F.col("window.end") <= F.timestamp_seconds(F.lit(written - 300)))
    end = last.agg(F.max("window.end")).collect()[0][0]
    expected = last.where(F.col("window.end") == end).select("vertex", "component", "born")
    found = spark.table("identities").collect()
    assert sorted(found) == sorted(expected.collect()) != []
    # Names live longer than a window.
    assert any(is_older_than_a_window(row, end) for row in found)


def named(edges: DataFrame, updates_only: bool) -> DataFrame:
    return bic_components(
        edges, "1 hour", "10 minutes", min_size=2, updates_only=updates_only, stable=True
    )


def is_older_than_a_window(row: Row, end: Any) -> bool:
    return bool((end - row.born).total_seconds() > 3600)


def write_sightings(folder: Path, chance: random.Random) -> int:
    """Out of order by less than the watermark's delay; gives the last time, in seconds."""
    folder.mkdir(parents=True)
    time = 1_714_550_400
    for number in range(FILES):
        lines = []
        for _ in range(40):
            time += chance.randrange(60)
            ends = (f"p{chance.randrange(60)}", f"d{chance.randrange(60)}")
            lines.append(sighting(*ends, time - chance.randrange(200)))
        time += 200
        lines.append(sighting("p0", "p0", time))
        path = folder / f"{number:02}.json"
        path.write_text("\n".join(lines))
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    return time


def sighting(src: str, dst: str, seconds: int) -> str:
    time = datetime.fromtimestamp(seconds, timezone.utc).isoformat()
    return json.dumps({"src": src, "dst": dst, "time": time})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
