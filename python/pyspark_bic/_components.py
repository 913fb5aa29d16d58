"""Which components there are in each window, and how many."""

from collections.abc import Iterable

from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, Observation

from pyspark_bic._arguments import wrong
from pyspark_bic._call import Call


def bic_components(
    edges: DataFrame,
    window: str,
    slide: str | None = None,
    *,
    min_size: int = 1,
    src: str = "src",
    dst: str = "dst",
    time: str = "time",
    by: str | Iterable[str] | None = None,
    start_time: str | None = None,
    index: str = "bic",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of ``edges``, tell which vertices occur and in which component.

    Also the method ``bicComponents`` of every DataFrame.
    Windows, streams, late edges and errors are as for :func:`pyspark_bic.bic_connectivity`. A
    window with at least one edge gives one row per vertex that occurs in it.

    Parameters
    ----------
    edges, window, slide, src, dst, time, by, start_time, index, observation
        As for :func:`pyspark_bic.bic_connectivity`.
    min_size : int
        Components of fewer vertices are left out; 1 keeps all.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``), ``vertex`` and
        ``component``, in the type of the edges' ids. ``component`` is the smallest vertex of the
        vertex's component (strings in the order of their UTF-8 bytes), so it does not depend on
        the order of the edges.

    Raises
    ------
    pyspark.errors.AnalysisException
        As for :func:`pyspark_bic.bic_connectivity`, and if ``min_size`` is below 1.
    pyspark.errors.PySparkTypeError, pyspark.errors.PySparkValueError
        An argument of a wrong Python type; a ``min_size`` beyond 64 bits.
    pyspark.errors.PySparkRuntimeError
        The session runs without the jar, or with that of another version.

    Examples
    --------
    >>> edges.bicComponents("1 hour", "5 minutes", min_size=3).show()  # doctest: +SKIP
    """
    if isinstance(min_size, bool) or not isinstance(min_size, int):
        raise PySparkTypeError(message=wrong("min_size", "an int", min_size))
    if min_size >= 2**63:
        raise PySparkValueError(message=f"min_size must fit in 64 bits, but it is {min_size}")
    call = Call(
        edges,
        window,
        slide,
        src=src,
        dst=dst,
        time=time,
        by=by,
        start_time=start_time,
        index=index,
        observation=observation,
    )
    return call.answers(call.api.components, min_size)


def bic_component_stats(
    edges: DataFrame,
    window: str,
    slide: str | None = None,
    *,
    src: str = "src",
    dst: str = "dst",
    time: str = "time",
    by: str | Iterable[str] | None = None,
    start_time: str | None = None,
    index: str = "bic",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of ``edges``, tell how many vertices, edges and components it has.

    Also the method ``bicComponentStats`` of every DataFrame.
    Windows, streams, late edges and errors are as for :func:`pyspark_bic.bic_connectivity`, and
    so are the parameters. A window with at least one edge gives one row.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``) and, all BIGINT,
        ``vertices`` that occur, ``edges`` that came (a repeated one each time), connected
        ``components``, and the vertices of the ``largest`` of these.

    Examples
    --------
    >>> edges.bicComponentStats("1 hour", "5 minutes").show()  # doctest: +SKIP
    """
    call = Call(
        edges,
        window,
        slide,
        src=src,
        dst=dst,
        time=time,
        by=by,
        start_time=start_time,
        index=index,
        observation=observation,
    )
    return call.answers(call.api.componentStats)
