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

    {windows}

    {streams}

    Parameters
    ----------
    {edges}
    {window_or_table}
    {slide}
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
    {ends}
    {by}
    {start_time}
    {index}
        ``"auto"`` takes ``"recency"``, which several lengths need.
        Without a window it changes nothing.
    {observation}

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
    {refusals}
        {refusals_of_windows}
        - Several windows have no slide, or a window is given twice.
        - Several windows are asked of the index ``"bic"``.
        - ``top`` or ``min_size`` is below 1, or beyond 64 bits.
        - ``marked`` is empty or streaming, holds a null or a key that is too large for the edges,
          lacks a column, has a column that nothing reads, or ids of another kind than ``edges``. A
          DataFrame is checked for rows, nulls and keys by the first action.
        - ``refresh`` is no duration or not positive. Or it is given for a static ``edges``, or
          where ``marked`` is not given, or does not read a table.
        - Without a window, ``edges`` is streaming, or ``slide``, ``start_time`` or ``time`` is
          given.
    {type_error}
    pyspark.errors.PySparkValueError
        ``observation`` is in use already, or a marked vertex is beyond 64 bits.
    {jar_error}

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
