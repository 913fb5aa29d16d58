"""Which pairs of vertices each window connects."""

from collections.abc import Iterable

from pyspark.sql import DataFrame, Observation

from pyspark_bic._call import answers
from pyspark_bic._queries import Queries


def bic_connectivity(
    edges: DataFrame,
    window: str | Iterable[str],
    slide: str | None = None,
    queries: Queries | None = None,
    *,
    src: str = "src",
    dst: str = "dst",
    time: str = "time",
    by: str | Iterable[str] | None = None,
    start_time: str | None = None,
    index: str = "bic",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of ``edges``, tell which pairs of vertices it connects.

    Also the method ``bicConnectivity`` of every DataFrame.
    Two vertices are connected in a window when a path made only of edges of that window joins
    them. Edges are undirected; a repeated edge changes nothing; a self-loop makes its vertex
    occur. A vertex that does not occur in the window is connected to nothing, not even to itself.

    The windows are those of :func:`pyspark.sql.functions.window`: half-open, aligned to
    1970-01-01 00:00:00 UTC plus ``start_time``. A window with at least one edge gives one row per
    query; a window with none gives no row.

    ``edges`` may be static or streaming. A streaming one needs a watermark on ``time``
    (``edges.withWatermark("time", "10 minutes")``) and output mode ``append``; the rows of a
    window come once the watermark has passed its end.

    Parameters
    ----------
    edges : pyspark.sql.DataFrame
        One row per edge. A row with a null endpoint or time is dropped and counted, and so is, in
        a stream, an edge that comes too late: see ``observation`` for a static frame, and
        :func:`pyspark_bic.metrics` for a stream.
    window : str, or list of str
        Length of a window, such as ``"1 hour"``: a duration in weeks or smaller units. With
        several lengths, such as ``["5 minutes", "1 hour", "1 day"]``, windows of each are
        answered, in one pass over the edges and by one index, which must be ``"recency"``; the
        column ``window`` tells them apart by its start and end.
    slide : str, optional
        Time from the start of one window to the start of the next, at most ``window``. By
        default as long as the window, so that windows do not overlap; several lengths need it.
    queries : list of pairs, or pyspark.sql.DataFrame
        The pairs to ask for: an iterable of ``(source, target)`` tuples of int (of str, where the
        ids are strings), or a static DataFrame with the columns ``source`` and ``target``, and
        with the ``by`` columns too where each graph has its own pairs. A DataFrame is read once, by
        the first action on the answers, but from a Spark Connect client by every action; a null
        in it, or no row, is an error of that action.
    src, dst : str
        The columns with the endpoints of an edge: of any integral type or STRING, both the same.
    time : str
        The column with the time of an edge: TIMESTAMP or TIMESTAMP_NTZ.
    by : str or list of str, optional
        Columns that split the edges into separate graphs, each with its own windows and answers;
        of any type that can be sorted. Null is a key like any other.
    start_time : str, optional
        Shift of the windows' starts against 1970-01-01 00:00:00 UTC, such as ``"15 minutes"``:
        shorter than the slide, either way.
    index : str
        The index that answers, always the same: ``"bic"``, the paper's, or ``"recency"``, a forest
        of each vertex's most recent links.
    observation : pyspark.sql.Observation, optional
        For a static ``edges``: receives the counters that :func:`pyspark_bic.metrics` describes.
        ``observation.get`` has them once an action has read all answers, which ``take`` and
        ``limit`` do not. An action that sorts the answers reads them twice, and what it reads is
        counted twice, as with Spark's own ``observe``: ``cache`` them first.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``), ``source``,
        ``target`` and ``connected`` (boolean).

    Raises
    ------
    pyspark.errors.AnalysisException
        Before any query starts: a column that is missing or of a wrong type, a window or slide
        that is not positive, holds months or years, or a slide longer than the window, several
        windows without a slide, with another index than ``"recency"`` or one given twice, a
        window of more than 2^30 panes, a ``start_time`` as long as the slide, queries that are
        empty, streaming, hold nulls or lack a column, a streaming ``edges`` without a watermark,
        with an ``observation``, or out of an aggregation, a ``SELECT DISTINCT`` or an outer join
        of streams, ``by`` columns whose values have no order, that are given twice or have the
        name of a column of the answers, an unknown index, a value that a conf ``spark.bic.*``
        cannot have.
    pyspark.errors.PySparkTypeError, pyspark.errors.PySparkValueError
        An argument of a wrong Python type; no queries, a query that is no pair, or an id in one
        beyond 64 bits.
    pyspark.errors.PySparkRuntimeError
        The session, or the Spark Connect server, runs without the jar, or with that of another
        version.

    References
    ----------
    C. Zhang, A. Bonifati, M. T. Özsu, "Incremental Sliding Window Connectivity over Streaming
    Graphs", PVLDB 17 (2024).

    Examples
    --------
    >>> bic_connectivity(
    ...     edges, "1 hour", "5 minutes", queries=[(1, 2), (3, 9)]
    ... ).show()  # doctest: +SKIP
    """
    return answers("bic_connectivity", locals())
