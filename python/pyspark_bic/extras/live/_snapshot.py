"""What the page shows, as plain data: gathered from the query and from its answers."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from threading import Lock
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException, PySparkTypeError, PySparkValueError
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.types import TimestampType

from pyspark_bic._arguments import wrong
from pyspark_bic._frames import (
    folding,
    one_length,
    quoted,
    window_bounds,
    window_of,
    window_type,
)
from pyspark_bic._metrics import Metrics, Total, is_pause, is_query
from pyspark_bic._times import micros
from pyspark_bic.extras.live._alerts import Alerts

# How many micro-batches and windows are remembered and drawn.
BATCHES = 500
WINDOWS = 500


@dataclass(frozen=True)
class Series:
    """Lines over the ends of windows, one per name, as long as ``ends``; or why there are none."""

    title: str
    ends: list[datetime] = field(default_factory=list)
    lines: dict[str, list[int]] = field(default_factory=dict)
    refused: bool = False
    # The ends as microseconds, by which windows are compared.
    until: list[int] = field(default_factory=list)

    def before(self, until: int) -> "Series":
        """Only the windows that end by then."""
        count = sum(end <= until for end in self.until)
        lines = {name: values[:count] for name, values in self.lines.items()}
        return replace(self, ends=self.ends[:count], lines=lines, until=self.until[:count])

    def followed_by(self, later: "Series") -> "Series":
        """The last windows of both, if both are of one kind."""
        if self.lines.keys() != later.lines.keys():
            return later
        return replace(
            later,
            ends=[*self.ends, *later.ends][-WINDOWS:],
            until=[*self.until, *later.until][-WINDOWS:],
            lines={
                name: [*self.lines[name], *values][-WINDOWS:]
                for name, values in later.lines.items()
            },
        )


@dataclass(frozen=True)
class Snapshot:
    name: str
    status: str
    failure: str
    metrics: Metrics
    batches: list[int]
    rows_per_second: list[float]
    batch_ms: list[int]
    answers: Series
    alerts: Alerts
    # As the clock of the session shows it, as all times of the page.
    watermark: str


class Watcher:
    """Keeps what the query has told so far; :meth:`look` may be called from several threads."""

    def __init__(self, query: StreamingQuery, answers: Callable[[], DataFrame]) -> None:
        if not is_query(query):
            raise PySparkTypeError(message=wrong("query", "a StreamingQuery", query))
        if not callable(answers):
            expected = "a function without parameters that gives a DataFrame"
            raise PySparkTypeError(message=wrong("answers", expected, answers))
        self._query = query
        self._name = query.name or str(query.id)
        self._answers = answers
        self._lock = Lock()
        # Apart, since a function of the caller may take longer than a page waits for news.
        self._reading = Lock()
        self._progress: dict[int, Any] = {}
        self._total = Total()
        self._forgotten = -1
        # The last micro-batch, and whether it was over: Spark may tell that it waits for one.
        self._newest = self._read_at = (-1, False)
        self._watermark: str | None = None
        self._series, self._alerts = Series("answers"), Alerts()
        # Windows that end by then, in microseconds, have all their rows in the answers read last.
        self._final: int | None = None
        self._zone = "UTC"

    def look(self) -> Snapshot:
        """The state of things now, or as it was last where the query cannot be asked.

        The answers are as they were last while another thread reads them.
        """
        with self._lock:
            try:
                status, failure = self._ask()
            except Exception as lost:
                # The server, the session or the JVM is gone, and may come back.
                status, failure = "is out of reach", _reason(lost)
            done = [self._progress[batch] for batch in sorted(self._progress)]
            held = self._total.to(done)
            seen = Snapshot(
                name=self._name,
                status=status,
                failure=failure,
                metrics=held,
                watermark=on_clock(held.watermark, self._zone),
                batches=[int(each["batchId"]) for each in done],
                rows_per_second=[float(each["processedRowsPerSecond"] or 0) for each in done],
                batch_ms=[int(each["durationMs"].get("triggerExecution", 0)) for each in done],
                answers=self._series,
                alerts=self._alerts,
            )
        self._read_if_newer()
        return replace(seen, answers=self._series, alerts=self._alerts)

    def _ask(self) -> tuple[str, str]:
        """Keep what the query tells; gives its status, and why it has failed, if it has."""
        for progress in self._query.recentProgress:
            batch, paused = int(progress["batchId"]), is_pause(progress)
            self._newest = max(self._newest, (batch, not paused))
            if not paused:
                self._watermark = (progress.get("eventTime") or {}).get("watermark")
            if batch > self._forgotten and not paused:
                self._progress[batch] = progress
        for old in sorted(self._progress)[:-BATCHES]:
            self._forgotten = old
            self._total.add(self._progress.pop(old))
        failure = self._query.exception()
        if failure is not None:
            return "has failed", _reason(failure)
        return "runs" if self._query.isActive else "has stopped", ""

    def _read_if_newer(self) -> None:
        if self._reading.acquire(blocking=False):
            try:
                if self._newest > self._read_at:
                    self._read(self._newest, self._watermark)
            finally:
                self._reading.release()

    def _read(self, newest: tuple[int, bool], watermark: str | None) -> None:
        """Read the windows that may have got rows: what this costs does not grow with the age."""
        try:
            answers = self._answers()
            if not isinstance(answers, DataFrame):
                raise PySparkTypeError(message=wrong("what answers gives", "a DataFrame", answers))
            self._zone = str(answers.sparkSession.conf.get("spark.sql.session.timeZone"))
            final = self._final
            if final is not None and not isinstance(window_type(answers), TimestampType):
                # The clock of a table of TIMESTAMP_NTZ need not be that of the watermark.
                final = None
            if final is None:
                self._series = series(answers)
            else:
                answers = answers.where(F.col("window.end") > F.timestamp_micros(F.lit(final)))
                self._series = self._series.before(final).followed_by(series(answers))
            self._alerts = self._alerts.after(answers, final)
            self._read_at = newest
            self._final = None if watermark is None else micros(moment(watermark))
        except Exception as refused:
            # A table that is not there yet, as before the first answer, or whatever else a function
            # of the caller may raise: shown, and tried again.
            self._series = Series(f"the answers cannot be read: {_reason(refused)}", refused=True)


def moment(text: str) -> datetime:
    """A time as Spark's progress has it, in UTC; the last one that Python knows if it is later."""
    if text.startswith("+"):
        return datetime.max
    return datetime.fromisoformat(text.removesuffix("Z"))


