"""Times that a caller names, beside times that a frame holds.

A time is handled as whole microseconds since 1970-01-01: a TIMESTAMP counts from midnight in UTC,
so two windows stay two where clocks are set back. A TIMESTAMP_NTZ counts on its own clock.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta, timezone

from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, TimestampNTZType, TimestampType

from pyspark_bic._arguments import wrong

_EPOCH = datetime(1970, 1, 1)
MICROSECOND = timedelta(microseconds=1)
_DAY = timedelta(days=1) // MICROSECOND


def time_type(name: str, found: DataType) -> DataType:
    """``found``, which must be a type of times."""
    if not isinstance(found, TimestampType | TimestampNTZType):
        raise PySparkValueError(
            message=f"{name} must be TIMESTAMP or TIMESTAMP_NTZ, not "
            f"{found.simpleString().upper()}: convert it, for instance with to_timestamp"
        )
    return found


def moments(session: SparkSession, kind: DataType, **given: object) -> list[int]:
    """The times that the caller named, in microseconds, to compare with a column of type ``kind``.

    A time without a zone is read on the clock of the session. Where clocks are set that may be
    two moments, or none, which is refused.
    """
    return [_moment(session, kind, name, value) for name, value in given.items()]


def time_of(micros: int, kind: DataType) -> Column:
    """A time in microseconds, as a literal to compare with a column of type ``kind``."""
    if isinstance(kind, TimestampType):
        return F.timestamp_micros(F.lit(micros))
    # As a text, since a datetime in a literal is a TIMESTAMP.
    shown = (_EPOCH + micros * MICROSECOND).isoformat(sep=" ", timespec="microseconds")
    return F.lit(shown).cast("timestamp_ntz")


def has_zone(moment: datetime) -> bool:
    """Whether this is a moment by itself, whatever the clock of the session."""
    return moment.utcoffset() is not None


def is_datetime(name: str, value: object) -> datetime:
    """``value``, which must be a datetime."""
    # What pandas has for no time calls itself one, and equals nothing.
    if not isinstance(value, datetime) or value != value:
        raise PySparkTypeError(message=wrong(name, "a datetime", value))
    return value


def _moment(session: SparkSession, kind: DataType, name: str, value: object) -> int:
    moment = is_datetime(name, value)
    if isinstance(kind, TimestampType):
        return micros(moment) if has_zone(moment) else _instant(session, name, moment)
    if has_zone(moment):
        raise PySparkValueError(
            message=f"{name} {moment} has a time zone, but the times are TIMESTAMP_NTZ, which has "
            "none: give a datetime without tzinfo"
        )
    return micros(moment)


def _instant(session: SparkSession, name: str, moment: datetime) -> int:
    """The one moment at which the clock of the session shows this."""
    shown = micros(moment)
    # The clock is ahead of UTC, or behind, by less than a day; it is not set twice in two days.
    around = shown - _DAY, shown + _DAY
    found = sorted({shown - ahead for ahead in _ahead_of_utc(session, around)})
    if len(found) > 1:
        ahead = _ahead_of_utc(session, found)
        found = [at for at, by in zip(found, ahead, strict=True) if at + by == shown]
    if len(found) != 1:
        zone = session.conf.get("spark.sql.session.timeZone")
        times, way = ("twice", "back") if found else ("never", "forward")
        raise PySparkValueError(
            message=f"{name} {moment} comes {times} in {zone}, where clocks are set {way}: give a "
            "datetime with tzinfo, such as one in UTC"
        )
    return found[0]


def _ahead_of_utc(session: SparkSession, moments: Iterable[int]) -> list[int]:
    """How far the clock of the session is ahead of UTC, in microseconds; no job is started."""
    rows = ", ".join(f"({at}L)" for at in moments)
    clock = "unix_micros(from_utc_timestamp(timestamp_micros(at), current_timezone()))"
    answer = session.sql(f"SELECT {clock} - at FROM VALUES {rows} AS t(at)")
    return [row[0] for row in answer.collect()]


def micros(moment: datetime) -> int:
    """``moment`` in microseconds: without a zone, of its own clock."""
    since = _EPOCH.replace(tzinfo=timezone.utc) if has_zone(moment) else _EPOCH
    return int((moment - since) // MICROSECOND)
