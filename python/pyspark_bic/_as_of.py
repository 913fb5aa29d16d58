"""What the graph looked like just before each event."""

from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic._arguments import Duration
from pyspark_bic._call import answers
from pyspark_bic._queries import Marked


def bic_as_of(
    edges: DataFrame,
    events: DataFrame,
    window: Duration | Iterable[Duration],
    slide: Duration | None = None,
    *,
    source: str | Column,
    target: str | Column | None = None,
    at: str | Column = "time",
    marked: Marked | None = None,
    wait: bool = True,
    refresh: Duration | None = None,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    start_time: Duration | None = None,
    index: str = "auto",
    observation: Observation | None = None,
) -> DataFrame:
    """For each event, tell what the graph of ``edges`` looked like just before it.

    Also the method ``bicAsOf`` of every DataFrame.
    An event is a row with one or two vertices and a time: a payment to be scored, a log-in, a label
    of a training set. The edges themselves may be the events. The answers are features of the
    event: how large the component of the payer is within the last hour, how many known mules it
    holds, whether payer and payee are connected, and since when.

    An event is answered by the window that ends where the event's pane starts. A pane is as long as
    the greatest common divisor of all windows and the slide. So no edge of the event's own pane or
    later counts, and nothing leaks from the future. A model that is trained on a table and one that
    is served on a stream see the same values. Edges are undirected; a repeated edge changes
    nothing; a self-loop makes its vertex occur.

    ``edges`` and ``events`` may be static or streaming, both alike. Streaming edges need a
    watermark on ``time`` (``edges.withWatermark("time", "10 minutes")``) and output mode
    ``append``. An event is answered once the watermark of the edges has reached its pane. Events
    need no watermark, and one that they have is not used; so a quiet stream of events holds up
    nothing. Each event gives exactly one row. An event whose pane has ended by the watermark when
    it comes is late: its row comes at once, with null as ``graph``.

    Parameters
    ----------
    {edges}
    events : pyspark.sql.DataFrame
        One row per event, with any columns of any type. Only the name ``graph`` is taken. Where
        edges have ``by`` columns, events have them too, under the same names. The edges themselves
        may be the events; a source that both come from is then read for each of them.
    window : str, datetime.timedelta, or list of these
        Length of the window before an event, such as ``"1 hour"``: a duration in weeks or smaller
        units. With several lengths, such as ``["1 hour", "1 week"]``, each event is answered by a
        window of each length, in one pass over the edges and by one index.
    slide : str or datetime.timedelta, optional
        With ``window`` it sets the length of a pane: a slide of a minute lets all edges count that
        came up to a minute before the event. By default the slide is as long as the window. Several
        lengths need a slide.
    source : str or pyspark.sql.Column
        The column of ``events`` with a vertex, of the kind of the edges' ids. A column is a name,
        the path of a field such as ``"payment.payer"``, or a Column.
    target : str or pyspark.sql.Column, optional
        The column of ``events`` with a second vertex.
    at : str or pyspark.sql.Column
        The column of ``events`` with the time of an event, in the type of ``time``.
    marked : list of int or str, pyspark.sql.DataFrame, pandas.DataFrame or numpy.ndarray, optional
        Marked vertices, as for ``bicConnectedTo``: an iterable of int (of str, where the ids are
        strings), or a static DataFrame with the column ``vertex``, and with the ``by`` columns too
        where each graph has its own. The answers then tell how many of them a component holds.
    wait : bool
        Whether an event of a stream waits until the watermark has reached its pane. An event that
        does not wait is answered in the micro-batch in which it comes, by the edges that have come
        until then, those of the micro-batch included; ``final`` tells whether more could come.
        Static events have the same values either way. A stream keeps the events that wait in its
        state, so it cannot be restarted with other columns of events while some wait.
    refresh : str or datetime.timedelta, optional
        Has a stream read ``marked`` anew, such as ``"10 minutes"``: at the start of the first
        micro-batch after so long since the last reading. ``marked`` is then a DataFrame that reads
        a table, which other jobs write, and which may be empty for a while. A new marked vertex
        counts from the next answers on. A reading that fails ends the query with the reason.
        Without ``refresh`` a stream reads the DataFrame once, when it starts.
    {ends}
    {by}
    start_time : str or datetime.timedelta, optional
        Shift of the panes' starts against 1970-01-01 00:00:00 UTC, such as ``"15 minutes"``:
        shorter than the slide, either way.
    index : str
        ``"auto"`` or ``"recency"``, a forest of the most recent links; no other index can answer.
    observation : pyspark.sql.Observation, optional
        For a static ``edges``: receives ``edges``, ``late_edges``, ``null_rows``, ``windows``,
        ``events`` and ``late_events``, which :func:`pyspark_bic.metrics` describes.
        ``observation.get`` has the counts once an action has read all answers, which ``take`` and
        ``limit`` do not.

    Returns
    -------
    pyspark.sql.DataFrame
        One row for each event: the columns of ``events`` as they are, then ``graph``. That is null
        where the time of the event is null, or the event came too late. Else it is a struct; where
        there are several lengths, an array of structs in the order of ``window``:

        - ``window``, a struct of ``start`` and ``end``;
        - with one vertex ``component``, the smallest vertex of its component; ``size``, the number
          of vertices of the component (BIGINT); and with ``marked`` also ``marked``, the number of
          marked vertices in the component (BIGINT);
        - with two vertices ``connected``; ``since``, the start of the latest pane from which on the
          edges of the window connect both; and these three of each vertex in a struct ``source``
          and a struct ``target``;
        - without ``wait`` also ``final``: whether no edge of the window can come any more.

        A vertex that does not occur, or is null, has a null component, size 0 and 0 marked, and is
        connected to nothing. Strings are in the order of their UTF-8 bytes.

    Raises
    ------
    {refusals}
        - The vertices of ``events`` are of another kind than those of ``edges``, or the times or
          the ``by`` columns are of another type. Or ``events`` have a column ``graph``.
        - Several windows have no slide, or a window is given twice.
        - ``marked`` is empty or streaming, holds a null or a key that is too large for the edges,
          lacks a column, has a column that nothing reads, or ids of another kind than ``edges``. A
          DataFrame is checked for rows, nulls and keys by the first action.
        - ``refresh`` is no duration or not positive. Or it is given for a static ``edges``, or
          where ``marked`` is not given, or does not read a table.
        - One of ``edges`` and ``events`` is streaming, and the other static. Streaming ``edges``
          have no watermark on ``time``, are given an ``observation``, or come out of an
          aggregation, a ``SELECT DISTINCT`` or an outer join of streams. Or streaming ``events``
          come out of an operator that reads a watermark of theirs.
        - The index is unknown, or is ``"bic"``.
    {type_error}
    pyspark.errors.PySparkValueError
        A marked vertex is beyond 64 bits, ``observation`` is in use already, or a Column of ``by``
        has the name of another column.
    pyspark.errors.PySparkRuntimeError
        The session, or the Spark Connect server, runs without the jar, or with the jar of another
        version. Or two of the frames are of two sessions.

    Examples
    --------
    Of the edges from ann to bob at 10:05, bob to cleo at 10:20 and dan to eve at 10:40:

    >>> events = edges.selectExpr("'ann' AS payer", "dst AS payee", "time")
    >>> scored = edges.bicAsOf(events, "1 hour", "10 minutes", source="payer", target="payee")
    >>> features = ["graph.connected", "graph.source.size AS payer_size"]
    >>> scored.selectExpr("time", "payee", *features).orderBy("time").show()
    +-------------------+-----+---------+----------+
    |               time|payee|connected|payer_size|
    +-------------------+-----+---------+----------+
    |2024-05-01 10:05:00|  bob|    false|         0|
    |2024-05-01 10:20:00| cleo|    false|         2|
    |2024-05-01 10:40:00|  eve|    false|         3|
    +-------------------+-----+---------+----------+
    <BLANKLINE>
    """
    return answers(bic_as_of, locals())
