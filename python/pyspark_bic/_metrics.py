"""The counters of a streaming query, summed up over its micro-batches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timezone
from html import escape
from typing import Any
from weakref import WeakKeyDictionary

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from pyspark_bic._progress import counters, is_pause, is_query, newest, number, progresses, time_of

_PREFIX = "bicConnectivity"


def _counter(title: str, *, held: bool = False, of_events: bool = False) -> Any:
    """A field of :class:`Metrics`, with its title in the table.

    A counter starts at zero in every micro-batch, and is added up. Where it is ``held``, it tells
    of the graphs of a micro-batch as they are after it, and its last value counts.
    """
    return field(default=0, metadata={"title": title, "held": held, "of_events": of_events})


@dataclass(frozen=True, eq=False, repr=False)
class Metrics(Mapping[str, Any]):
    """The result of :func:`metrics`, which describes the fields.

    A field is an attribute and an item: ``found.late_edges`` is ``found["late_edges"]``. It shows
    itself as a table, in a notebook as one of HTML; ``dict(found)`` is a dict to change.
    """

    micro_batches: int = field(default=0, metadata={"title": "micro-batches"})
    edges: int = _counter("edges taken in")
    late_edges: int = _counter("late edges, dropped")
    null_rows: int = _counter("rows with a null, dropped")
    windows: int = _counter("windows answered")
    events: int = _counter("events taken in", of_events=True)
    late_events: int = _counter("late events, without an answer", of_events=True)
    graphs: int = _counter("graphs in the last micro-batch", held=True)
    live_vertices: int = _counter("  live vertices", held=True)
    live_links: int = _counter("  live links", held=True)
    pending_links: int = _counter("  links that wait for the watermark", held=True)
    waiting_events: int = _counter(
        "  events that wait for the watermark", held=True, of_events=True
    )
    state_bytes: int = _counter("  bytes of state", held=True)
    restored_graphs: int = _counter("graphs read from the state")
    index_ns: int = _counter("ms in the index")
    state_ns: int = _counter("ms in the state")
    asked: int = _counter("pairs or marked vertices", held=True)
    read_at: datetime | None = field(default=None, metadata={"title": "  read at"})
    watermark: datetime | None = field(default=None, metadata={"title": "watermark"})
    max_event_time: datetime | None = field(default=None, metadata={"title": "newest time seen"})
    truncated: bool = False

    def __getitem__(self, name: str) -> Any:
        if name not in _NAMES:
            raise KeyError(name)
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)

    def __repr__(self) -> str:
        return "\n".join(f"{title:<36}{value:>26}" for title, value in self._table())

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><td>{escape(title.strip())}</td><td align='right'>{escape(value)}</td></tr>"
            for title, value in self._table()
        )
        return f"<table>{''.join(rows)}</table>"

    def _table(self) -> list[tuple[str, str]]:
        table = [
            (each.metadata["title"], _shown(each.name, self[each.name]))
            for each in fields(self)
            if each.metadata and (self.events or not each.metadata.get("of_events"))
        ]
        if self.truncated:
            table.append(("without older micro-batches, which", "Spark has forgotten"))
        return table


_NAMES = tuple(each.name for each in fields(Metrics))
_COUNTED, _HELD = (
    tuple(each.name for each in fields(Metrics) if each.metadata.get("held") is held)
    for held in (False, True)
)
# Every stream has these; other counters are of questions about events.
_STREAMED = {
    "read_at",
    *(each.name for each in fields(Metrics) if each.metadata.get("of_events") is False),
}


def metrics(
    source: StreamingQuery | Mapping[str, Any] | Iterable[Mapping[str, Any]] | None,
) -> Metrics:
    """Sum up what connectivity counted in a streaming query.

    Spark keeps only the last ``spark.sql.streaming.numRecentProgressUpdates`` (100) progress
    objects of a query, one per micro-batch. A query that is asked again adds the new micro-batches
    to the sums of the calls before, so its sums never fall. ``truncated`` tells that micro-batches
    were gone before they could be counted. To count all of them, ask more often, raise that
    setting, or collect the progress objects in a
    :class:`~pyspark.sql.streaming.StreamingQueryListener` and give them here. A micro-batch that
    is given more than once counts once. A progress object that Spark makes while it waits for data
    is of no micro-batch. After a restart the counts of a query begin at zero again. Progress
    objects of several runs are given in the order of the runs, and the sums cover all of them.

    Parameters
    ----------
    source : StreamingQuery, StreamingQueryProgress, or iterable of StreamingQueryProgress
        A query, running or stopped; or its ``lastProgress``, which is None before the first
        micro-batch; or several progress objects. A progress object may also be a dict, as
        ``json.loads(progress.json)`` gives it.

    Returns
    -------
    Metrics
        A mapping, which prints as a table. A query that uses connectivity more than once gives the
        sums over all its uses. Answers of a static DataFrame, which a stream may be joined with,
        are not counted.

        Summed up over the micro-batches, all int:
        ``micro_batches``: how many there are.
        ``edges``: edges that went in, late ones and rows with a null not among them.
        ``late_edges``: edges dropped because their pane, the greatest common divisor of the slide
        and all windows, had ended at or before the watermark of the micro-batch they came in.
        ``null_rows``: rows dropped because an endpoint or the time was null.
        ``windows``: windows answered, counted per graph where ``by`` splits the edges.
        ``events``, ``late_events``: events of ``bicAsOf`` that went in, and those of them whose
        pane had ended at or before the watermark, so that no window answered them.
        ``restored_graphs``: graphs read from the state, since no executor kept them in memory.
        With the layout ``value``, graphs with less state than ``spark.bic.cache.minBytes`` (4k) are
        read in every micro-batch; other graphs are read after a start, and hardly ever else.
        ``index_ns``, ``state_ns``: nanoseconds spent in the index, and in reading and writing its
        state, added up over all tasks.

        As of the last micro-batch that had edges, or windows to answer, all int, and over the
        graphs of these edges and windows (all graphs, where each gets edges all the time):
        ``graphs``: how many graphs there were.
        ``live_vertices``, ``live_links``: the vertices and links that the indexes of these graphs
        hold for windows to come, at most one link a vertex. With the layout ``panes`` both are
        upper limits, since a vertex and a link count once in each pane.
        ``pending_links``: links of panes that the watermark has not closed yet.
        ``waiting_events``: events of ``bicAsOf`` whose pane the watermark has not reached yet.
        ``state_bytes``: bytes of these graphs in the state store.
        ``asked``: pairs of ``queries``, or vertices of ``marked``, those of all graphs; 0 where the
        question takes neither.
        ``read_at``: when they were read, datetime.datetime in UTC, or None. Of several lists it is
        the time of the oldest reading. It changes where ``refresh`` is given.

        Moments in UTC, datetime.datetime, or None where no edge has come. A time beyond the year
        9999, which a datetime cannot hold, is the last moment of that year:
        ``watermark``: the watermark of the last micro-batch; edges whose pane ended by then are
        late.
        ``max_event_time``: the newest time of all micro-batches. Where it is far ahead of the
        clock, a source has dated edges wrongly, and the watermark follows it.

        ``truncated``: whether micro-batches of the query's run are missing from the sums.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``source``, or an item of it, is neither a query nor a progress object.

    Examples
    --------
    >>> metrics(query)["late_edges"]  # doctest: +SKIP
    0
    """
    if not is_query(source):
        return _summed(progresses(source))
    if source not in _totals:
        _totals[source] = Total()
    return _totals[source].with_all(list(source.recentProgress))


def _summed(batches: Sequence[Mapping[str, Any]]) -> Metrics:
    """The sums over these progress objects alone."""
    found: dict[str, Any] = dict(Metrics())
    # By query, as of its last run: each run counts under names of its own.
    held: dict[str, dict[str, Any]] = {}
    runs: dict[str, str] = {}
    seen: set[tuple[str, int, bool]] = set()
    for progress in batches:
        batch = number(progress)
        if batch in seen:
            continue
        seen.add(batch)
        if is_pause(progress):
            found["watermark"] = time_of(progress, "watermark") or found["watermark"]
            continue
        query = str(progress.get("id") or progress["runId"])
        if runs.get(query) != batch[0]:
            runs[query] = batch[0]
            held[query] = {}
        for name, observed in (progress.get("observedMetrics") or {}).items():
            row = counters(observed) if name.startswith(_PREFIX) else {}
            # Static answers have fewer counters, and a user's observation may have a name that
            # begins like ours. In a micro-batch that was for no graph, sums are null.
            if row.keys() >= _STREAMED and row["edges"] is not None:
                held[query][name] = row
                for counted in _COUNTED:
                    found[counted] += row.get(counted, 0)
        found["watermark"] = time_of(progress, "watermark") or found["watermark"]
        found["max_event_time"] = newest(found["max_event_time"], time_of(progress, "max"))
    found["micro_batches"] = sum(not paused for _, _, paused in seen)
    for last in _HELD:
        found[last] = sum(row.get(last, 0) for rows in held.values() for row in rows.values())
    readings = [row["read_at"] for rows in held.values() for row in rows.values() if row["read_at"]]
    if readings:
        found["read_at"] = datetime.fromtimestamp(min(readings) / 1000, timezone.utc)
    return Metrics(**found)


class Total:
    """The counts of all micro-batches of one query that were seen, though Spark forgets old ones.

    Without it the sums over a long stream would fall whenever Spark forgets a micro-batch.
    """

    def __init__(self) -> None:
        self._counts = Metrics()
        self._recent: list[Mapping[str, Any]] = []

    def add(self, progress: Mapping[str, Any]) -> None:
        """Count a micro-batch that will not be given again."""
        self._counts = self.to([progress])

    def to(self, kept: Sequence[Mapping[str, Any]]) -> Metrics:
        """The counts up to the last of these micro-batches."""
        before, found = self._counts, dict(_summed(kept))
        for name in ("micro_batches", *_COUNTED):
            found[name] += before[name]
        if not found["graphs"]:
            # None of them was for a graph: the graphs hold what they held.
            found.update({name: before[name] for name in (*_HELD, "read_at")})
        found["watermark"] = found["watermark"] or before["watermark"]
        found["max_event_time"] = newest(before["max_event_time"], found["max_event_time"])
        found["truncated"] = before.truncated
        return Metrics(**found)

    def with_all(self, recent: list[Mapping[str, Any]]) -> Metrics:
        """The counts up to the last of what Spark remembers now."""
        now = set(map(number, recent))
        for progress in self._recent:
            if number(progress) not in now:
                self.add(progress)
        if recent and self._missed(recent):
            self._counts = replace(self._counts, truncated=True)
        self._recent = recent
        return self.to(recent)

    def _missed(self, recent: list[Mapping[str, Any]]) -> bool:
        """Whether micro-batches have gone unseen before the first that Spark remembers."""
        first = int(recent[0]["batchId"])
        if self._recent:
            return first > int(self._recent[-1]["batchId"]) + 1
        return first > 0 and len(recent) >= _remembered()


_totals: WeakKeyDictionary[StreamingQuery, Total] = WeakKeyDictionary()


def _remembered() -> int:
    """How many progress objects of a query Spark remembers."""
    session = SparkSession.getActiveSession()
    setting = "spark.sql.streaming.numRecentProgressUpdates"
    return 100 if session is None else int(session.conf.get(setting, "100") or 100)


def _shown(name: str, value: Any) -> str:
    if isinstance(value, int):
        return f"{value / 1e6:,.1f}" if name.endswith("_ns") else f"{value:,}"
    return "none yet" if value is None else f"{value:%Y-%m-%d %H:%M:%S} UTC"
