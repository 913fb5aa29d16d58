"""Columns of any type that split the edges into graphs."""

import os
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pyspark_bic import bic_components, bic_connectivity, metrics
from tables import run_to_end

# Graphs enough for a hash of their keys to be needed, from an id below 6.
KEYS = [
    "cast(id AS STRING)",
    "cast(cast(id AS STRING) AS BINARY)",
    "array(cast(cast(id AS STRING) AS BINARY))",
    "named_struct('name', id, 'code', cast(cast(id AS STRING) AS BINARY))",
    "if(id = 5, double('NaN'), id / 4)",
    "array(if(id = 5, float('NaN'), cast(id / 4 AS FLOAT)))",
    "cast(id AS DECIMAL(20, 3))",
    "if(id = 5, NULL, date_add(DATE'2024-01-01', cast(id AS INT)))",
    "timestamp_seconds(id)",
    "id % 2 = 0",
]


def edges_by(spark: SparkSession, key: str) -> DataFrame:
    return spark.range(6).selectExpr(
        "id AS src", "id + 100 AS dst", "timestamp_seconds(3) AS time", f"{key} AS k"
    )


@pytest.mark.parametrize("key", KEYS)
def test_each_graph_is_asked_for_its_own_pairs(spark: SparkSession, key: str) -> None:
    edges = edges_by(spark, key)
    pairs = edges.selectExpr("src AS source", "dst AS target", "k")
    answers = bic_connectivity(edges, "1 minute", queries=pairs, by="k")
    assert answers.count() == 6
    assert answers.where("connected").count() == 6


# Days and times that the calendar of java.sql does not have, or takes for others.
EXACT = [
    "date_add(DATE'1582-10-03', cast(id AS INT) * 3)",
    "array(date_add(DATE'1582-10-03', cast(id AS INT) * 3))",
    "timestamp_micros(-12219465600000000 + id * 86400000000)",
    "timestamp_micros(if(id = 5, -9223372036854775808, 9223372036854775807 - id))",
    "named_struct('at', timestamp_micros(-12219465600000000 + id * 86400000000))",
]


@pytest.mark.parametrize("key", EXACT)
def test_dates_and_times_are_kept_to_the_microsecond(spark: SparkSession, key: str) -> None:
    edges = edges_by(spark, key)
    pairs = edges.selectExpr("src AS source", "dst AS target", "k")
    answers = bic_connectivity(edges, "1 minute", queries=pairs, by="k")
    same = answers.join(edges, "k").where("connected AND source = src")
    assert (answers.count(), same.count()) == (6, 6)


INTERVALS = [
    "make_dt_interval(cast(id AS INT))",
    "cast(cast(id AS STRING) AS INTERVAL HOUR)",
    "cast(cast(id AS STRING) AS INTERVAL MONTH)",
    "array(named_struct('i', cast(cast(id AS STRING) AS INTERVAL DAY)))",
]


@pytest.mark.parametrize("key", INTERVALS)
def test_intervals_keep_their_type(spark: SparkSession, key: str) -> None:
    edges = edges_by(spark, key)
    answers = bic_components(edges, "1 minute", by="k")
    assert answers.schema["k"].dataType == edges.schema["k"].dataType
    assert answers.join(edges, "k").where("src = component").count() == 12
    pairs = answers.select(F.col("vertex").alias("source"), F.col("component").alias("target"), "k")
    own = bic_connectivity(edges, "1 minute", queries=pairs, by="k")
    assert own.where("connected").count() == 12


def write(folder: Path, number: int, src: int, seconds: int, zero: str) -> None:
    folder.mkdir(exist_ok=True)
    file = folder / f"{number}.csv"
    file.write_text(f"{src},{src + 1},{seconds},{zero}\n")
    os.utime(file, (1_700_000_000 + number, 1_700_000_000 + number))


@pytest.mark.parametrize("key", ["k", "array(k)"])
def test_zeros_of_both_signs_are_one_graph(spark: SparkSession, key: str, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    # The last ones let the windows before them end.
    for number, (src, seconds, zero) in enumerate(
        [(1, 3, "0.0"), (2, 3, "-0.0"), (8, 900, "-0.0"), (9, 900, "0.0")]
    ):
        write(folder, number, src, seconds, zero)
    schema = "src LONG, dst LONG, seconds LONG, k DOUBLE"

    def groups(raw: DataFrame) -> DataFrame:
        edges = raw.withColumn("k", F.expr(key)).withColumn("time", F.timestamp_seconds("seconds"))
        if edges.isStreaming:
            edges = edges.withWatermark("time", "0 seconds")
        return bic_components(edges, "1 minute", by="k")

    def rows(answers: DataFrame) -> list[tuple[object, ...]]:
        first = answers.where("window.start = timestamp_seconds(0)")
        return sorted(
            map(tuple, first.select("vertex", "component", F.expr("cast(k AS STRING)")).collect())
        )

    zero = {"k": "0.0", "array(k)": "[0.0]"}[key]
    expected = [(1, 1, zero), (2, 1, zero), (3, 1, zero)]
    assert rows(groups(spark.read.schema(schema).csv(str(folder)))) == expected

    stream = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).csv(str(folder))
    query = run_to_end(groups(stream), tmp_path / "out", tmp_path / "checkpoint")
    assert metrics(query)["late_edges"] == 0
    assert rows(spark.read.parquet(str(tmp_path / "out"))) == expected
