"""Which vertices each window connects to a marked vertex."""

from collections.abc import Iterable
from typing import overload

from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic._arguments import Duration
from pyspark_bic._call import answers
from pyspark_bic._queries import Marked


# A type checker must see that `marked` is missing. It may follow the slide by position, or have
# a name where there is no slide.
@overload
def bic_connected_to(
    edges: DataFrame,
    window: Duration | Iterable[Duration],
    slide: Duration | None,
    marked: Marked,
    *,
    early: bool = False,
    updates_only: bool = False,
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
def bic_connected_to(
    edges: DataFrame,
    window: Duration | Iterable[Duration],
    slide: Duration | None = None,
    *,
    marked: Marked,
    early: bool = False,
    updates_only: bool = False,
    refresh: Duration | None = None,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    start_time: Duration | None = None,
    index: str = "auto",
    observation: Observation | None = None,
) -> DataFrame: ...


def bic_connected_to(
    edges: DataFrame,
    window: Duration | Iterable[Duration],
    slide: Duration | None = None,
    marked: Marked | None = None,
    *,
    early: bool = False,
    updates_only: bool = False,
    refresh: Duration | None = None,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    start_time: Duration | None = None,
    index: str = "auto",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of ``edges``, tell which vertices it connects to a marked vertex.

    Also the method ``bicConnectedTo`` of every DataFrame.
    Marked vertices are those that you know already: mules, infected hosts, recalled parts. Of each
    component of a window that holds a marked vertex, every vertex gives a row, the marked ones
    too. So new accounts that touch a known mule need be in no list. A component is a set of
    vertices that paths made only of edges of the window join.

    The windows are the same as of :func:`pyspark.sql.functions.window`: half-open, aligned to
    1970-01-01 00:00:00 UTC plus ``start_time``. Edges are undirected; a repeated edge changes
    nothing; a self-loop makes its vertex occur.

    ``edges`` may be static or streaming. A streaming one needs a watermark on ``time``
    (``edges.withWatermark("time", "10 minutes")``) and output mode ``append``. The rows of a
    window come once the watermark has passed its end.

    Parameters
    ----------
    edges : pyspark.sql.DataFrame
        One row per edge. A row with a null endpoint or time is dropped and counted, and in a
        stream so is an edge that comes too late. ``observation`` receives the counts of a static
        frame, :func:`pyspark_bic.metrics` gives the counts of a stream.
    window : str, datetime.timedelta, or list of these
        Length of a window, such as ``"1 hour"``: a duration in weeks or smaller units. With
        several lengths, such as ``["5 minutes", "1 hour", "1 day"]``, windows of each length are
        answered, in one pass over the edges and by one index. The start and end in the column
        ``window`` tell the lengths apart.
    slide : str or datetime.timedelta, optional
        Time from the start of one window to the start of the next, at most ``window``. By
        default the slide is as long as the window, so that windows do not overlap. Several
        lengths need a slide.
    marked : list of int or str, pyspark.sql.DataFrame, pandas.DataFrame or numpy.ndarray
        The marked vertices: an iterable of int (of str, where the ids are strings). Or a static
        DataFrame, of Spark or pandas, with the column ``vertex``. Where each graph has its own
        marked vertices, it has the ``by`` columns too. A marked vertex may be there twice, or occur
        in no window. The first action on the answers reads a DataFrame; from a Spark Connect client
        every action does. A null in the DataFrame, or no row, is an error of that action. A stream
        may be restarted with other marked vertices.
    early : bool
        Whether a row comes as soon as it is certain: in the micro-batch with the edge that connects
        the vertex, for each window with that edge. A later edge cannot undo a connection within a
        window. Each row comes once, with ``since`` and ``marked`` as of then. A static ``edges``
        has the same rows either way. A stream keeps for each vertex, in its state, for which open
        windows a row has come; so it cannot be restarted with another ``early``.
    updates_only : bool
        Whether only the rows of vertices that had no row in the window before are given, and, with
        null as ``marked`` and ``since``, a row of each vertex that had one there and has none now.
        Applied in the order of the windows, as upserts and deletes keyed by the ``by`` columns and
        ``vertex``, they give exactly the vertices of every window. ``since`` and ``marked`` are
        those of the window in which the vertex came. ``window`` is a single length then. Not
        together with ``early``.
    refresh : str or datetime.timedelta, optional
        Has a stream read ``marked`` anew, such as ``"10 minutes"``: at the start of the first
        micro-batch after so long since the last reading. ``marked`` is then a DataFrame that reads
        a table, which other jobs write, and which may be empty for a while. A new marked vertex
        counts from the next window to close. With ``early`` it counts in all open windows, whose
        rows come with the next edge of the graph. A reading that fails ends the query with the
        reason. Without ``refresh`` a stream reads the DataFrame once, when it starts.
    src, dst : str or pyspark.sql.Column
        The columns with the endpoints of an edge: both of integral types or both STRING. A
        column is a name, the path of a field such as ``"payment.payer"``, or a Column.
    time : str or pyspark.sql.Column
        The column with the time of an edge: TIMESTAMP or TIMESTAMP_NTZ.
    by : str, pyspark.sql.Column, or list of these, optional
        Columns that split the edges into separate graphs, each with its own windows and answers;
        of any type that can be sorted. Null is a key like any other.
    start_time : str or datetime.timedelta, optional
        Shift of the windows' starts against 1970-01-01 00:00:00 UTC, such as ``"15 minutes"``:
        shorter than the slide, either way.
    index : str
        The index that answers: ``"bic"``, the paper's, or ``"recency"``, a forest of the most
        recent links. Both give the same answers, and a stream may be restarted with the other.
        ``"auto"`` takes ``"recency"``, which several lengths and ``early`` need.
    observation : pyspark.sql.Observation, optional
        For a static ``edges``: receives ``edges``, ``late_edges``, ``null_rows`` and ``windows``,
        which :func:`pyspark_bic.metrics` describes. ``observation.get`` has the counts once an
        action has read all answers, which ``take`` and ``limit`` do not. An action that sorts the
        answers reads and counts them twice, as with Spark's own ``observe``: ``cache`` the answers
        first.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``), ``vertex``,
        ``marked`` and ``since``, both vertices in the type of the edges' ids.

        ``since``, of the type of ``time``, is the start of the latest pane from which on the edges
        of the window connect the vertex to a marked vertex. For a marked vertex itself, it is the
        start of the latest pane in which it occurs. A pane is as long as the greatest common
        divisor of all windows and the slide. ``marked`` is the smallest marked vertex that the
        edges from ``since`` on connect the vertex to. Strings are in the order of their UTF-8
        bytes.

    Raises
    ------
    pyspark.errors.AnalysisException
        The call is refused before any query starts. The message holds the bad value and the fix.

        - A column is missing, is there twice, has two roles, is of a wrong type, or has strings of
          which different ones may be equal (``CHAR``, or a collation). Or one of ``src`` and
          ``dst`` is a string, and the other a number.
        - ``window``, ``slide`` or ``start_time`` is no duration, or holds months or years.
        - ``window`` or ``slide`` is not positive, or ``slide`` is longer than ``window``.
        - ``start_time`` is as long as the slide or longer.
        - A window has more than 2^30 panes.
        - Several windows have no slide, or a window is given twice.
        - Several windows, or ``early``, are asked of the index ``"bic"``. Several windows are asked
          with ``updates_only``, or ``early`` is.
        - ``marked`` is empty or streaming, holds a null or a key that is too large for the edges,
          lacks a column, has a column that nothing reads, or ids of another kind than ``edges``. A
          DataFrame is checked for rows, nulls and keys by the first action.
        - ``refresh`` is no duration or not positive. Or it is given for a static ``edges``, or
          where ``marked`` does not read a table.
        - A streaming ``edges`` has no watermark on ``time``, is given an ``observation``, or comes
          out of an aggregation, a ``SELECT DISTINCT`` or an outer join of streams.
        - A ``by`` column has values without an order, is given twice, or has the name of a column
          of the answers.
        - The index is unknown.
        - A conf ``spark.bic.*`` is unknown, has a value that it cannot have, or one that does not
          go with the state store or with the types of ``by``.
    pyspark.errors.PySparkTypeError
        An argument is of a wrong Python type, such as a DataFrame of pandas.
    pyspark.errors.PySparkValueError
        ``marked`` is not given, a marked vertex is beyond 64 bits, or ``observation`` is in use
        already.
    pyspark.errors.PySparkRuntimeError
        The session, or the Spark Connect server, runs without the jar, or with the jar of another
        version. Or ``marked`` and ``edges`` are of two sessions.

    References
    ----------
    ``since`` reads a maximum spanning forest by time: M. S. Crouch, A. McGregor, D. Stubbs,
    "Dynamic Graphs in the Sliding-Window Model", ESA 2013.

    Examples
    --------
    Of the edges from ann to bob at 10:05, bob to cleo at 10:20 and dan to eve at 10:40:

    >>> touched = edges.bicConnectedTo("1 hour", "30 minutes", marked=["bob", "zoe"])
    >>> rows = touched.selectExpr("window.start", "vertex", "marked", "since")
    >>> rows.orderBy("start", "vertex").show()
    +-------------------+------+------+-------------------+
    |              start|vertex|marked|              since|
    +-------------------+------+------+-------------------+
    |2024-05-01 09:30:00|   ann|   bob|2024-05-01 10:00:00|
    |2024-05-01 09:30:00|   bob|   bob|2024-05-01 10:00:00|
    |2024-05-01 09:30:00|  cleo|   bob|2024-05-01 10:00:00|
    |2024-05-01 10:00:00|   ann|   bob|2024-05-01 10:00:00|
    |2024-05-01 10:00:00|   bob|   bob|2024-05-01 10:00:00|
    |2024-05-01 10:00:00|  cleo|   bob|2024-05-01 10:00:00|
    +-------------------+------+------+-------------------+
    <BLANKLINE>
    """
    return answers(bic_connected_to, locals())
