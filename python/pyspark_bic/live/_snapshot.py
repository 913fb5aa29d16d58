"""What the page shows, as plain data: gathered from the query and from its answers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any

from pyspark.errors import AnalysisException, PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from pyspark_bic._arguments import wrong
from pyspark_bic._metrics import Metrics, metrics

# How many micro-batches and windows are remembered and drawn.
BATCHES = 500
WINDOWS = 500


@dataclass(frozen=True)
class Series:
    """Lines over the ends of windows, one per name, as long as ``ends``."""

    title: str
    ends: list[datetime] = field(default_factory=list)
    lines: dict[str, list[int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Snapshot:
    name: str
    status: str
    failure: str
    metrics: Metrics
    batches: list[int]
    edges_per_second: list[float]
    batch_ms: list[int]
    answers: Series


class Watcher:
    """Keeps what the query has told so far; :meth:`look` may be called from several threads."""

    def __init__(self, query: StreamingQuery, answers: Callable[[], DataFrame]) -> None:
        if not hasattr(query, "recentProgress"):
            raise PySparkTypeError(message=wrong("query", "a StreamingQuery", query))
        if not callable(answers):
            expected = "a function without parameters that gives a DataFrame"
            raise PySparkTypeError(message=wrong("answers", expected, answers))
        self._query = query
        self._answers = answers
        self._lock = Lock()
        self._progress: dict[int, Any] = {}
        self._read_at = -1
        self._series = Series("answers")

    def look(self) -> Snapshot:
        """The state of things now."""
        with self._lock:
            for progress in self._query.recentProgress:
                self._progress[int(progress["batchId"])] = progress
            for old in sorted(self._progress)[:-BATCHES]:
                del self._progress[old]
            newest = max(self._progress, default=-1)
            if newest > self._read_at:
                self._read(newest)
            done = [self._progress[batch] for batch in sorted(self._progress)]
            failure = self._query.exception()
            active = "runs" if self._query.isActive else "has stopped"
            return Snapshot(
                name=self._query.name or str(self._query.id),
                status="has failed" if failure is not None else active,
                failure="" if failure is None else str(failure).partition("\n")[0],
                metrics=metrics(done),
                batches=[int(each["batchId"]) for each in done],
                edges_per_second=[float(each["processedRowsPerSecond"] or 0) for each in done],
                batch_ms=[int(each["durationMs"].get("triggerExecution", 0)) for each in done],
                answers=self._series,
            )

    def _read(self, newest: int) -> None:
        try:
            self._series = series(self._answers())
            self._read_at = newest
        except AnalysisException as refused:
            # A table that is not there yet, as before the first answer: shown, and tried again.
            reason = str(refused).partition("\n")[0]
            self._series = Series(f"the answers cannot be read: {reason}")


def series(answers: DataFrame) -> Series:
    """The last windows of a result of any of the methods, one point per window."""
    columns = set(answers.columns)
    kind = next((kind for kind in _KINDS if kind[0] <= columns), None)
    if kind is None:
        raise PySparkValueError(
            message="answers must give what bicConnectivity, bicComponents, bicComponentStats or "
            f"bicChanges has written, but its columns are {', '.join(answers.columns)}"
        )
    _, title, lines = kind
    end = F.col("window.end").cast("timestamp_ntz").alias("end")
    if "component" in columns:
        answers = answers.groupBy("window", "component").count()
    counted = answers.groupBy(end).agg(*(how().alias(name) for name, how in lines.items()))
    rows = sorted(map(tuple, counted.orderBy(F.desc("end")).limit(WINDOWS).collect()))
    return Series(
        title,
        [row[0] for row in rows],
        {name: [int(row[place]) for row in rows] for place, name in enumerate(lines, start=1)},
    )


_KINDS: list[tuple[set[str], str, dict[str, Callable[[], Any]]]] = [
    (
        {"window", "connected"},
        "connected pairs of each window",
        {"pairs asked": lambda: F.count("*"), "connected": lambda: F.count_if("connected")},
    ),
    (
        {"window", "vertex", "component"},
        "components of each window",
        {"components": lambda: F.count("*"), "vertices of the largest": lambda: F.max("count")},
    ),
    (
        {"window", "components", "largest"},
        "components of each window",
        {
            "components": lambda: F.sum("components"),
            "vertices of the largest": lambda: F.max("largest"),
        },
    ),
    (
        {"window", "change", "size"},
        "components that changed in each window",
        {
            kind: lambda kind=kind: F.count_if(F.col("change") == kind)  # type: ignore[misc]
            for kind in ("appeared", "merged", "split", "vanished")
        },
    ),
]
