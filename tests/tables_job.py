"""A job that `test_sparks` runs: edges in tables of several formats, in batch and as a stream.

    tables_job.py FOLDER IVY PACKAGES

``PACKAGES`` are the Maven coordinates of Delta Lake and Iceberg for the PySpark at hand, which are
fetched into the folder ``IVY``.
"""

import random
import sys
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from pyspark_bic import configure_spark_with_bic
from spark_job import PAIRS, SLIDE, WINDOW, Edge, check, pairs_of, rows, timed

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog",
    "spark.sql.catalog.ice.type": "hadoop",
    "spark.sql.session.timeZone": "UTC",
    # Delta's default, 50, takes a second at each look at a table.
    "spark.databricks.delta.snapshotPartitions": "2",
}

TABLES = {"parquet": "of_parquet", "delta": "of_delta", "iceberg": "ice.db.of_iceberg"}


def asked(edges: DataFrame) -> DataFrame:
    return edges.bicConnectivity(f"{WINDOW} seconds", f"{SLIDE} seconds", queries=PAIRS)


def batch(spark: SparkSession, name: str, edges: list[Edge]) -> None:
    wanted = pairs_of(edges)
    for setting in ("spark.sql.adaptive.enabled", "spark.sql.ansi.enabled"):
        for value in ("true", "false"):
            spark.conf.set(setting, value)
            check(f"{name}, {setting}={value}", rows(asked(spark.table(name))), wanted)
        spark.conf.unset(setting)


def stream(spark: SparkSession, name: str, edges: list[Edge], folder: Path) -> None:
    late = spark.readStream.table(name).withWatermark("time", "0 seconds")
    query = (
        asked(late)
        .writeStream.format("parquet")
        .option("checkpointLocation", str(folder / "state"))
        .start(str(folder / "out"))
    )
    # Not the trigger AvailableNow: with it, an older Iceberg stops before the windows close.
    query.processAllAvailable()
    query.stop()
    last = max(time for _, _, time in edges)
    closed = {row for row in pairs_of(edges) if row[0] + WINDOW <= last}
    check(f"{name}, streamed", rows(spark.read.parquet(str(folder / "out"))), closed)


def main(folder: Path, ivy: str, packages: str) -> None:
    builder = SparkSession.builder.master("local[2]").config("spark.jars.ivy", ivy)
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    builder = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse"))
    builder = builder.config("spark.sql.catalog.ice.warehouse", str(folder / "ice"))
    spark = configure_spark_with_bic(builder, packages.split(",")).getOrCreate()
    chance = random.Random(11)
    edges = [(chance.randrange(12), chance.randrange(12), i // 3 + 30) for i in range(120)]
    for kind, name in TABLES.items():
        frame = timed(spark.createDataFrame(edges, "src long, dst long, at long").coalesce(1))
        if kind == "iceberg":
            frame.writeTo(name).using(kind).create()
        else:
            frame.write.format(kind).saveAsTable(name)
        batch(spark, name, edges)
        stream(spark, name, edges, folder / kind)
    spark.stop()
    print("all answers are as expected")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
