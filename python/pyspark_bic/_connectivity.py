"""Which pairs of vertices each window connects."""

from collections.abc import Iterable
from typing import overload

from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic._arguments import Duration
from pyspark_bic._call import answers
from pyspark_bic._queries import Queries


# A type checker must see that queries are missing. They may follow the slide by position, or have a
# name of their own where there is no slide.
@overload
def bic_connectivity(
    edges: DataFrame,
    window: Duration | Iterable[Duration],
    slide: Duration | None,
    queries: Queries,
    *,
    early: bool = False,
    since: bool = False,
    refresh: Duration | None = None,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    start_time: Duration | None = None,
    index: str = "auto",
    observation: Observation | None = None,
) -> DataFrame: ...


@overload
def bic_connectivity(
    edges: DataFrame,
    window: Duration | Iterable[Duration],
    slide: Duration | None = None,
    *,
    queries: Queries,
    early: bool = False,
    since: bool = False,
    refresh: Duration | None = None,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    start_time: Duration | None = None,
    index: str = "auto",
    observation: Observation | None = None,
) -> DataFrame: ...


def bic_connectivity(
    edges: DataFrame,
    window: Duration | Iterable[Duration],
    slide: Duration | None = None,
    queries: Queries | None = None,
    *,
    early: bool = False,
    since: bool = False,
    refresh: Duration | None = None,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    start_time: Duration | None = None,
    index: str = "auto",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of ``edges``, tell which pairs of vertices it connects.

    Also the method ``bicConnectivity`` of every DataFrame.
    Two vertices are connected in a window when a path made only of edges of that window joins
    them. Edges are undirected; a repeated edge changes nothing; a self-loop makes its vertex
    occur. A vertex that does not occur in the window is connected to nothing, not even to itself.

    The windows are the same as of :func:`pyspark.sql.functions.window`: half-open, aligned to
    1970-01-01 00:00:00 UTC plus ``start_time``. A window with at least one edge gives one row per
    query; a window with none gives no row.

    {streams}
    With ``early``, a row with ``true`` comes sooner: in the micro-batch with the edge that joins
    the pair.

    Parameters
    ----------
    {edges}
    {window}
    {slide}
    queries : list of pairs, pyspark.sql.DataFrame, pandas.DataFrame or numpy.ndarray
        The pairs to ask for: an iterable of ``(source, target)`` tuples of int (of str, where the
        ids are strings), or an array of two columns. Or a static DataFrame, of Spark or pandas,
        with the columns ``source`` and ``target``. Where each graph has its own pairs, it has the
        ``by`` columns too. The first action on the answers reads a DataFrame; from a Spark Connect
        client every action does. A null in the DataFrame, or no row, is an error of that action.
    early : bool
        Whether a row with ``true`` comes as soon as it is certain: in the micro-batch with the edge
        that joins the pair, for each window with that edge. A later edge cannot undo a connection
        within a window. Rows with ``false`` come when the window closes. The rows are the same as
        without ``early``, and each comes once. A static ``edges`` has the same rows either way. A
        stream keeps for each pair, in its state, for which open windows a row has come; so it
        cannot be restarted with another ``early``. It may be restarted with other ``queries``.
    since : bool
        Whether to add the column ``since``: the start of the latest pane from which on the edges of
        the window connect the pair. A pane is as long as the greatest common divisor of all windows
        and the slide. With ``early``, ``since`` is that of the micro-batch with the row, and edges
        that come later do not change the row.
    refresh : str or datetime.timedelta, optional
        Has a stream read ``queries`` anew, such as ``"10 minutes"``: at the start of the first
        micro-batch after so long since the last reading. ``queries`` is then a DataFrame that reads
        a table, which other jobs write, and which may be empty for a while. A new pair counts from
        the next window to close. With ``early`` it counts in all open windows, whose rows come with
        the next edge of the graph. A reading that fails ends the query with the reason. Without
        ``refresh`` a stream reads the DataFrame once, when it starts.
    {ends}
    {by}
    {start_time}
    {index}
        ``"auto"`` takes ``"recency"`` where it is needed (several lengths, ``early`` or ``since``),
        and else ``"bic"``.
    {observation}

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``), ``source``,
        ``target`` and ``connected`` (boolean). With ``since``, also ``since``, of the type of
        ``time``; null where the pair is not connected.

    Raises
    ------
    {refusals}
        {refusals_of_windows}
        - Several windows have no slide, or a window is given twice.
        - Several windows, ``early`` or ``since`` are asked of the index ``"bic"``.
        - ``queries`` is empty or streaming, holds a null or a key that is too large for the edges,
          lacks a column, has a column that nothing reads, or ids of another kind than ``edges``. A
          DataFrame is checked for rows, nulls and keys by the first action.
        - ``refresh`` is no duration or not positive. Or it is given for a static ``edges``, or
          where ``queries`` does not read a table.
    {type_error}
    pyspark.errors.PySparkValueError
        ``queries`` is not given, a query is no pair, an id in a query is beyond 64 bits, or
        ``observation`` is in use already.
    pyspark.errors.PySparkRuntimeError
        The session, or the Spark Connect server, runs without the jar, or with the jar of another
        version. Or ``queries`` and ``edges`` are of two sessions.

    References
    ----------
    C. Zhang, A. Bonifati, M. T. Özsu, "Incremental Sliding Window Connectivity over Streaming
    Graphs", PVLDB 17 (2024). ``early`` and ``since`` read a maximum spanning forest by time:
    M. S. Crouch, A. McGregor, D. Stubbs, "Dynamic Graphs in the Sliding-Window Model", ESA 2013.

    Examples
    --------
    Of the edges from ann to bob at 10:05, bob to cleo at 10:20 and dan to eve at 10:40:

    >>> answers = edges.bicConnectivity("1 hour", queries=[("ann", "cleo"), ("ann", "eve")])
    >>> answers.selectExpr("window.start", "source", "target", "connected").show()
    +-------------------+------+------+---------+
    |              start|source|target|connected|
    +-------------------+------+------+---------+
    |2024-05-01 10:00:00|   ann|  cleo|     true|
    |2024-05-01 10:00:00|   ann|   eve|    false|
    +-------------------+------+------+---------+
    <BLANKLINE>
    """
    return answers(bic_connectivity, locals())
