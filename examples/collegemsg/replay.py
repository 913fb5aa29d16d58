"""The messages as a stream that is out of order, as real ones are: one file per micro-batch."""

import csv
import os
import random
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import NamedTuple

from messages import Message

SCHEMA = "src BIGINT, dst BIGINT, time TIMESTAMP"

DAY = 24 * 3600
FILE_SPAN = 4 * DAY
# One message in a thousand arrives three weeks late, when the windows it belongs to are answered.
LATE_ONE_IN = 1000
LATE_BY = 21 * DAY


class Replay(NamedTuple):
    """What was written: the number of files, and which messages come in time or too late."""

    files: int
    in_time: list[Message]
    late: list[Message]


def write_files(folder: Path, messages: Sequence[Message], delay: int) -> Replay:
    """Write the messages as CSV files in the order in which they arrive.

    Every message is held back by a random part of `delay` seconds, which the watermark allows for,
    and a few by three weeks, which it does not. The last file ends with one edge that is dated far
    ahead: it moves the watermark past the end of every window, so that all of them are answered.
    """
    folder.mkdir(parents=True)
    chance = random.Random(2004)
    end = messages[-1].seconds
    in_time: list[Message] = []
    late: list[Message] = []
    arrivals: list[tuple[int, Message]] = []
    for number, message in enumerate(messages):
        is_late = (number + 1) % LATE_ONE_IN == 0 and message.seconds + LATE_BY + DAY < end
        (late if is_late else in_time).append(message)
        held_back = LATE_BY if is_late else chance.randrange(delay)
        arrivals.append((message.seconds + held_back, message))
    arrivals.sort()
    batches: list[list[Message]] = []
    closes = arrivals[0][0]
    for arrival, message in arrivals:
        if arrival >= closes:
            batches.append([])
            closes += FILE_SPAN * (1 + (arrival - closes) // FILE_SPAN)
        batches[-1].append(message)
    batches[-1].append(Message(0, 0, end + 30 * DAY))

    for number, batch in enumerate(batches):
        path = folder / f"{number:03d}.csv"
        with path.open("w", newline="") as out:
            rows = ((each.src, each.dst, _timestamp(each.seconds)) for each in batch)
            csv.writer(out).writerows(rows)
        # The file source reads files in the order of their dates.
        os.utime(path, (number, number))
    return Replay(len(batches), in_time, late)


def _timestamp(seconds: int) -> str:
    moment = datetime.fromtimestamp(0, timezone.utc) + timedelta(seconds=seconds)
    return moment.isoformat()
