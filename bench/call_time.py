"""How long a call takes to build its plan, warm: `bicConnectivity` with 50,000 pairs, in each form.

Run it in the project's `.venv`, by itself or with the URL of a Spark Connect server. It prints a
line for each form: the median and the least of ten calls after thirty others, in milliseconds.
"""

import statistics
import sys
import time
from collections.abc import Callable

import pandas as pd
from pyspark.sql import DataFrame, SparkSession

from pyspark_bic import configure_spark_with_bic

PAIRS = 50_000
CALLS = 10


def forms(spark: SparkSession) -> dict[str, object]:
    pairs = [(i * 7919 % PAIRS, i * 104729 % PAIRS) for i in range(PAIRS)]
    named = pd.DataFrame(pairs, columns=["source", "target"])
    return {
        "a list": pairs,
        "pandas": named,
        "a DataFrame of the driver": spark.createDataFrame(named),
        "a DataFrame of a job": spark.range(PAIRS).selectExpr("id AS source", "id + 1 AS target"),
    }


def milliseconds(call: Callable[[], DataFrame]) -> list[float]:
    times = []
    for _ in range(4 * CALLS):
        start = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - start))
    return times[-CALLS:]


def main() -> None:
    if sys.argv[1:]:
        spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
    else:
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        spark = configure_spark_with_bic(builder).getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
    columns = ("id AS src", "id + 1 AS dst", "timestamp_seconds(id) AS time")
    edges = spark.range(100).selectExpr(*columns)
    for name, queries in forms(spark).items():

        def call(queries: object = queries) -> DataFrame:
            return edges.bicConnectivity("1 hour", "5 minutes", queries=queries)

        times = milliseconds(call)
        print(f"{name}: {statistics.median(times):.0f} ms, at least {min(times):.0f} ms")
    spark.stop()


if __name__ == "__main__":
    main()
