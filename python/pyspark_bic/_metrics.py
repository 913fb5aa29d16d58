"""What the operator counted in a streaming query."""

from collections.abc import Iterable, Mapping
from typing import Any

from pyspark.errors import PySparkTypeError
from pyspark.sql.streaming.query import StreamingQuery

from pyspark_bic._arguments import wrong

_PREFIX = "bicConnectivity"
_FIELDS = ("edges", "late_edges", "null_rows", "windows")


def metrics(
    source: StreamingQuery | Mapping[str, Any] | Iterable[Mapping[str, Any]],
) -> dict[str, int]:
    """Sum up what connectivity counted in a streaming query.

    Spark keeps only the last ``spark.sql.streaming.numRecentProgressUpdates`` (100) progress
    objects of a query, one per micro-batch, so the sums over a query cover these. To count over a
    longer run, raise that setting, or collect the progress objects in a
    :class:`~pyspark.sql.streaming.StreamingQueryListener` and give them here. A micro-batch that
    is given more than once counts once. After a restart the counts begin at zero again.

    Parameters
    ----------
    source : StreamingQuery, StreamingQueryProgress, or iterable of StreamingQueryProgress
        A query, running or stopped; or its ``lastProgress``; or several such objects.

    Returns
    -------
    dict
        ``edges``: edges that went in, late ones and rows with a null not among them.
        ``late_edges``: edges dropped because their pane, ``gcd(window, slide)`` of event time,
        had ended at or before the watermark of the micro-batch they came in.
        ``null_rows``: rows dropped because an endpoint or the time was null.
        ``windows``: windows answered, counted per graph where ``by`` splits the edges.
        A query that uses connectivity more than once gives the sums over all its uses.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        If ``source`` is none of these.

    Examples
    --------
    >>> metrics(query)  # doctest: +SKIP
    {'edges': 59836, 'late_edges': 0, 'null_rows': 0, 'windows': 199}
    """
    totals = dict.fromkeys(_FIELDS, 0)
    seen: set[tuple[str, int]] = set()
    for progress in _progresses(source):
        batch = (str(progress["runId"]), int(progress["batchId"]))
        if batch in seen:
            continue
        seen.add(batch)
        for name, row in (progress["observedMetrics"] or {}).items():
            if name.startswith(_PREFIX):
                for field in _FIELDS:
                    # A sum over no rows is null in SQL.
                    totals[field] += row[field] or 0
    return totals


def _progresses(source: object) -> list[Mapping[str, Any]]:
    if hasattr(source, "recentProgress"):
        return list(source.recentProgress)
    if isinstance(source, Mapping):
        return [source]
    expected = "a StreamingQuery, a StreamingQueryProgress or a list of these"
    if isinstance(source, str) or not isinstance(source, Iterable):
        raise PySparkTypeError(message=wrong("source", expected, source))
    found = list(source)
    for position, progress in enumerate(found):
        if not isinstance(progress, Mapping):
            raise PySparkTypeError(
                message=wrong(f"source[{position}]", "a StreamingQueryProgress", progress)
            )
    return found
