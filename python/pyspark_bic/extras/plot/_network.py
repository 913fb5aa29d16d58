"""The edges of a window as a graph of networkx, and a drawing of one ring or one path."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import networkx as nx
from matplotlib.figure import Figure
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from pyspark_bic._arguments import wrong
from pyspark_bic.extras import _colours
from pyspark_bic.extras.graphframes import window_graph
from pyspark_bic.extras.plot import _style

_MOST = 400
_PLAIN = {"node_size": 90, "font_size": 8, "font_color": _colours.INK}


def to_networkx(
    edges: DataFrame,
    start: datetime,
    end: datetime,
    *,
    vertices: Iterable[Any] | None = None,
    src: str = "src",
    dst: str = "dst",
    time: str = "time",
) -> nx.MultiDiGraph:
    """The edges of one window as a graph of networkx, which comes to the driver.

    Parameters
    ----------
    edges : pyspark.sql.DataFrame
        A static frame of edges.
    start, end : datetime.datetime
        The window ``[start, end)``: without ``tzinfo`` by the clock of the session, with it
        moments to compare with a TIMESTAMP.
    vertices : iterable, optional
        Only edges among these come, such as the ``members`` of a ring; by default all edges.
    src, dst, time : str
        The columns of ``edges``; ``time`` is TIMESTAMP or TIMESTAMP_NTZ.

    Returns
    -------
    networkx.MultiDiGraph
        An edge for each row, from ``src`` to ``dst``, with all other columns as its attributes.
        Connectivity itself takes no notice of directions.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``edges`` is no Spark DataFrame, ``start`` or ``end`` is no datetime, or the name of a
        column is no str.
    pyspark.errors.PySparkValueError
        A column is missing or of another type, ``start`` is not before ``end``, or their time
        zones do not fit.

    Examples
    --------
    >>> ring = plot.to_networkx(edges, start, end, vertices=row.members)  # doctest: +SKIP
    """
    held = window_graph(edges, start, end, src=src, dst=dst, time=time).edges
    if vertices is not None:
        wanted = list(vertices)
        held = held.where(F.col("src").isin(wanted) & F.col("dst").isin(wanted))
    graph = nx.MultiDiGraph()
    for row in held.collect():
        attributes = row.asDict()
        graph.add_edge(attributes.pop("src"), attributes.pop("dst"), **attributes)
    return graph


def network(graph: nx.Graph, path: Iterable[Any] = ()) -> Figure:
    """Draw a graph of networkx with the names of its vertices, and a path in it.

    Parameters
    ----------
    graph : networkx.Graph
        A graph of any kind, such as :func:`to_networkx` gives; at most 400 vertices.
    path : iterable of pyspark.sql.Row, optional
        The ``path`` of a row of ``bicPaths``: its edges are drawn in another colour.

    Returns
    -------
    matplotlib.figure.Figure
        The same graph gives the same picture.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``graph`` is no graph of networkx.
    pyspark.errors.PySparkValueError
        The graph has no vertices, or more than 400.

    Examples
    --------
    >>> plot.network(ring, path=row.path).savefig("ring.png")  # doctest: +SKIP
    """
    if not isinstance(graph, nx.Graph):
        raise PySparkTypeError(message=wrong("graph", "a graph of networkx", graph))
    if not 0 < len(graph) <= _MOST:
        raise PySparkValueError(
            message=f"a drawing has 1 to {_MOST} vertices, but the graph has {len(graph)}: give "
            "to_networkx the vertices to draw"
        )
    plain = nx.Graph(graph)
    marked = {frozenset((row["src"], row["dst"])) for row in path}
    colours = [
        _colours.ORANGE if frozenset(ends) in marked else _colours.TEAL for ends in plain.edges
    ]
    of_path = frozenset().union(*marked)
    figure, [axes] = _style.figure(1, (7, 5))
    nx.draw_networkx(
        plain,
        nx.spring_layout(plain, seed=7),
        ax=axes,
        edge_color=colours,
        node_color=[_colours.ORANGE if each in of_path else _colours.TEAL for each in plain],
        verticalalignment="bottom",
        **_PLAIN,
    )
    axes.set_axis_off()
    axes.margins(0.12)
    return figure
