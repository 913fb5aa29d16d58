"""Made-up payments, some by rings of accounts that share devices, and the rings they hold.

A payment names an account and the device it was made from. Most accounts use a device of their
own, some share one at home. A ring is a handful of accounts that pay from two devices in turn for
half an hour. Within an hour, accounts joined by devices are one component; large ones are suspect.
"""

import random
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

MINUTE = 60
WINDOW = 60 * MINUTE
SLIDE = 15 * MINUTE
MIN_SIZE = 5
DELAY = 10 * MINUTE

START = 1_767_225_600  # 2026-01-01 00:00:00 UTC
SPAN = 8 * 60 * MINUTE


class Payment(NamedTuple):
    account: str
    device: str
    seconds: int


# window start, vertex, component
Member = tuple[int, str, str]
# window start, vertex, mule
Row = tuple[int, str, str]


def make(count: int, rings: int, seed: int = 17) -> list[Payment]:
    """``count`` ordinary payments and those of the rings, in the order in which they arrive."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        account = chance.randrange(count // 4)
        home = account - account % 2 if account % 10 < 2 else account
        made.append(Payment(f"account-{account}", f"device-{home}", _moment(chance, SPAN)))
    for ring in range(rings):
        begins = _moment(chance, SPAN - 30 * MINUTE)
        for step in range(24):
            member, shared = f"account-r{ring}-{step % 6}", f"device-r{ring}-{step // 5 % 2}"
            made.append(Payment(member, shared, begins + chance.randrange(30 * MINUTE)))
    # Each is held back by up to the delay that the watermark allows for.
    return sorted(made, key=lambda payment: payment.seconds + chance.randrange(DELAY))


def _moment(chance: random.Random, span: int) -> int:
    return START + chance.randrange(span)


def members(payments: Iterable[Payment]) -> set[Member]:
    """What the table must hold: each window from scratch, by following its payments."""
    windows: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for account, device, seconds in payments:
        last = seconds - seconds % SLIDE
        for start in range(last, last - WINDOW, -SLIDE):
            windows[start][account].add(device)
            windows[start][device].add(account)
    found: set[Member] = set()
    for start, joined in windows.items():
        left = set(joined)
        while left:
            group, waiting = set(), [left.pop()]
            while waiting:
                vertex = waiting.pop()
                group.add(vertex)
                waiting += joined[vertex] - group
            left -= group
            if len(group) >= MIN_SIZE:
                found.update((start, vertex, min(group)) for vertex in group)
    return found


def known(rings: int) -> list[str]:
    """The accounts that are known to be mules: one of each ring."""
    return [f"account-r{ring}-0" for ring in range(rings)]


def touching(payments: Iterable[Payment], mules: Iterable[str]) -> dict[Row, int]:
    """Each alert, with the place of the payment that first connects its vertex to a mule.

    Worked out payment by payment, in the order in which they arrive. No two of the mules may ever
    be connected.
    """
    groups: dict[int, dict[str, set[str]]] = defaultdict(dict)
    marked = set(mules)
    found: dict[Row, int] = {}
    for place, (account, device, seconds) in enumerate(payments):
        last = seconds - seconds % SLIDE
        for start in range(last, last - WINDOW, -SLIDE):
            group_of = groups[start]
            one = group_of.setdefault(account, {account})
            other = group_of.setdefault(device, {device})
            if one is not other:
                one |= other
                group_of.update(dict.fromkeys(other, one))
            for mule in marked & one:
                for vertex in one:
                    found.setdefault((start, vertex, mule), place)
    return found
