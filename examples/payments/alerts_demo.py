"""Alerts with real parts: a Kafka broker, Delta Lake, both killed in the middle.

Sends payments, starts the job of ``alerts.py``, kills the broker and starts it again, and kills the
job and starts it again. Then it compares the Delta tables with each window worked out payment by
payment.
It ends with how long alerts took, with ``early`` and without. Run it with `make demo-payments`. The
number of payments, without those of rings, may be given.
"""

import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import delays
import payments
import spark_log
from broker import Broker
from payments import Payment, Row
from rings import start_spark
from rings_demo import TOPIC, kill, send

HERE = Path(__file__).resolve().parent
OUTPUT = HERE / "output" / "alerts"
LOG = OUTPUT / "spark.log"
EARLY, CLOSED = OUTPUT / "early", OUTPUT / "closed"
RINGS = 8
BATCH = 25
WAIT_SECONDS = 600

Job = subprocess.Popen[bytes]
# A row of a table, and the micro-batch that brought it.
Answer = tuple[Row, int]


def main(count: int = 1_200) -> int:
    began = time.monotonic()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    spark_log.send_to(LOG)
    made = payments.make(count=count, rings=RINGS)
    mules = payments.known(RINGS)
    half = len(made) // 2
    # Dated a day ahead: it moves the watermark past the end of every window.
    last = Payment("account-end", "device-end", payments.START + payments.SPAN + 86_400)
    with Broker(OUTPUT / "kafka") as broker:
        print(f"a Kafka broker runs at {broker.address}", flush=True)
        (OUTPUT / "mules.json").write_text(json.dumps(mules))
        spark = start_spark("payments", small=True)
        # One partition, so that payments are read in the order in which they are sent.
        send(spark, broker.address, made[:half], partition=0)
        job = start_job(broker.address)
        wait(job, commits(EARLY) + 4)
        broker.kill()
        print(f"killed the broker after {commits(EARLY)} commits; it starts again", flush=True)
        broker.start()
        wait(job, commits(EARLY) + 4)
        kill(job)
        print(f"killed the job after {commits(EARLY)} commits; it starts again", flush=True)
        send(spark, broker.address, [*made[half:], last], partition=0)
        job = start_job(broker.address)
        wait_for_all(job, len(made) + 1)
        kill(job)
    early, closed = read(spark, EARLY), read(spark, CLOSED)
    spark.stop()
    # The window of the last payment stays open.
    expected = payments.touching(made, mules)
    ends = {table: offsets(table) for table in (EARLY, CLOSED)}
    wrong = differences(early, expected, ends[EARLY]) + differences(closed, expected)
    for line in wrong[:10]:
        print(line)
    print(
        f"each window, payment by payment: {len(early) + len(closed):,} rows checked, "
        f"{f'{len(wrong)} DIFFER' if wrong else 'all the same, none twice'}"
    )
    clock = delays.clock([*made, last])

    def waits(table: Path, rows: list[Answer]) -> list[float]:
        alerts = [(expected[row], ends[table][batch]) for row, batch in rows]
        return delays.waits(clock, alerts)

    delays.show(waits(EARLY, early), waits(CLOSED, closed), OUTPUT / "delays.png")
    print(f"a micro-batch took {median_seconds(EARLY):.1f} s (median), evidence included")
    print(f"done in {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


def start_job(address: str) -> Job:
    command = [sys.executable, "alerts.py", address, TOPIC, str(EARLY), str(OUTPUT / "mules.json")]
    options = ["--batch", str(BATCH), "--compare", str(CLOSED), "--small"]
    return subprocess.Popen([*command, *options], cwd=HERE, start_new_session=True)


def wait(job: Job, least: int) -> None:
    """Wait until the early query has committed so many micro-batches."""
    deadline = time.monotonic() + WAIT_SECONDS
    while commits(EARLY) < least:
        check(job, deadline)


def wait_for_all(job: Job, count: int) -> None:
    """Wait until both queries have read so many payments, and answered what closes then."""
    deadline = time.monotonic() + WAIT_SECONDS
    for table in (EARLY, CLOSED):
        # A micro-batch without payments follows the last payment, which has moved the watermark.
        while list(offsets(table).values())[-2:] != [count, count] or commits(table) < len(
            offsets(table)
        ):
            check(job, deadline)


def check(job: Job, deadline: float) -> None:
    if job.poll() is not None:
        raise RuntimeError(f"the job ended by itself, with status {job.returncode}; see {LOG}")
    if time.monotonic() > deadline:
        raise RuntimeError(f"the job made {commits(EARLY)} commits in {WAIT_SECONDS} s")
    time.sleep(0.05)


def log(table: Path, name: str) -> list[Path]:
    """The files of a log of the checkpoint, one a micro-batch, in their order."""
    files = Path(f"{table}.checkpoint", name).glob("*")
    return sorted((file for file in files if file.name.isdigit()), key=lambda file: int(file.name))


def commits(table: Path) -> int:
    return len(log(table, "commits"))


def offsets(table: Path) -> dict[int, int]:
    """How many payments have been read at the end of each micro-batch that was begun."""
    return {
        int(file.name): json.loads(file.read_text().splitlines()[2])[TOPIC]["0"]
        for file in log(table, "offsets")
    }


def median_seconds(table: Path) -> float:
    begun = {file.name: file.stat().st_mtime for file in log(table, "offsets")}
    took = sorted(file.stat().st_mtime - begun[file.name] for file in log(table, "commits"))
    return took[len(took) // 2]


def read(spark: SparkSession, table: Path) -> list[Answer]:
    rows = spark.read.format("delta").load(str(table))
    start = F.unix_seconds("window.start")
    found = rows.select(start, "vertex", "marked", "batch").collect()
    return [((row[0], row[1], row[2]), row[3]) for row in found]


def differences(
    found: Sequence[Answer],
    expected: Mapping[Row, int],
    ends: Mapping[int, int] | None = None,
) -> list[str]:
    """One line for each row that is missing, wrong or there twice, or not with its payment."""
    counts = Counter(row for row, _ in found)
    wrong = [f"{count} times: {row}" for row, count in counts.items() if count > 1]
    wrong += [f"missing: {row}" for row in expected.keys() - counts.keys()]
    for row, batch in found:
        if row not in expected:
            wrong.append(f"not so: {row}")
        elif ends and not ends.get(batch - 1, 0) <= expected[row] < ends[batch]:
            wrong.append(f"not with its payment: {row}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
