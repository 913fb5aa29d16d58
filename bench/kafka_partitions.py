"""What partitions of a Kafka topic cost a stream: the same edges in topics of 1, 4 and 16.

All partitions of a topic hold edges of every pane. A broker of its own runs beside the query. Ends
of edges are skewed, as in R-MAT: half of them are among an eighth of the vertices. Each topic is
read to its end by a scan and by ``bicConnectivity``, in turn, once to warm up. All topics must give
the same answers. Times are processor time of the JVM of Spark, since the broker runs beside it.

Run it by ``make bench-kafka``; ``ARGS="--help"`` says what may be set.
"""

import argparse
import os
import shutil
import statistics
import sys
import time
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from broker import Broker
from pyspark_bic import bic_connectivity, configure_spark_with_bic
from rings import JARS

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "bench" / "target" / "kafka"
EDGES_PER_MILLISECOND = 100
ASKED = (False, True)
PAIRS = [(first, second) for first in range(10) for second in range(100, 110)]


def main() -> None:
    options = arguments()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    builder = (
        SparkSession.builder.master(f"local[{options.cores}]")
        .config("spark.jars", ",".join(map(str, sorted(JARS.glob("*.jar")))))
        .config("spark.sql.shuffle.partitions", options.cores)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
        .config("spark.log.level", "ERROR")
        .config("spark.driver.memory", "3g")
    )
    spark = configure_spark_with_bic(builder, []).getOrCreate()
    with Broker(OUTPUT / "kafka") as broker:
        for partitions in options.partitions:
            send(spark, broker.address, partitions, options.edges)
        runs = {(partitions, asked): [] for partitions in options.partitions for asked in ASKED}
        answers = set()
        for turn in range(1 + options.runs):
            for (partitions, asked), measured in runs.items():
                edges = received(spark, broker.address, partitions, options.batch)
                seconds, told = run(spark, edges, asked, options)
                if asked:
                    answers.add(told)
                if turn:
                    measured.append(seconds)
        if len(answers) != 1:
            sys.exit(f"the topics gave {len(answers)} different sets of answers")
    first = {asked: statistics.median(runs[options.partitions[0], asked]) for asked in ASKED}
    for (partitions, asked), measured in runs.items():
        name = "bicConnectivity" if asked else "scan"
        seconds = statistics.median(measured)
        print(
            f"{name:16} {partitions:3} partitions: {seconds:6.2f} s of processor time, "
            f"{seconds / first[asked]:.2f} x; {', '.join(f'{each:.2f}' for each in measured)}"
        )
    print(f"the same answers from all topics: {len(answers.pop())} rows")
    spark.stop()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--partitions", type=ints, default=[1, 4, 16], metavar="N,N,…")
    parser.add_argument("--edges", type=int, default=4_000_000)
    parser.add_argument("--batch", type=int, default=1_000_000, help="edges in a micro-batch")
    parser.add_argument("--window", type=int, default=1_500_000, help="edges in a window")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    return parser.parse_args()


def ints(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def send(spark: SparkSession, broker: str, partitions: int, edges: int) -> None:
    def end(salt: int) -> str:
        part = f"(xxhash64(id, {salt}) & 2147483647) / 2147483648D"
        return f"cast(1048576 * pow({part}, 3) AS BIGINT)"

    millis = f"id DIV {EDGES_PER_MILLISECOND}"
    spark.range(edges).selectExpr(
        f"concat_ws(',', {end(1)}, {end(2)}, {millis}) AS value",
        f"cast(id % {partitions} AS INT) AS partition",
    ).write.format("kafka").options(
        **{"kafka.bootstrap.servers": broker, "topic": topic(spark, broker, partitions)}
    ).save()


def topic(spark: SparkSession, broker: str, partitions: int) -> str:
    """Make the topic, by the client that is among the jars."""
    name = f"edges-{partitions}"
    jvm = spark._jvm
    assert jvm is not None
    settings = jvm.java.util.Properties()
    settings.put("bootstrap.servers", broker)
    admin = jvm.org.apache.kafka.clients.admin.Admin.create(settings)
    made = jvm.org.apache.kafka.clients.admin.NewTopic(name, partitions, 1)
    admin.createTopics(jvm.java.util.Collections.singleton(made)).all().get()
    admin.close()
    return name


def received(spark: SparkSession, broker: str, partitions: int, batch: int) -> DataFrame:
    messages = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", broker)
        .option("subscribe", f"edges-{partitions}")
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", batch)
        .load()
    )
    field = F.split(F.col("value").cast("string"), ",")
    return messages.select(
        field[0].cast("long").alias("src"),
        field[1].cast("long").alias("dst"),
        F.timestamp_millis(field[2].cast("long")).alias("time"),
    )


def run(
    spark: SparkSession, edges: DataFrame, asked: bool, options: argparse.Namespace
) -> tuple[float, tuple[str, ...]]:
    """The seconds of processor time that reading a topic to its end took, and the answers."""
    window = options.window // EDGES_PER_MILLISECOND
    slide = window // 20
    stream = edges.withWatermark("time", f"{2 * slide} milliseconds")
    if asked:
        stream = bic_connectivity(
            stream, f"{window} milliseconds", f"{slide} milliseconds", PAIRS
        ).select("window.end", "source", "target", "connected")
    else:
        stream = stream.where("src + dst + unix_millis(time) < 0")
    before = processor_seconds(spark)
    query = (
        stream.writeStream.format("memory")
        .queryName("answers")
        .outputMode("append")
        .option("checkpointLocation", str(OUTPUT / f"checkpoint-{time.monotonic_ns()}"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    seconds = processor_seconds(spark) - before
    return seconds, tuple(sorted(map(str, spark.table("answers").collect())))


def processor_seconds(spark: SparkSession) -> float:
    jvm = spark._jvm
    assert jvm is not None
    bean = jvm.java.lang.management.ManagementFactory.getOperatingSystemMXBean()
    sun = jvm.java.lang.Class.forName("com.sun.management.OperatingSystemMXBean")
    assert sun is not None
    return float(sun.getMethod("getProcessCpuTime", None).invoke(bean, None)) / 1e9


if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    main()