def on_clock(text: str | None, zone: str) -> str:
    """A time of Spark's progress by the clock of a session."""
    if text is None:
        return "none yet"
    try:
        if text.startswith("+"):
            raise OverflowError("a year of five digits")
        shown = moment(text).replace(tzinfo=timezone.utc).astimezone(ZoneInfo(zone))
    except (ValueError, OverflowError, ZoneInfoNotFoundError):
        # A zone such as +01:00, or a time beyond Python's.
        return f"{text.removesuffix('Z').removesuffix('.000').replace('T', ' ')} UTC"
    return f"{shown:%Y-%m-%d %H:%M:%S}"


def _reason(error: Exception) -> str:
    """What an error tells, in one line."""
    lines = [line for line in str(error).splitlines() if line.strip()] or [""]
    if isinstance(error, Py4JJavaError) and len(lines) > 1:
        # The first is about the call, and Java's own error comes after it.
        return lines[1].removeprefix(": ")
    spoken = isinstance(error, PySparkException)
    return lines[0] if spoken else f"{type(error).__name__}: {lines[0]}"


class _Kind(NamedTuple):
    """What one of the methods gives, and what is drawn of it."""

    columns: set[str]
    # Without these nothing can be drawn; a table may lack others.
    needed: set[str]
    title: str
    lines: dict[str, Column]


def series(answers: DataFrame) -> Series:
    """The last windows of a result of any of the methods, one point per window."""
    if not isinstance(answers, DataFrame):
        raise PySparkTypeError(message=wrong("what answers gives", "a DataFrame", answers))
    fold = folding(answers)
    columns = [fold(name) for name in answers.columns]
    kind = _kind(columns)
    if "component" in kind.needed:
        # Components of one name in different graphs are different ones.
        one = [quoted(name) for name in columns if name != "vertex"]
        answers = answers.groupBy(*one).agg(F.count("*").alias(_SIZE))
    bounds = window_bounds(window_type(answers))
    counted = answers.groupBy("window").agg(*(how.alias(name) for name, how in kind.lines.items()))
    last = counted.orderBy(F.desc("window.end")).limit(WINDOWS)
    rows = last.select(*bounds, *map(quoted, kind.lines)).collect()[::-1]
    windows = [window_of(row[:4]) for row in rows]
    one_length(windows)
    return Series(
        kind.title,
        [window.end for window in windows],
        {name: [int(row[place]) for row in rows] for place, name in enumerate(kind.lines, start=4)},
        until=[window.until for window in windows],
    )


def _kind(columns: list[str]) -> _Kind:
    held = set(columns)
    fitting = [kind for kind in _kinds() if kind.needed <= held]
    if not fitting:
        raise PySparkValueError(
            message="answers must give what bicConnectivity, bicComponents, bicComponentStats or "
            f"bicChanges has written, but its columns are {', '.join(columns)}"
        )
    # A `by` column may have the name of what another method gives.
    return max(fitting, key=lambda kind: (kind.columns <= held, len(kind.columns & held)))


# A `by` column will not have this name.
_SIZE = "vertices of one component"


def _kinds() -> list[_Kind]:
    return [
        _Kind(
            {"window", "source", "target", "connected"},
            {"window", "connected"},
            "connected pairs of each window",
            {"pairs asked": F.count("*"), "connected": F.count_if("connected")},
        ),
        _Kind(
            {"window", "vertex", "component"},
            {"window", "vertex", "component"},
            "components of each window",
            {"components": F.count("*"), "vertices of the largest": F.max(quoted(_SIZE))},
        ),
        _Kind(
            {"window", "vertices", "edges", "components", "largest"},
            {"window", "components", "largest"},
            "components of each window",
            {"components": F.sum("components"), "vertices of the largest": F.max("largest")},
        ),
        _changes(set(), "appeared", "merged", "split", "vanished"),
        _changes({"size_before"}, "appeared", "grew", "merged", "split", "shrank", "vanished"),
    ]


def _changes(more: set[str], *changes: str) -> _Kind:
    return _Kind(
        {"window", "change", "before", "after", "size"} | more,
        {"window", "change", "size"} | more,
        "components that changed in each window",
        {change: F.count_if(F.col("change") == change) for change in changes},
    )
