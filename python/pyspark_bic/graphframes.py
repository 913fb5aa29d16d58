"""A window's graph in the columns of GraphFrames, and its components back.

GraphFrames wants vertices in a column ``id``, edges in ``src`` and ``dst``, and answers in a column
``component``. Nothing here imports it: what comes out are DataFrames for ``GraphFrame(v, e)``.
"""

from datetime import datetime
from typing import NamedTuple

from pyspark.errors import PySparkValueError
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from pyspark_bic._frames import clock_time, require, wall_clock


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
        The window ``[start, end)``, by the clock of the session, as ``window.start`` shows it.
    src, dst, time : str
        Its columns.

    Returns
    -------
    Graph
        ``vertices`` with ``id``, each vertex that occurs once; ``edges`` with ``src``, ``dst`` and
        all other columns of the rows of the window. Rows with a null endpoint are left out, as
        they are in connectivity.

    Raises
    ------
    pyspark.errors.PySparkValueError
        A column is missing, two would have one name, or ``start`` is not before ``end``.

    Examples
    --------
    >>> graph = window_graph(edges, datetime(2024, 5, 1, 10), datetime(2024, 5, 1, 11))
    >>> GraphFrame(*graph).triangleCount()  # doctest: +SKIP
    """
    require(edges.columns, [src, dst, time])
    if start >= end:
        raise PySparkValueError(
            message=f"start must be before end, but {start} is not before {end}"
        )
    clock = wall_clock(time)
    inside = edges.where((clock >= clock_time(start)) & (clock < clock_time(end)))
    held = _renamed(inside, {src: "src", dst: "dst"}).where("src IS NOT NULL AND dst IS NOT NULL")
    ends = held.select(F.explode(F.array("src", "dst")).alias("id"))
    return Graph(ends.distinct(), held)


def window_components(components: DataFrame, start: datetime) -> DataFrame:
    """The components of one window, as ``GraphFrame.connectedComponents`` shows them.

    Parameters
    ----------
    components : pyspark.sql.DataFrame
        What ``bicComponents`` gives.
    start : datetime.datetime
        The start of the window, by the clock of the session.

    Returns
    -------
    pyspark.sql.DataFrame
        ``id`` and ``component``, to join with the ``vertices`` of a GraphFrame. ``component`` is
        the smallest vertex of the component, in the type of the ids, where GraphFrames takes a
        BIGINT that it chooses; ``by`` columns, if there are any, stay.
    """
    require(components.columns, ["window", "vertex", "component"])
    of = components.where(wall_clock("window.start") == clock_time(start)).drop("window")
    return _renamed(of, {"vertex": "id"})


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
    """
    require(edges.columns, [src, dst, time])
    return _renamed(edges, {src: "src", dst: "dst", time: "time"})


def _renamed(frame: DataFrame, names: dict[str, str]) -> DataFrame:
    after = [names.get(column, column) for column in frame.columns]
    twice = sorted({name for name in after if after.count(name) > 1})
    if twice:
        raise PySparkValueError(
            message=f"two columns would have the name '{twice[0]}': rename or drop one of them"
        )
    return frame.toDF(*after)
