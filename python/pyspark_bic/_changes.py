"""Which components came, joined, parted or went from window to window."""

from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic._arguments import Duration
from pyspark_bic._call import answers


def bic_changes(
    edges: DataFrame,
    window: Duration,
    slide: Duration | None = None,
    *,
    min_size: int = 1,
    stable: bool = False,
    growth: bool = False,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    start_time: Duration | None = None,
    index: str = "auto",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of ``edges``, tell which components changed since the one before.

    Also the method ``bicChanges`` of every DataFrame.
    The window before is the one that starts one ``slide`` earlier. The definition, naively: take
    the components of both windows as sets of vertices; a window without edges has none. Then

    - a component of this window has *appeared* if it shares a vertex with no component of the
      window before, and *merged* if it shares vertices with several of them;
    - a component of the window before has *vanished* if it shares a vertex with no component of
      this window, and *split* if it shares vertices with several of them.

    With ``growth``, a component has also *grown* or *shrunk* if it shares vertices with exactly one
    component of the window before, which shares vertices with it alone, and it has more or fewer
    vertices.

    Each such component gives one row. Other components give none. So a window without edges gives
    rows if the window before has edges: every component has vanished. The rows depend neither on
    the order of the edges nor on restarts.

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
    window : str or datetime.timedelta
        Length of a window, such as ``"1 hour"``: a duration in weeks or smaller units; one length
        only.
    slide : str or datetime.timedelta, optional
        Time from the start of one window to the start of the next, at most ``window``. By
        default the slide is as long as the window, so that windows do not overlap. Several
        lengths need a slide.
    min_size : int
        Changes whose ``size`` is smaller are left out; 1 keeps all. So a component that has shrunk
        below ``min_size`` gives no row, and a component that has grown to ``min_size`` gives one.
    stable : bool
        Whether components keep their names while they live, as in
        :func:`pyspark_bic.bic_components`.
    growth : bool
        Whether to give the changes ``'grew'`` and ``'shrank'`` too, and the column ``size_before``.
        A stream may be restarted with another ``growth``, if its sink takes the other columns.
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
        ``"auto"`` takes ``"recency"``.
    observation : pyspark.sql.Observation, optional
        For a static ``edges``: receives ``edges``, ``late_edges``, ``null_rows`` and ``windows``,
        which :func:`pyspark_bic.metrics` describes. ``observation.get`` has the counts once an
        action has read all answers, which ``take`` and ``limit`` do not. An action that sorts the
        answers reads and counts them twice, as with Spark's own ``observe``: ``cache`` the answers
        first.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``), ``change``
        (``'appeared'``, ``'merged'``, ``'split'`` or ``'vanished'``; with ``growth=True`` also
        ``'grew'`` or ``'shrank'``), ``before`` and ``after`` (arrays of the components concerned,
        of the window before and of this window, in rising order, empty where there is none), and
        ``size`` (BIGINT). A component is named by its smallest vertex in its window; with
        ``stable=True`` by a struct of ``component`` and ``born``, the columns that
        :func:`pyspark_bic.bic_components` then has. ``size`` is how many vertices a component has:
        in the window before if it split or vanished, in this window if it changed otherwise.

        With ``growth=True``, ``size_before`` (BIGINT) is how many vertices the components in
        ``before`` have together, in the window before: 0 for a component that appeared, ``size``
        for a component that split or vanished.

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
        - A streaming ``edges`` has no watermark on ``time``, is given an ``observation``, or comes
          out of an aggregation, a ``SELECT DISTINCT`` or an outer join of streams.
        - A ``by`` column has values without an order, is given twice, or has the name of a column
          of the answers.
        - The index is unknown.
        - A conf ``spark.bic.*`` is unknown, has a value that it cannot have, or one that does not
          go with the state store or with the types of ``by``.
        - ``min_size`` is below 1, or beyond 64 bits.
    pyspark.errors.PySparkTypeError
        An argument is of a wrong Python type, such as a DataFrame of pandas.
    pyspark.errors.PySparkValueError
        ``observation`` is in use already.
    pyspark.errors.PySparkRuntimeError
        The session, or the Spark Connect server, runs without the jar, or with the jar of another
        version.

    Examples
    --------
    Of the edges from ann to bob at 10:05, bob to cleo at 10:20 and dan to eve at 10:40:

    >>> changes = edges.bicChanges("1 hour", min_size=3)
    >>> changes.selectExpr("window.start", "change", "before", "after", "size").orderBy(
    ...     "start"
    ... ).show()
    +-------------------+--------+------+-----+----+
    |              start|  change|before|after|size|
    +-------------------+--------+------+-----+----+
    |2024-05-01 10:00:00|appeared|    []|[ann]|   3|
    |2024-05-01 11:00:00|vanished| [ann]|   []|   3|
    +-------------------+--------+------+-----+----+
    <BLANKLINE>
    """
    return answers(bic_changes, locals())
