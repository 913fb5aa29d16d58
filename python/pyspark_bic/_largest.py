"""The largest components of each window, one row a component."""

from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic._arguments import Duration
from pyspark_bic._call import answers


def bic_largest_components(
    edges: DataFrame,
    window: Duration | Iterable[Duration] | None = None,
    slide: Duration | None = None,
    *,
    top: int = 10,
    min_size: int = 1,
    members: bool = False,
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
    Windows, streams, late edges and errors are as for :func:`pyspark_bic.bic_connectivity`. A
    window with at least one edge gives one row per component, for at most ``top`` components.

    Parameters
    ----------
    edges, slide, src, dst, time, by, start_time, index, observation
        As for :func:`pyspark_bic.bic_connectivity`.
    window : str, or list of str, optional
        As for :func:`pyspark_bic.bic_connectivity`. Without a window the answer is about the whole
        static table, as for :func:`pyspark_bic.bic_components`.
    top : int
        The most components of a window, at least 1. Larger components come before smaller
        components. Of components of one size, the component with the smaller smallest vertex comes
        first.
    min_size : int
        Components of fewer vertices are left out, even where fewer than ``top`` are left; 1 keeps
        all.
    members : bool
        Whether to add the column ``members``.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``; only if a window is
        given), ``component`` and ``size`` (BIGINT, the number of vertices). ``component`` is the
        smallest vertex of the component, in the type of the edges' ids. With ``members=True`` also
        ``members``: an array of all vertices of the component, in rising order. Strings are in the
        order of their UTF-8 bytes.

    Raises
    ------
    pyspark.errors.AnalysisException
        As for :func:`pyspark_bic.bic_components`, and if ``top`` is below 1.
    pyspark.errors.PySparkTypeError
        An argument is of a wrong Python type, such as a DataFrame of pandas.
    pyspark.errors.PySparkValueError
        ``top`` or ``min_size`` is beyond 64 bits, or ``observation`` is in use already.
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
    return answers("bic_largest_components", locals())
