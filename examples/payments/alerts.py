"""Alerts: which accounts touch a known mule, since when, and by which payments.

    python alerts.py localhost:9092 payments /data/alerts mules.json

Payments come from Kafka. An account touches a mule where payments of one hour lead from one to the
other, over devices that both have used. An alert is a row of the answer. The rows go to a Delta
table, and the row of each account is printed with its evidence, in the micro-batch with the payment
that connects it.
"""

import argparse
import json
from pathlib import Path

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from payments import DELAY, SLIDE, WINDOW
from pyspark_bic import bic_connected_to, bic_paths
from rings import paid, start_spark


def answers(
    spark: SparkSession, broker: str, topic: str, batch: int, mules: list[str], early: bool
) -> DataFrame:
    """window, vertex (account or device), marked (the mule), since."""
    payments = paid(spark.readStream, broker, topic, batch)
    return bic_connected_to(
        payments.withWatermark("time", f"{DELAY} seconds"),
        f"{WINDOW} seconds",
        f"{SLIDE} seconds",
        marked=mules,
        early=early,
        src="account",
        dst="device",
    )


def described(alert: Row) -> str:
    """An alert with its evidence, in one line."""
    steps = ", ".join(
        f"{step.src} with {step.dst} at {step.time:%H:%M} (payment {step.offset})"
        for step in alert.path
    )
    return (
        f"ALERT {alert.vertex} touches {alert.marked}: since {alert.since:%H:%M} in the window "
        f"{alert.window.start:%H:%M} to {alert.window.end:%H:%M}, by {steps}"
    )


def start(rows: DataFrame, table: str, history: DataFrame | None = None) -> StreamingQuery:
    """Write answers to a Delta table, each with its micro-batch; with ``history``, print alerts.

    Delta Lake skips a micro-batch that it holds already. So a row is never there twice, though a
    micro-batch runs again after a kill. A line may then be printed again.
    """
    name = Path(table).name

    def write(batch: DataFrame, number: int) -> None:
        # The alerts and the table read the micro-batch: unless it is kept, each read computes it.
        # And Delta Lake does not read a micro-batch that it skips, but Spark must have run it.
        batch.persist().count()
        alerts = batch.where("vertex <> marked AND vertex LIKE 'account%'")
        if history is not None and not alerts.isEmpty():
            evidence = bic_paths(history, alerts, keep="offset", src="account", dst="device")
            for alert in evidence.orderBy("window.start", "vertex").collect():
                print(described(alert), flush=True)
        numbered = batch.withColumn("batch", F.lit(number))
        writer = numbered.write.format("delta").mode("append")
        writer.options(txnAppId=name, txnVersion=number).save(table)
        batch.unpersist()

    return (
        rows.writeStream.foreachBatch(write)
        .option("checkpointLocation", f"{table}.checkpoint")
        .start()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("broker", help="address of Kafka, host:port")
    parser.add_argument("topic", help="topic with payments as JSON: account, device, seconds")
    parser.add_argument("table", help="folder of the Delta table; its checkpoint is put beside it")
    parser.add_argument("mules", type=Path, help="JSON file with a list of accounts, known mules")
    parser.add_argument("--batch", type=int, default=100_000, help="most payments in a micro-batch")
    parser.add_argument("--compare", help="folder of a second table, for the answers without early")
    parser.add_argument("--small", action="store_true", help="two cores, no UI, no warnings")
    given = parser.parse_args()

    spark = start_spark("alerts", given.small)
    mules = json.loads(given.mules.read_text())
    source = (spark, given.broker, given.topic, given.batch, mules)
    history = paid(spark.read, given.broker, given.topic)
    start(answers(*source, early=True), given.table, history)
    if given.compare:
        start(answers(*source, early=False), given.compare)
    spark.streams.awaitAnyTermination()


if __name__ == "__main__":
    main()
