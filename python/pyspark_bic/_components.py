"""Which components there are in each window."""

from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic._arguments import Duration
from pyspark_bic._call import answers


def bic_components(
    edges: DataFrame,
    window: Duration | Iterable[Duration] | None = None,
    slide: Duration | None = None,
    *,
    min_size: int = 1,
    updates_only: bool = False,
    stable: bool = False,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    start_time: Duration | None = None,
    index: str = "auto",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of ``edges``, tell which vertices occur and in which component.

    Also the method ``bicComponents`` of every DataFrame.
    Two vertices are in one component of a window when a path made only of edges of that window
    joins them. A window with at least one edge gives one row per vertex that occurs in it.

    The windows are the same as of :func:`pyspark.sql.functions.window`: half-open, aligned to
    1970-01-01 00:00:00 UTC plus ``start_time``. Edges are undirected; a repeated edge changes
    nothing; a self-loop makes its vertex occur.

    ``edges`` may be static or streaming. A streaming one needs a watermark on ``time``
    (``edges.withWatermark("time", "10 minutes")``) and output mode ``append``. The rows of a
    window come once the watermark has passed its end.

    With ``stable=True`` a component keeps its name while it lives. Each window is compared with
    the window before, which starts one ``slide`` earlier:

    1. The heir of an old component is the new component that shares most vertices with it; of
       several such components, the one with the smaller smallest vertex.
    2. A new component takes over the name of the old component, among those whose heir it is, with
       which it shares most vertices; of several, the one born earlier, then of the smaller name.
    3. A new component that takes over from none is born, and named by its smallest vertex.

    In one window ``{ann, bob, cleo}`` is named ``ann``. In the next ``ann`` has left, and the
    component ``{bob, cleo, dan}`` is still named ``ann``. If it splits into ``{bob, cleo}`` and
    ``{dan}``, the former keeps the name and ``dan`` is born.

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
        ``window`` tell the lengths apart. ``updates_only`` and ``stable`` take one length.

        Without a window the answer is about all edges of the static table ``edges``. Then ``time``
        is not read, so there need not be such a column. ``slide``, ``start_time``,
        ``updates_only`` and ``stable`` must not be given, and the answers have no column
        ``window``.
    slide : str or datetime.timedelta, optional
        Time from the start of one window to the start of the next, at most ``window``. By
        default the slide is as long as the window, so that windows do not overlap. Several
        lengths need a slide.
    min_size : int
        Components of fewer vertices are left out; 1 keeps all. Names do not depend on it.
    updates_only : bool
        Whether to give only the rows that differ from the rows of the window before. A vertex
        that has left, alone or since its component has become smaller than ``min_size``, gives a
        row whose ``component`` is null. Applied in the order of the windows, as upserts and
        deletes keyed by the ``by`` columns and ``vertex``, these rows give exactly the full rows
        of every window. The window after the last one with edges gives a row for each vertex that
        has left.
    stable : bool
        Whether components keep their names, and to add the column ``born``.
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
        given), ``vertex`` and ``component``, in the type of the edges' ids. ``component`` is the
        smallest vertex of the vertex's component (strings in the order of their UTF-8 bytes). So
        the name does not depend on the order of the edges. With ``stable=True``, ``component`` is
        the smallest vertex of the component when it was born, which need not be in the window any
        more. The column ``born``, in the type of the edges' times, is then the end of the window
        in which the component was born. Two components may have one ``component``, but not one
        ``born`` as well.

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
        - ``min_size`` is below 1, or beyond 64 bits.
        - ``window`` is several lengths, and ``updates_only`` or ``stable`` is given.
        - Without a window, ``edges`` is streaming, or ``slide``, ``start_time``, ``updates_only``
          or ``stable`` is given.
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

    >>> groups = edges.bicComponents("1 hour", min_size=3)
    >>> groups.selectExpr("window.start", "vertex", "component").orderBy("vertex").show()
    +-------------------+------+---------+
    |              start|vertex|component|
    +-------------------+------+---------+
    |2024-05-01 10:00:00|   ann|      ann|
    |2024-05-01 10:00:00|   bob|      ann|
    |2024-05-01 10:00:00|  cleo|      ann|
    +-------------------+------+---------+
    <BLANKLINE>
    """
    return answers(bic_components, locals())
