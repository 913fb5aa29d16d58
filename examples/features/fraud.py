"""Two days of payments with planted fraud, so that a model has something to find."""

from datetime import datetime, timedelta, timezone
from typing import NamedTuple

import numpy as np

BEGIN = datetime(2024, 5, 1, tzinfo=timezone.utc)
HOURS = 48
ACCOUNTS = 3000
FRIENDS = 4
PER_HOUR = 200
MULES = [f"mule{number}" for number in range(8)]
SCHEMA = "payment_id BIGINT, time TIMESTAMP, payer STRING, payee STRING, amount DOUBLE, fraud INT"


class Payment(NamedTuple):
    payment_id: int
    time: datetime
    payer: str
    payee: str
    amount: float
    fraud: int


def payments(seed: int = 7) -> list[Payment]:
    """All payments, by time.

    Most of them go from an account to one of its friends. Every hour a gang opens some accounts,
    sends money in a circle for two hours, and draws payments from strangers. Three gangs of four
    use a mule that is known. A payment into an account of a gang is fraud. Its amount hardly
    differs from that of any other payment.
    """
    chance = np.random.default_rng(seed)
    friends = chance.integers(0, ACCOUNTS, (ACCOUNTS, FRIENDS))
    rows: list[tuple[float, str, str, float, int]] = []
    for minute in np.sort(chance.uniform(0, 60 * HOURS, PER_HOUR * HOURS)):
        payer = chance.integers(ACCOUNTS)
        payee = friends[payer, chance.integers(FRIENDS)]
        rows.append((minute, f"a{payer}", f"a{payee}", _amount(chance, 4.5), 0))
    for gang in range(HOURS - 2):
        members = [f"g{gang}-{number}" for number in range(chance.integers(5, 9))]
        if chance.random() < 0.75:
            members.append(MULES[chance.integers(len(MULES))])
        for minute in np.sort(chance.uniform(60 * gang, 60 * (gang + 2), 18)):
            member, payee = (str(name) for name in chance.choice(members, 2, replace=False))
            stranger = chance.random() < 0.4
            drawn = f"a{chance.integers(ACCOUNTS)}" if stranger else member
            rows.append((minute, drawn, payee, _amount(chance, 4.9), 1))
    rows.sort()
    return [
        Payment(number, BEGIN + timedelta(minutes=minute), payer, payee, amount, fraud)
        for number, (minute, payer, payee, amount, fraud) in enumerate(rows)
    ]


def _amount(chance: np.random.Generator, mean: float) -> float:
    return round(float(chance.lognormal(mean, 0.8)), 2)
