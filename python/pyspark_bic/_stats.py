"""How many vertices, edges and components each window has."""

from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic._arguments import Duration
from pyspark_bic._call import answers


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
    A component is a set of vertices that paths made only of edges of the window join. A window
    with at least one edge gives one row.

    The windows are the same as of :func:`pyspark.sql.functions.window`: half-open, aligned to
    1970-01-01 00:00:00 UTC plus ``start_time``. Edges are undirected; a repeated edge counts
    each time it comes; a self-loop makes its vertex occur.

    {streams}

    Parameters
    ----------
    {edges}
    {window_or_table}
    {slide}
    sizes : bool
        Whether to add the column ``sizes``.
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
        given) and four BIGINT columns: ``vertices`` that occur, ``edges`` that came (a repeated
        edge counts each time), connected ``components``, and how many vertices the ``largest``
        component has. With ``sizes=True`` also ``sizes``: an array of structs (``size``,
        ``components``), by rising ``size``, with the number of components of each size.

    Raises
    ------
    {refusals}
        {refusals_of_windows}
        - Several windows have no slide, or a window is given twice.
        - Several windows are asked of the index ``"bic"``.
        - Without a window, ``edges`` is streaming, or ``slide``, ``start_time`` or ``time`` is
          given.
    {type_error}
    pyspark.errors.PySparkValueError
        ``observation`` is in use already.
    {jar_error}

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
    return answers(bic_component_stats, locals())
