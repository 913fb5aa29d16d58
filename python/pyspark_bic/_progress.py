"""What Spark tells of a micro-batch, in the forms in which it tells it."""

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any, TypeGuard

from pyspark.errors import PySparkTypeError
from pyspark.sql import Column, DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from pyspark_bic._arguments import is_series, wrong


def number(progress: Mapping[str, Any]) -> tuple[str, int, bool]:
    """The run, the micro-batch, and whether it is a pause before this micro-batch."""
    return str(progress["runId"]), int(progress["batchId"]), is_pause(progress)


def is_pause(progress: Mapping[str, Any]) -> bool:
    """Whether this progress object is of no micro-batch.

    Where there is nothing to do, Spark reports so every now and then, under the number of the
    micro-batch to come.
    """
    took: Mapping[str, Any] = progress.get("durationMs") or {"addBatch": 0}
    return "addBatch" not in took


def newest(*times: datetime | None) -> datetime | None:
    return max(filter(None, times), default=None)


def time_of(progress: Mapping[str, Any], name: str) -> datetime | None:
    """A time of the progress, which Spark writes in ISO 8601 and in UTC."""
    text = (progress.get("eventTime") or {}).get(name)
    if text is None:
        return None
    # Years of more than four digits have a sign.
    if text.startswith("+"):
        return datetime.max.replace(tzinfo=timezone.utc)
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def counters(row: Any) -> dict[str, Any]:
    """The metrics by name; a Spark Connect client sees how Spark writes a row as JSON."""
    # A row is a dict where the progress has been kept as JSON.
    held = dict(row) if isinstance(row, Mapping) else row.asDict()
    # A user's own observation may have columns of these names.
    if set(held) == {"values", "schema"} and isinstance(held["schema"], Mapping):
        names = [field["name"] for field in held["schema"].get("fields", ())]
        if len(names) == len(held["values"]):
            return dict(zip(names, held["values"], strict=True))
    return held


def is_query(value: object) -> TypeGuard[StreamingQuery]:
    """Whether ``value`` is a query; a frame or a column may hand out a column of any name."""
    return hasattr(value, "recentProgress") and not isinstance(value, DataFrame | Column)


def progresses(source: object) -> list[Mapping[str, Any]]:
    if source is None:
        return []
    if is_query(source):
        return list(source.recentProgress)
    expected = "a StreamingQuery, a StreamingQueryProgress or a list of these"
    if isinstance(source, Mapping):
        return [checked("source", expected, source)]
    if not is_series(source):
        raise PySparkTypeError(message=wrong("source", expected, source))
    return [
        checked(f"source[{position}]", "a StreamingQueryProgress", item)
        for position, item in enumerate(source)
    ]


def checked(name: str, expected: str, value: object) -> Mapping[str, Any]:
    if isinstance(value, Mapping) and "runId" in value and "batchId" in value:
        return value
    raise PySparkTypeError(message=wrong(name, expected, value))
