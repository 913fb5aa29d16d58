"""Features of a payment: what the graph was just before it came, in training and in serving.

Trains a model on a table of payments, with and without features of the graph, and draws what each
of them finds. Then it serves the same features on a stream, and compares them row by row with
those of the table. Run it with `make demo-features`.
"""

import shutil
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyspark.ml import Estimator, Pipeline, Transformer
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.feature import VectorAssembler
from pyspark.ml.functions import vector_to_array
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import fraud
import precision_picture
import spark_log
from pyspark_bic import bic_as_of, configure_spark_with_bic, metrics

OUTPUT = Path(__file__).resolve().parent / "output"
PICTURE = OUTPUT / "features.png"
LENGTHS = ["1 hour", "6 hours"]
SLIDE = "5 minutes"
PLAIN = ["log_amount", "hour"]
ALERTED = 0.04
TRAINED_UNTIL = fraud.BEGIN + timedelta(hours=32)


def main() -> int:
    began = time.monotonic()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    spark_log.send_to(OUTPUT / "spark.log")
    rows = fraud.payments()
    spark = start_spark()
    spark.createDataFrame(rows, fraud.SCHEMA).write.parquet(str(OUTPUT / "payments"))
    payments = spark.read.parquet(str(OUTPUT / "payments"))
    print(f"{len(rows):,} payments, {sum(row.fraud for row in rows):,} of them fraud\n")

    answered = as_of(payments, payments).cache()
    featured = features(answered).cache()
    graph = [name for name in featured.columns if name.startswith("graph_")]
    scores = {
        "amount and hour": scored(featured, PLAIN),
        "with the graph before": scored(featured, PLAIN + graph),
    }
    print(f"Alerts on the {ALERTED:.0%} of payments that a model takes most likely for fraud:")
    for name, (found, labels) in scores.items():
        alerts = np.argsort(-found, kind="stable")[: round(ALERTED * len(found))]
        hits = int(labels[alerts].sum())
        print(
            f"{name:>22}: {len(alerts)} alerts, precision {hits / len(alerts):.0%}, "
            f"recall {hits / int(labels.sum()):.0%}"
        )
    precision_picture.draw(PICTURE, scores)
    wrong = serve(spark, rows, answered)
    spark.stop()
    print(f"picture: {PICTURE}\ndone in {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


def start_spark() -> SparkSession:
    builder = (
        SparkSession.builder.master("local[*]")
        .appName("Features of a payment")
        .config("spark.sql.shuffle.partitions", 1)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
        .config("spark.log.level", "ERROR")
    )
    return configure_spark_with_bic(builder).getOrCreate()


def as_of(payments: DataFrame, events: DataFrame) -> DataFrame:
    """The events, each with the graph just before it, within each of the lengths."""
    return bic_as_of(
        payments,
        events,
        LENGTHS,
        SLIDE,
        source="payer",
        target="payee",
        at="time",
        marked=fraud.MULES,
        src="payer",
        dst="payee",
    )


def features(answered: DataFrame) -> DataFrame:
    """A column of numbers for each feature; the same function serves a table and a stream."""
    columns = {
        "log_amount": F.log1p("amount"),
        "hour": F.hour("time").cast("double"),
    }
    for place, length in enumerate(LENGTHS):
        of = F.col("graph")[place]
        name = f"graph_{length.replace(' ', '_')}"
        columns[f"{name}_connected"] = of["connected"].cast("double")
        for end in ("source", "target"):
            columns[f"{name}_{end}_size"] = F.log1p(of[end]["size"])
            columns[f"{name}_{end}_mules"] = of[end]["marked"].cast("double")
    return answered.withColumns(columns)


def scored(featured: DataFrame, names: list[str]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """How likely a model takes each payment of the last day for fraud, and whether it is."""
    stages: list[Estimator[Any] | Transformer] = [
        VectorAssembler(inputCols=names, outputCol="features"),
        LogisticRegression(labelCol="fraud", standardization=True),
    ]
    before, after = (featured.where(F.col("time") < TRAINED_UNTIL), F.col("time") >= TRAINED_UNTIL)
    model = Pipeline(stages=stages).fit(before)
    rows = (
        model.transform(featured.where(after))
        .select(vector_to_array(F.col("probability"))[1].alias("found"), "fraud")
        .collect()
    )
    return np.array([row.found for row in rows]), np.array([row.fraud == 1 for row in rows])


def serve(spark: SparkSession, rows: list[fraud.Payment], answered: DataFrame) -> int:
    """Answer the same payments on a stream, an hour in each micro-batch; print what differs."""
    folder = OUTPUT / "stream"
    for hour in range(fraud.HOURS):
        begin = fraud.BEGIN + timedelta(hours=hour)
        some = [row for row in rows if begin <= row.time < begin + timedelta(hours=1)]
        spark.createDataFrame(some, fraud.SCHEMA).coalesce(1).write.mode("append").parquet(
            str(folder)
        )
    stream = spark.readStream.schema(fraud.SCHEMA).option("maxFilesPerTrigger", 1)
    edges = stream.parquet(str(folder)).withWatermark("time", "10 minutes")
    query = (
        as_of(edges, stream.parquet(str(folder)))
        .writeStream.format("parquet")
        .option("path", str(OUTPUT / "answers"))
        .option("checkpointLocation", str(OUTPUT / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    served = spark.read.parquet(str(OUTPUT / "answers")).select("payment_id", "graph")
    counted = metrics(query)
    both = served.withColumnRenamed("graph", "served").join(answered, "payment_id")
    same = both.where(F.col("served").eqNullSafe(F.col("graph"))).count()
    count = served.count()
    print(
        f"\nThe stream has answered {count:,} payments; {counted['waiting_events']:,} of the last "
        f"minutes wait for the watermark.\nOf the answers, {same:,} are those of the table."
    )
    return count - same


if __name__ == "__main__":
    sys.exit(main())
