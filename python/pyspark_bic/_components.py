"""Which components there are in each window, how many, and which came, joined, parted or went."""

from collections.abc import Iterable

from pyspark.sql import DataFrame, Observation

from pyspark_bic._arguments import duration
from pyspark_bic._call import answers


def bic_components(
    edges: DataFrame,
    window: str | Iterable[str],
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
    return answers("bic_components", locals())


def bic_component_stats(
    edges: DataFrame,
    window: str | Iterable[str],
    slide: str | None = None,
    *,
    sizes: bool = False,
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
    so are the parameters, but ``sizes``. A window with at least one edge gives one row.

    Parameters
    ----------
    edges, window, slide, src, dst, time, by, start_time, index, observation
        As for :func:`pyspark_bic.bic_connectivity`.
    sizes : bool
        Whether to add the column ``sizes``.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``) and, all BIGINT,
        ``vertices`` that occur, ``edges`` that came (a repeated one each time), connected
        ``components``, and the vertices of the ``largest`` of these. With ``sizes=True``, also
        ``sizes``: an array of structs (``size``, ``components``), by rising ``size``, of how many
        components there are of each size.

    Raises
    ------
    pyspark.errors.AnalysisException
        As for :func:`pyspark_bic.bic_connectivity`.
    pyspark.errors.PySparkTypeError
        An argument of a wrong Python type.
    pyspark.errors.PySparkRuntimeError
        The session runs without the jar, or with that of another version.

    Examples
    --------
    >>> edges.bicComponentStats("1 hour", "5 minutes").show()  # doctest: +SKIP
    """
    return answers("bic_component_stats", locals())


def bic_changes(
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
    """For each sliding window of ``edges``, tell which components changed since the one before.

    Also the method ``bicChanges`` of every DataFrame.
    The window before is the one that starts one ``slide`` earlier. The definition, naively: take
    the components of both windows as sets of vertices; a window without edges has none. Then

    - a component of this window has *appeared* if it shares a vertex with no component of the
      window before, and *merged* if it shares vertices with several of them;
    - a component of the window before has *vanished* if it shares a vertex with no component of
      this window, and *split* if it shares vertices with several of them.

    Each of these gives one row. Others give none, even where they have grown or shrunk. So a
    window without edges gives rows if the one before it has edges: everything vanished. Windows,
    streams, late edges and errors are as for :func:`pyspark_bic.bic_connectivity`; the rows
    depend neither on the order of the edges nor on restarts.

    Parameters
    ----------
    edges, slide, src, dst, time, by, start_time, index, observation
        As for :func:`pyspark_bic.bic_connectivity`.
    window : str
        Length of a window, such as ``"1 hour"``; one length only.
    min_size : int
        Changes whose ``size`` is smaller are left out; 1 keeps all.

    Returns
    -------
    pyspark.sql.DataFrame
        The ``by`` columns, then ``window`` (struct with ``start`` and ``end``), ``change``
        (``'appeared'``, ``'merged'``, ``'split'`` or ``'vanished'``), ``before`` and ``after``
        (arrays of the components concerned, of the window before and of this one, each named by
        its smallest vertex in that window, in rising order; empty where there is none), and
        ``size`` (BIGINT): how many vertices the component has that appeared or merged, in this
        window, or that split or vanished, in the window before.

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
    >>> edges.bicChanges("1 hour", "5 minutes", min_size=3).show()  # doctest: +SKIP
    """
    duration("window", window)
    return answers("bic_changes", locals())
