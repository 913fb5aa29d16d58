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

    {windows}

    {streams}

    Parameters
    ----------
    {edges}
    window : str or datetime.timedelta
        Length of a window, such as ``"1 hour"``: a duration in weeks or smaller units; one length
        only.
    {slide}
    min_size : int
        Changes whose ``size`` is smaller are left out; 1 keeps all. So a component that has shrunk
        below ``min_size`` gives no row, and a component that has grown to ``min_size`` gives one.
    stable : bool
        Whether components keep their names while they live, as in
        :func:`pyspark_bic.bic_components`.
    growth : bool
        Whether to give the changes ``'grew'`` and ``'shrank'`` too, and the column ``size_before``.
        A stream may be restarted with another ``growth``, if its sink takes the other columns.
    {ends}
    {by}
    {start_time}
    {index}
        ``"auto"`` takes ``"recency"``.
    {observation}

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
    {refusals}
        {refusals_of_windows}
        - ``min_size`` is below 1, or beyond 64 bits.
    {type_error}
    pyspark.errors.PySparkValueError
        ``observation`` is in use already.
    {jar_error}

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
