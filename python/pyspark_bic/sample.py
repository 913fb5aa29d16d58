"""A session and three hours of payments to try the methods on.

A payment names two accounts, a device and a telephone. Most accounts pay one another at random,
and each has a device and a telephone of its own. Planted among them are

- two *mules*, ``mule1`` and ``mule2``, and a chain of accounts that leads to each;
- a *ring* of six accounts, ``ring1`` to ``ring6``, which grows, and shares one device;
- a *hub*: the telephone ``hotline``, by which every tenth payment is ordered.

The same seed gives the same payments. Nothing here is needed for data of your own.
"""

import os
import time
from datetime import datetime, timedelta, timezone
from random import Random

from pyspark.sql import DataFrame, SparkSession

from pyspark_bic._configure import configure_spark_with_bic

BEGIN = datetime(2024, 5, 1, 10, tzinfo=timezone.utc)
_PAYMENTS = (
    "payment_id BIGINT, time TIMESTAMP, arrived TIMESTAMP, country STRING, payer STRING, "
    "payee STRING, device STRING, phone STRING, amount DOUBLE"
)
# Minutes after BEGIN, payer and payee.
_CHAINS = [
    *((5, "ann", "bob"), (20, "bob", "mule1"), (50, "cleo", "ann"), (65, "dan", "cleo")),
    *((95, "dan", "mule2"), (130, "eve", "dan"), (150, "mule2", "mule1")),
]
_RING = [(12, 1, 2), (18, 2, 3), (37, 3, 4), (52, 4, 5), (68, 5, 6), (80, 6, 1), (96, 3, 5)]
_CUSTOMERS = 1000


def session() -> SparkSession:
    """A session on this machine: its clock is UTC, and a stream has one shuffle partition.

    Both hold for examples of one graph. So does the time zone of this Python, which is UTC from
    then on: by it PySpark reads a datetime without ``tzinfo``. On a cluster, and with settings of
    your own, use :func:`~pyspark_bic.configure_spark_with_bic`.

    Returns
    -------
    pyspark.sql.SparkSession
        The session of the process, which is started if there is none.

    Examples
    --------
    >>> spark = sample.session()  # doctest: +SKIP
    """
    os.environ["TZ"] = "UTC"
    # Windows has no such call.
    if hasattr(time, "tzset"):
        time.tzset()
    builder = SparkSession.builder.master("local[*]")
    builder.config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", 1)
    return configure_spark_with_bic(builder).getOrCreate()


def payments(spark: SparkSession, hours: int = 3, *, seed: int = 0) -> DataFrame:
    """Payments from 10:00 on, 2024-05-01 in UTC: sixty an hour at random, and those planted.

    Parameters
    ----------
    spark : pyspark.sql.SparkSession
        The session to make them in.
    hours : int
        For how long payments come; the planted ones come in the first three hours.
    seed : int
        Another seed gives other random payments.

    Returns
    -------
    pyspark.sql.DataFrame
        By time: ``payment_id`` bigint, ``time`` and ``arrived`` timestamp, ``country``, ``payer``,
        ``payee``, ``device`` and ``phone`` string, ``amount`` double. ``arrived`` is a minute and a
        half after ``time`` on average.

    Examples
    --------
    >>> payments = sample.payments(spark)  # doctest: +SKIP
    """
    chance = Random(seed)
    drawn: list[tuple[float, str, str, str]] = []
    for _ in range(60 * hours):
        one = chance.randrange(_CUSTOMERS)
        # Of the same country, as the numbers of a country are all even, or all odd.
        other = (one + 2 * chance.randrange(1, _CUSTOMERS // 2)) % _CUSTOMERS
        minute = round(chance.random() * 60 * hours, 2)
        drawn.append((minute, f"c{one}", f"c{other}", f"d{one}"))
    drawn += [(at, payer, payee, f"d-{payer}") for at, payer, payee in _CHAINS]
    drawn += [(at, f"ring{payer}", f"ring{payee}", "d-ring") for at, payer, payee in _RING]
    rows = []
    for number, (minute, payer, payee, device) in enumerate(sorted(drawn), start=1):
        paid = BEGIN + timedelta(minutes=minute)
        arrived = paid + timedelta(seconds=round(chance.expovariate(1 / 90)))
        phone = "hotline" if number % 10 == 0 else f"p-{payer}"
        amount = round(chance.uniform(5, 500), 2)
        ends = (_country(payer), payer, payee, device, phone)
        rows.append((number, paid, arrived, *ends, amount))
    return spark.createDataFrame(rows, _PAYMENTS)


def accounts(spark: SparkSession) -> DataFrame:
    """What is known of each account: ``account`` and ``country`` string, ``risk`` double."""
    planted = dict.fromkeys(name for _, *ends in _CHAINS for name in ends)
    names = [*planted, *(f"ring{number}" for number in range(1, 7))]
    names += [f"c{number}" for number in range(_CUSTOMERS)]
    rows = [(name, _country(name), 0.9 if name.startswith("mule") else 0.1) for name in names]
    return spark.createDataFrame(rows, "account STRING, country STRING, risk DOUBLE")


def _country(account: str) -> str:
    """FR, but for customers of odd numbers."""
    number = account[1:]
    return "DE" if number.isdecimal() and int(number) % 2 else "FR"
