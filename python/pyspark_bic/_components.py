"""Which components there are in each window, how many, and which came, joined, parted or went."""

from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic._arguments import Duration, duration
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
    Windows, streams, late edges and errors are as for :func:`pyspark_bic.bic_connectivity`. A
    window with at least one edge gives one row per vertex that occurs in it.

    With ``stable=True`` a component keeps its name while it lives. The window before starts one
    ``slide`` earlier; a window without edges has no component. The heir of a component of the
    window before is the component of this window that shares most vertices with it. Of several
    such components, the heir is the component with the smaller smallest vertex. A component takes
    over the name of the component, among those whose heir it is, that shares most vertices with
    it. Of several such components, it takes over from the component born earlier, then from the
    component with the smaller name. A component that takes over from none is born in this window.

    Parameters
    ----------
    edges, slide, src, dst, time, by, start_time, index, observation
        As for :func:`pyspark_bic.bic_connectivity`.
    window : str, or list of str, optional
        As for :func:`pyspark_bic.bic_connectivity`, but one length where ``updates_only`` or
        ``stable`` is given. Without a window the answer is about all edges of the static table
        ``edges``. Then ``time`` is not read, so there need not be such a column. ``slide``,
        ``start_time``, ``updates_only`` and ``stable`` must not be given, and the answers have no
        column ``window``.
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
        As for :func:`pyspark_bic.bic_connectivity`, ``queries`` aside, if ``min_size`` is below
        1, and if ``window`` is several lengths where ``updates_only`` or ``stable`` is given.
        Without a window also if ``edges`` is streaming, or if ``slide``, ``start_time``,
        ``updates_only`` or ``stable`` is given.
    pyspark.errors.PySparkTypeError
        An argument is of a wrong Python type, such as a DataFrame of pandas.
    pyspark.errors.PySparkValueError
        ``min_size`` is beyond 64 bits, or ``observation`` is in use already.
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
    return answers("bic_components", locals())


def bic_component_stats(
    edges: DataFrame,
    window: Duration | Iterable[Duration] | None = None,
    slide: Duration | None = None,
    *,
    sizes: bool = False,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    start_time: Duration | None = None,
    index: str = "auto",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of ``edges``, tell how many vertices, edges and components it has.

    Also the method ``bicComponentStats`` of every DataFrame.
    Windows, streams, late edges and errors are as for :func:`pyspark_bic.bic_connectivity`, and
    so are the parameters, but ``sizes``. A window with at least one edge gives one row.

    Parameters
    ----------
    edges, slide, src, dst, time, by, start_time, index, observation
        As for :func:`pyspark_bic.bic_connectivity`.
    window : str, or list of str, optional
        As for :func:`pyspark_bic.bic_connectivity`. Without a window the answer is about the whole
        static table, as for :func:`pyspark_bic.bic_components`.
    sizes : bool
        Whether to add the column ``sizes``.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``; only if a window is
        given) and four BIGINT columns: ``vertices`` that occur, ``edges`` that came (a repeated
        edge counts each time), connected ``components``, and how many vertices the ``largest``
        component has. With ``sizes=True`` also ``sizes``: an array of structs (``size``,
        ``components``), by rising ``size``, with the number of components of each size.

    Raises
    ------
    pyspark.errors.AnalysisException
        As for :func:`pyspark_bic.bic_components`, ``min_size`` aside.
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

    >>> edges.bicComponentStats("1 hour").drop("window").show()
    +--------+-----+----------+-------+
    |vertices|edges|components|largest|
    +--------+-----+----------+-------+
    |       5|    3|         2|      3|
    +--------+-----+----------+-------+
    <BLANKLINE>
    """
    return answers("bic_component_stats", locals())


def bic_changes(
    edges: DataFrame,
    window: Duration,
    slide: Duration | None = None,
    *,
    min_size: int = 1,
    stable: bool = False,
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

    Each such component gives one row. Other components give none, even where they have grown or
    shrunk. So a window without edges gives rows if the window before has edges: every component
    has vanished. Windows, streams, late edges and errors are as for
    :func:`pyspark_bic.bic_connectivity`. The rows depend neither on the order of the edges nor on
    restarts.

    Parameters
    ----------
    edges, slide, src, dst, time, by, start_time, index, observation
        As for :func:`pyspark_bic.bic_connectivity`.
    window : str
        Length of a window, such as ``"1 hour"``; one length only.
    min_size : int
        Changes whose ``size`` is smaller are left out; 1 keeps all.
    stable : bool
        Whether components keep their names while they live, as in
        :func:`pyspark_bic.bic_components`.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``), ``change``
        (``'appeared'``, ``'merged'``, ``'split'`` or ``'vanished'``), ``before`` and ``after``
        (arrays of the components concerned, of the window before and of this window, in rising
        order, empty where there is none), and ``size`` (BIGINT). A component is named by its
        smallest vertex in its window; with ``stable=True`` by a struct of ``component`` and
        ``born``, the columns that :func:`pyspark_bic.bic_components` then has. ``size`` is how many
        vertices a component has: in this window if it appeared or merged, in the window before if
        it split or vanished.

    Raises
    ------
    pyspark.errors.AnalysisException
        As for :func:`pyspark_bic.bic_connectivity`, ``queries`` aside, and if ``min_size`` is
        below 1.
    pyspark.errors.PySparkTypeError
        An argument is of a wrong Python type, such as a DataFrame of pandas.
    pyspark.errors.PySparkValueError
        ``min_size`` is beyond 64 bits, or ``observation`` is in use already.
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
    duration("window", window)
    return answers("bic_changes", locals())
