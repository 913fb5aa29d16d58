"""Fraud rings: a stream of payments from Kafka, the suspect groups of each hour into Delta Lake.

    python rings.py localhost:9092 payments /data/rings

Runs until it is stopped; started again, it goes on where it was, and no row is lost or written
twice: Kafka's offsets and the windows that are open lie in the checkpoint, and Delta Lake knows
which micro-batches it holds.
"""

import argparse
from pathlib import Path

from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.readwriter import DataStreamReader

from payments import DELAY, MIN_SIZE, SLIDE, WINDOW
from pyspark_bic import bic_components, configure_spark_with_bic

# Fetched by the make targets of the demonstrations; elsewhere Spark fetches the packages itself.
JARS = Path(__file__).resolve().parent / "target" / "compile-jars"
PACKAGES = [
    "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0",
    "io.delta:delta-spark_4.2_2.13:4.4.0",
]


def start_spark(name: str = "fraud rings", small: bool = False) -> SparkSession:
    """A session on this machine; ``small`` for a demonstration, which shows its own lines alone."""
    builder = (
        SparkSession.builder.appName(name)
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config(
            "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog"
        )
        # One graph is one key. Delta's table of contents is small, and 50 partitions by default.
        .config("spark.sql.shuffle.partitions", 1)
        .config("spark.databricks.delta.snapshotPartitions", 1)
        .config("spark.sql.session.timeZone", "UTC")
    )
    if small:
        builder.master("local[2]").config("spark.ui.enabled", False)
        builder.config("spark.ui.showConsoleProgress", False).config("spark.log.level", "ERROR")
    staged = sorted(JARS.glob("*.jar"))
    if staged:
        builder.config("spark.jars", ",".join(map(str, staged)))
    return configure_spark_with_bic(builder, [] if staged else PACKAGES).getOrCreate()


def paid(
    reader: DataStreamReader | DataFrameReader, broker: str, topic: str, batch: int | None = None
) -> DataFrame:
    """The payments in a topic, as a stream, or those that are there.

    The columns are account, device, time, and the offset, which is the number of the payment in its
    partition.
    """
    reader = (
        reader.format("kafka")
        .option("kafka.bootstrap.servers", broker)
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
    )
    if batch is not None:
        reader = reader.option("maxOffsetsPerTrigger", batch)
    messages = reader.load().select(
        F.from_json(F.col("value").cast("string"), SCHEMA).alias("payment"), "offset"
    )
    return messages.select(
        "payment.account",
        "payment.device",
        F.timestamp_seconds("payment.seconds").alias("time"),
        "offset",
    )


def suspects(spark: SparkSession, broker: str, topic: str, batch: int) -> DataFrame:
    """window, vertex (account or device), component, for groups that are large for an hour."""
    payments = paid(spark.readStream, broker, topic, batch).withWatermark(
        "time", f"{DELAY} seconds"
    )
    return bic_components(
        payments,
        f"{WINDOW} seconds",
        f"{SLIDE} seconds",
        min_size=MIN_SIZE,
        src="account",
        dst="device",
    )


SCHEMA = "account STRING, device STRING, seconds BIGINT"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("broker", help="address of Kafka, host:port")
    parser.add_argument("topic", help="topic with payments as JSON: account, device, seconds")
    parser.add_argument("table", help="folder of the Delta table; its checkpoint is put beside it")
    parser.add_argument("--batch", type=int, default=100_000, help="most payments in a micro-batch")
    parser.add_argument("--once", action="store_true", help="stop at the end of what is there")
    parser.add_argument("--small", action="store_true", help="two cores, no UI, no warnings")
    given = parser.parse_args()

    spark = start_spark(small=given.small)
    query = (
        suspects(spark, given.broker, given.topic, given.batch)
        .writeStream.format("delta")
        .option("checkpointLocation", f"{given.table}.checkpoint")
        .trigger(**({"availableNow": True} if given.once else {"processingTime": "0 seconds"}))
        .start(given.table)
    )
    query.awaitTermination()
    spark.stop()


if __name__ == "__main__":
    main()
