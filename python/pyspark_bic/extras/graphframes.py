"""A window's graph in the columns of GraphFrames, and its components back.

GraphFrames wants vertices in a column ``id``, edges in ``src`` and ``dst``, and answers in a column
``component``. Nothing here imports it: what comes out are DataFrames for ``GraphFrame(v, e)``.
"""

from datetime import datetime
from typing import NamedTuple

from pyspark.errors import PySparkValueError
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from pyspark_bic._arguments import spark_frame
from pyspark_bic._frames import edge_columns, folding, quoted, resolved, window_type
from pyspark_bic._times import has_zone, is_datetime, moments, time_of, time_type


class Graph(NamedTuple):
    """What ``GraphFrame(*graph)`` takes."""

    vertices: DataFrame
    edges: DataFrame


def window_graph(
    edges: DataFrame,
    start: datetime,
    end: datetime,
    *,
    src: str = "src",
    dst: str = "dst",
    time: str = "time",
) -> Graph:
    """The graph of one window, for ``GraphFrame(*window_graph(...))``.

    Parameters
    ----------
    edges : pyspark.sql.DataFrame
        A static frame of edges.
    start, end : datetime.datetime
        The window ``[start, end)``. Without ``tzinfo``, by the clock of the session, as
        ``window.start`` shows it; with it, moments to compare with a TIMESTAMP.
    src, dst, time : str
        Its columns; ``time`` is TIMESTAMP or TIMESTAMP_NTZ.

    Returns
    -------
    Graph
        ``vertices`` with ``id``, each vertex that occurs once; ``edges`` with ``src``, ``dst`` and
        all other columns of the rows of the window. Rows with a null endpoint are left out, as
        they are in connectivity.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``edges`` is no Spark DataFrame, ``start`` or ``end`` is no datetime, or the name of a
        column is no str.
    pyspark.errors.PySparkValueError
        A column is missing or given twice, two columns would have one name, or ``time`` is of
        another type. ``start`` is not before ``end``, or only one of the two has ``tzinfo``. A
        bound has ``tzinfo`` where the times are TIMESTAMP_NTZ, which have no zone. A bound has no
        ``tzinfo``, and the clock of the session shows its time twice or never, because clocks are
        set back or forward.

    Examples
    --------
    >>> graph = window_graph(edges, datetime(2024, 5, 1, 10), datetime(2024, 5, 1, 11))
    >>> GraphFrame(*graph).triangleCount()  # doctest: +SKIP
    """
    source, target, when = edge_columns(edges, src, dst, time)
    kind = time_type(f"column '{when}'", edges.schema[when].dataType)
    if has_zone(is_datetime("start", start)) != has_zone(is_datetime("end", end)):
        raise PySparkValueError(
            message=f"start {start} and end {end} must both have a time zone, or both have none"
        )
    begin, until = moments(edges.sparkSession, kind, start=start, end=end)
    if begin >= until:
        raise PySparkValueError(
            message=f"start must be before end, but {start} is not before {end}"
        )
    at = F.col(quoted(when))
    inside = edges.where((at >= time_of(begin, kind)) & (at < time_of(until, kind)))
    held = _renamed(inside, {source: "src", target: "dst"}).where(
        "src IS NOT NULL AND dst IS NOT NULL"
    )
    ends = held.select(F.explode(F.array("src", "dst")).alias("id"))
    return Graph(ends.distinct(), held)


def window_components(
    components: DataFrame, start: datetime, end: datetime | None = None
) -> DataFrame:
    """The components of one window, as ``GraphFrame.connectedComponents`` shows them.

    Without ``end`` one job reads ``components`` first, to see that all windows from ``start`` on
    end at one time. This job may take long unless ``components`` comes from a table: give ``end``,
    or cache ``components``.

    Parameters
    ----------
    components : pyspark.sql.DataFrame
        What ``bicComponents`` gives.
    start : datetime.datetime
        The start of the window. Without ``tzinfo``, by the clock of the session, as
        ``window.start`` shows it; with it, a moment to compare with a TIMESTAMP.
    end : datetime.datetime, optional
        The end of the window, read like ``start``. It must be given where windows of several
        lengths start at once, and for a stream.

    Returns
    -------
    pyspark.sql.DataFrame
        ``id`` and ``component``, to join with the ``vertices`` of a GraphFrame. ``component`` is
        the smallest vertex of the component, in the type of the ids, where GraphFrames takes a
        BIGINT that it chooses; ``by`` columns, if there are any, stay.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``components`` is no Spark DataFrame, or ``start`` or ``end`` is no datetime.
    pyspark.errors.PySparkValueError
        A column is missing, two columns would have one name, or ``window`` is no window. ``end`` is
        not given, and ``components`` is a stream or has windows of several lengths from ``start``
        on. A bound has ``tzinfo`` where the windows are of TIMESTAMP_NTZ. A bound has no
        ``tzinfo``, and the clock of the session shows its time twice or never, because clocks are
        set back or forward.

    Examples
    --------
    >>> found = window_components(edges.bicComponents("1 hour"), datetime(2024, 5, 1, 10))
    >>> graph.vertices.join(found, "id")  # doctest: +SKIP
    """
    spark_frame("components", components)
    window, vertex, component = resolved(components, ["window", "vertex", "component"])
    kind = window_type(components)

    def bound(name: str, moment: datetime) -> Column:
        micros = moments(components.sparkSession, kind, **{name: moment})[0]
        return F.col(f"window.{name}") == time_of(micros, kind)

    of = components.where(bound("start", start))
    if end is not None:
        of = of.where(bound("end", end))
    elif components.isStreaming:
        raise PySparkValueError(message="components is a stream: give the end of the window too")
    elif len(of.select("window.end").distinct().limit(2).collect()) > 1:
        raise PySparkValueError(
            message=f"windows of several lengths start at {start}: give the end of the window too"
        )
    return _renamed(of.drop(window), {vertex: "id", component: "component"})


def from_edges(edges: DataFrame, time: str, *, src: str = "src", dst: str = "dst") -> DataFrame:
    """The edges of a GraphFrame, ``graph.edges``, with their time under the name ``time``.

    Parameters
    ----------
    edges : pyspark.sql.DataFrame
        Edges with a TIMESTAMP or TIMESTAMP_NTZ column.
    time : str
        That column.
    src, dst : str
        The endpoints.

    Returns
    -------
    pyspark.sql.DataFrame
        ``src``, ``dst``, ``time`` and all other columns: what ``bicConnectivity`` takes as it is.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``edges`` is no Spark DataFrame, or the name of a column is no str.
    pyspark.errors.PySparkValueError
        A column is missing or given twice, or two columns would have one name.

    Examples
    --------
    >>> from_edges(graph.edges, "sent_at").bicComponents("1 hour")  # doctest: +SKIP
    """
    names = edge_columns(edges, src, dst, time)
    return _renamed(edges, dict(zip(names, ["src", "dst", "time"], strict=True)))


def _renamed(frame: DataFrame, names: dict[str, str]) -> DataFrame:
    after = [names.get(column, column) for column in frame.columns]
    fold = folding(frame)
    folded = [fold(name) for name in after]
    twice = sorted({name for name in folded if folded.count(name) > 1})
    if twice:
        raise PySparkValueError(
            message=f"two columns would have the name '{twice[0]}': rename or drop one of them"
        )
    return frame.toDF(*after)
