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

    {windows}

    {streams}

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
    {edges}
    {window_or_table}
    {slide}
    min_size : int
        Components of fewer vertices are left out; 1 keeps all. Names do not depend on it.
    updates_only : bool
        Whether to give only the rows that differ from the rows of the window before. A vertex
        that has left, alone or since its component has become smaller than ``min_size``, gives a
        row whose ``component`` is null. Applied in the order of the windows, as upserts and
        deletes keyed by the ``by`` columns and ``vertex``, these rows give exactly the full rows
        of every window. The window after the last one with edges gives a row for each vertex that
        has left. ``window`` is a single length then, which must be given.
    stable : bool
        Whether components keep their names, and to add the column ``born``. ``window`` is a single
        length then, which must be given.
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
        given), ``vertex`` and ``component``, in the type of the edges' ids. ``component`` is the
        smallest vertex of the vertex's component (strings in the order of their UTF-8 bytes). So
        the name does not depend on the order of the edges. With ``stable=True``, ``component`` is
        the smallest vertex of the component when it was born, which need not be in the window any
        more. The column ``born``, in the type of the edges' times, is then the end of the window
        in which the component was born. Two components may have one ``component``, but not one
        ``born`` as well.

    Raises
    ------
    {refusals}
        {refusals_of_windows}
        - Several windows have no slide, or a window is given twice.
        - Several windows are asked of the index ``"bic"``.
        - ``min_size`` is below 1, or beyond 64 bits.
        - ``window`` is several lengths, and ``updates_only`` or ``stable`` is given.
        - Without a window, ``edges`` is streaming, or ``slide``, ``start_time``, ``updates_only``
          or ``stable`` is given.
    {type_error}
    pyspark.errors.PySparkValueError
        ``observation`` is in use already.
    {jar_error}

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
