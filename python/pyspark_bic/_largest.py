"""The largest components of each window, one row a component."""

from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic._arguments import Duration
from pyspark_bic._call import answers
from pyspark_bic._queries import Marked


def bic_largest_components(
    edges: DataFrame,
    window: Duration | Iterable[Duration] | None = None,
    slide: Duration | None = None,
    *,
    top: int = 10,
    min_size: int = 1,
    members: bool = False,
    marked: Marked | None = None,
    refresh: Duration | None = None,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    start_time: Duration | None = None,
    index: str = "auto",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of ``edges``, tell which components are the largest.

    Also the method ``bicLargestComponents`` of every DataFrame.
    A component is a set of vertices that paths made only of edges of the window join. A window
    with at least one edge gives one row per component, for at most ``top`` components.

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
    window : str, datetime.timedelta, or list of these, optional
        Length of a window, such as ``"1 hour"``: a duration in weeks or smaller units. With
        several lengths, such as ``["5 minutes", "1 hour", "1 day"]``, windows of each length are
        answered, in one pass over the edges and by one index. The start and end in the column
        ``window`` tell the lengths apart.

        Without a window the answer is about all edges of the static table ``edges``. Then ``time``
        is not read, so there need not be such a column. ``slide`` and ``start_time`` must not be
        given, and the answers have no column ``window``.
    slide : str or datetime.timedelta, optional
        Time from the start of one window to the start of the next, at most ``window``. By
        default the slide is as long as the window, so that windows do not overlap. Several
        lengths need a slide.
    top : int
        The most components of a window, at least 1. Larger components come before smaller
        components. Of components of one size, the component with the smaller smallest vertex comes
        first.
    min_size : int
        Components of fewer vertices are left out, even where fewer than ``top`` are left; 1 keeps
        all.
    members : bool
        Whether to add the column ``members``.
    marked : list of int or str, pyspark.sql.DataFrame, pandas.DataFrame or numpy.ndarray, optional
        Vertices that you know already, such as mules or infected hosts, as in
        :func:`pyspark_bic.bic_connected_to`: of one list for all graphs, or a static DataFrame with
        the column ``vertex``, and with the ``by`` columns where each graph has its own. Only
        components that hold a marked vertex give rows and compete for ``top``, and the column
        ``marked`` is added. Without ``marked``, all components do.
    refresh : str or datetime.timedelta, optional
        Has a stream read ``marked`` anew, such as ``"10 minutes"``: at the start of the first
        micro-batch after so long since the last reading. ``marked`` is then a DataFrame that reads
        a table, which other jobs write, and which may be empty for a while. A new marked vertex
        counts from the next window to close. A reading that fails ends the query with the reason.
        Without ``refresh`` a stream reads the DataFrame once, when it starts.
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
        ``"auto"`` takes ``"recency"``, which several lengths need.
        Without a window it changes nothing.
    observation : pyspark.sql.Observation, optional
        For a static ``edges``: receives ``edges``, ``late_edges``, ``null_rows`` and ``windows``,
        which :func:`pyspark_bic.metrics` describes. ``observation.get`` has the counts once an
        action has read all answers, which ``take`` and ``limit`` do not. An action that sorts the
        answers reads and counts them twice, as with Spark's own ``observe``: ``cache`` the answers
        first.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``; only if a window is
        given), ``component`` and ``size`` (BIGINT, the number of vertices). ``component`` is the
        smallest vertex of the component, in the type of the edges' ids. With ``marked`` also
        ``marked`` (BIGINT): how many marked vertices the component holds, each counted once. With
        ``members=True`` also ``members``: an array of all vertices of the component, in rising
        order. Strings are in the order of their UTF-8 bytes.

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
        - Several windows are asked of the index ``"bic"``.
        - A streaming ``edges`` has no watermark on ``time``, is given an ``observation``, or comes
          out of an aggregation, a ``SELECT DISTINCT`` or an outer join of streams.
        - A ``by`` column has values without an order, is given twice, or has the name of a column
          of the answers.
        - The index is unknown.
        - A conf ``spark.bic.*`` is unknown, has a value that it cannot have, or one that does not
          go with the state store or with the types of ``by``.
        - ``top`` or ``min_size`` is below 1, or beyond 64 bits.
        - ``marked`` is empty or streaming, holds a null or a key that is too large for the edges,
          lacks a column, has a column that nothing reads, or ids of another kind than ``edges``. A
          DataFrame is checked for rows, nulls and keys by the first action.
        - ``refresh`` is no duration or not positive. Or it is given for a static ``edges``, or
          where ``marked`` is not given, or does not read a table.
        - Without a window, ``edges`` is streaming, or ``slide``, ``start_time`` or ``time`` is
          given.
    pyspark.errors.PySparkTypeError
        An argument is of a wrong Python type, such as a DataFrame of pandas.
    pyspark.errors.PySparkValueError
        ``observation`` is in use already, or a marked vertex is beyond 64 bits.
    pyspark.errors.PySparkRuntimeError
        The session, or the Spark Connect server, runs without the jar, or with the jar of another
        version.

    Examples
    --------
    Of the edges from ann to bob at 10:05, bob to cleo at 10:20 and dan to eve at 10:40:

    >>> largest = edges.bicLargestComponents("1 hour", top=1, members=True)
    >>> largest.selectExpr("window.start", "component", "size", "members").show()
    +-------------------+---------+----+----------------+
    |              start|component|size|         members|
    +-------------------+---------+----+----------------+
    |2024-05-01 10:00:00|      ann|   3|[ann, bob, cleo]|
    +-------------------+---------+----+----------------+
    <BLANKLINE>
    """
    return answers(bic_largest_components, locals())
