"""What pictures and GraphFrames need of a frame: its columns, and times by the session's clock."""

from collections.abc import Iterable
from datetime import datetime

from pyspark.errors import PySparkValueError
from pyspark.sql import Column
from pyspark.sql import functions as F


def require(held: Iterable[str], needed: Iterable[str]) -> None:
    """Refuse a frame with the columns ``held`` that lacks one of the ``needed``."""
    names = list(held)
    for name in needed:
        if name not in names:
            raise PySparkValueError(message=f"there is no column '{name}', only {', '.join(names)}")


def wall_clock(column: str) -> Column:
    """A timestamp as the clock of the session shows it, whatever the zone of this machine."""
    return F.col(column).cast("timestamp_ntz")


def clock_time(moment: datetime) -> Column:
    """``moment`` to compare with :func:`wall_clock`; as a text, so without a time zone."""
    return F.lit(moment.replace(tzinfo=None).isoformat(sep=" ")).cast("timestamp_ntz")
