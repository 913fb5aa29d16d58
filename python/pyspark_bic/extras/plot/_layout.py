"""Where the vertices of a drawing go.

networkx lays each component out by itself, in a disc whose area goes with its vertices. The discs
are then set beside each other, the largest first, each as near the middle as it fits. A component
of n vertices costs n² per round: drawings are of some hundreds of vertices.
"""

import math
from collections.abc import Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_GAP = 0.5


def spring(vertices: int, links: Sequence[tuple[int, int]]) -> Points:
    """``vertices`` positions in the unit disc for a connected graph with these links."""
    if vertices < 3:
        return np.zeros((1, 2)) if vertices == 1 else np.array([[-0.7, 0.0], [0.7, 0.0]])
    graph = nx.Graph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(links)
    # With a seed, so that the same graph gives the same picture.
    found = nx.spring_layout(graph, seed=7, iterations=120)
    at = np.array([found[vertex] for vertex in range(vertices)])
    at -= at.mean(axis=0)
    return at / max(float(np.linalg.norm(at, axis=1).max()), 1e-9)


def radius(vertices: int) -> float:
    """Radius of the disc of a component: its area goes with the vertices."""
    return math.sqrt(vertices)


def pack(radii: Sequence[float]) -> Points:
    """Centres for discs that do not overlap, in the given order, round the first."""
    placed: list[tuple[float, float, float]] = []
    for size in radii:
        placed.append(_place(size, placed))
    return np.array([(x, y) for x, y, _ in placed])


def _place(size: float, placed: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    if not placed:
        return 0.0, 0.0, size
    best: tuple[float, float, float] | None = None
    for x, y, other in placed:
        reach = other + size + _GAP
        for step in range(72):
            angle = step * math.pi / 36
            spot = x + reach * math.cos(angle), y + reach * math.sin(angle)
            free = all(
                math.dist(spot, (a, b)) >= size + taken + _GAP - 1e-9 for a, b, taken in placed
            )
            # Wider than high, as the figure is.
            far = math.hypot(spot[0] * 0.7, spot[1])
            if free and (best is None or far < best[0]):
                best = (far, *spot)
    assert best is not None, "beside the outermost disc there is always room"
    return best[1], best[2], size
