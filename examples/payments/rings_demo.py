"""Fraud rings with real parts: a Kafka broker, Delta Lake, and a job that is killed in the middle.

Starts a broker, sends half of the payments, starts the job, kills the job while it writes, sends
the rest, and starts the job again. At the end it compares the Delta table with each window worked
out from scratch. Run it
with `make demo-rings`.
"""

import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import payments
import rings
import spark_log
from broker import Broker
from payments import Member, Payment

HERE = Path(__file__).resolve().parent
OUTPUT = HERE / "output"
TABLE = OUTPUT / "rings"
LOG = OUTPUT / "spark.log"
TOPIC = "payments"
BATCH = 1_000
KILL_AFTER_COMMITS = 2
WAIT_SECONDS = 300


def main() -> int:
    began = time.monotonic()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    spark_log.send_to(LOG)
    made = payments.make(count=7_000, rings=8)
    half = len(made) // 2
    # Dated a day ahead: it moves the watermark past the end of every window.
    last = Payment("account-end", "device-end", payments.START + payments.SPAN + 86_400)
    with Broker(OUTPUT / "kafka") as broker:
        address = broker.address
        print(f"a Kafka broker runs at {address}", flush=True)
        spark = rings.start_spark(small=True)
        send(spark, address, made[:half])
        kill_in_the_middle(address)
        send(spark, address, [*made[half:], last])
        subprocess.run(job(address, "--once"), cwd=HERE, check=True)
        print(f"restarted; all {len(made) + 1:,} payments are in")
        found = read(spark)
        show(spark)
        spark.stop()
    expected = payments.members(made)
    if not expected:
        raise RuntimeError("the payments hold no ring, so there is nothing to compare")
    wrong = differences(found, expected)
    for line in wrong[:10]:
        print(line)
    print(
        f"each window from scratch: {len(found):,} rows checked, "
        f"{'all the same' if not wrong else f'{len(wrong)} DIFFER'}"
    )
    print(f"done in {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


def job(address: str, *options: str) -> list[str]:
    here = [sys.executable, "rings.py", address, TOPIC, str(TABLE)]
    return [*here, "--batch", str(BATCH), "--small", *options]


def send(
    spark: SparkSession, address: str, batch: Sequence[Payment], partition: int | None = None
) -> None:
    """Into ``partition``, or the one that the account says, in this order within a partition."""
    rows = [(number, *payment) for number, payment in enumerate(batch)]
    frame = spark.createDataFrame(rows, f"number BIGINT, {rings.SCHEMA}").coalesce(1).sort("number")
    message = F.to_json(F.struct("account", "device", "seconds")).alias("value")
    where = F.lit(partition).cast("int").alias("partition")
    frame.select(F.col("account").alias("key"), message, where).write.format("kafka").options(
        **{"kafka.bootstrap.servers": address, "topic": TOPIC}
    ).save()
    print(f"sent {len(batch):,} payments", flush=True)


def kill_in_the_middle(address: str) -> None:
    process = subprocess.Popen(job(address), cwd=HERE, start_new_session=True)
    deadline = time.monotonic() + WAIT_SECONDS
    while commits() < KILL_AFTER_COMMITS:
        if process.poll() is not None:
            raise RuntimeError(
                f"the job ended by itself, with status {process.returncode}; see {LOG}"
            )
        if time.monotonic() > deadline:
            raise RuntimeError(f"the job made {commits()} commits in {WAIT_SECONDS} s")
        time.sleep(0.05)
    kill(process)
    print(f"killed the job after {commits()} commits", flush=True)


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a job that was started in a session of its own."""
    # The JVM is a child of Python, in the group of processes that was made for the two.
    subprocess.run(["kill", f"-{signal.SIGKILL.value}", "--", f"-{process.pid}"], check=True)
    process.wait()


def commits() -> int:
    return len(list((TABLE / "_delta_log").glob("*.json")))


def read(spark: SparkSession) -> Counter[Member]:
    table = spark.read.format("delta").load(str(TABLE))
    rows = table.select(F.unix_seconds("window.start"), "vertex", "component").collect()
    return Counter(tuple(row) for row in rows)


def show(spark: SparkSession) -> None:
    print("\nGroups of five or more accounts and devices, an hour at a time:\n")
    (
        spark.read.format("delta")
        .load(str(TABLE))
        .groupBy("window", "component")
        .agg(
            F.count_if(F.col("vertex").startswith("account")).alias("accounts"),
            F.count_if(F.col("vertex").startswith("device")).alias("devices"),
        )
        .orderBy("window", "component")
        .show(6, truncate=False)
    )


def differences(found: Counter[Member], expected: set[Member]) -> list[str]:
    """One line for each row that is missing, wrong, or there more than once."""
    twice = [f"{count} times: {row}" for row, count in found.items() if count > 1]
    missing = [f"missing: {row}" for row in expected - found.keys()]
    wrong = [f"not so: {row}" for row in found.keys() - expected]
    return twice + missing + wrong


if __name__ == "__main__":
    sys.exit(main())
