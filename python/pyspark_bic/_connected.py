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

    {windows}

    {streams}

    Parameters
    ----------
    {edges}
    {window}
    {slide}
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
    {ends}
    {by}
    {start_time}
    {index}
        ``"auto"`` takes ``"recency"``, which several lengths and ``early`` need.
    {observation}

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
    {refusals}
        {refusals_of_windows}
        - Several windows have no slide, or a window is given twice.
        - Several windows, or ``early``, are asked of the index ``"bic"``. Several windows are asked
          with ``updates_only``, or ``early`` is.
        - ``marked`` is empty or streaming, holds a null or a key that is too large for the edges,
          lacks a column, has a column that nothing reads, or ids of another kind than ``edges``. A
          DataFrame is checked for rows, nulls and keys by the first action.
        - ``refresh`` is no duration or not positive. Or it is given for a static ``edges``, or
          where ``marked`` does not read a table.
    {type_error}
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
