"""How many rows a changelog of components has, by smallest vertex and by names that live.

    .venv/bin/python bench/stable_names.py

The CollegeMsg data set, batch queries with `updates_only`, for several windows.
"""

import sys
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pyspark_bic import bic_components, configure_spark_with_bic

sys.path.insert(0, str(Path(__file__).parent.parent / "examples" / "collegemsg"))
from messages import read_messages

WINDOWS = (("1 day", "1 hour"), ("7 days", "1 day"), ("20 days", "1 day"), ("30 days", "1 day"))


def main() -> None:
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
    builder.config("spark.sql.shuffle.partitions", 1).config("spark.ui.showConsoleProgress", False)
    spark = configure_spark_with_bic(builder).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    messages = [tuple(message) for message in read_messages()]
    edges = spark.createDataFrame(messages, "src INT, dst INT, seconds BIGINT").select(
        "src", "dst", F.timestamp_seconds("seconds").alias("time")
    )
    print("| window | slide | changed rows, smallest vertex | stable | part |")
    print("|---|---|--:|--:|--:|")
    for window, slide in WINDOWS:
        smallest, stable = (
            bic_components(edges, window, slide, updates_only=True, stable=lives).count()
            for lives in (False, True)
        )
        part = stable / smallest
        print(f"| {window} | {slide} | {smallest:,} | {stable:,} | {part:.2f} |", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
