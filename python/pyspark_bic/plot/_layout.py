"""Where the vertices of a drawing go.

Each component is laid out by itself with springs along edges and repulsion between all vertices
(Fruchterman and Reingold 1991), in a disc whose area goes with its vertices; the discs are then
set beside each other, the largest first, each as near the middle as it fits. The start is a circle
turned by the golden angle, with no random part, so that the same graph gives the same picture. A
component of n vertices costs n² per round: drawings are of some hundreds of vertices.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

ROUNDS = 120
_GOLDEN = math.pi * (3 - math.sqrt(5))
_GAP = 0.5


def spring(vertices: int, links: Sequence[tuple[int, int]]) -> Points:
    """``vertices`` positions in the unit disc for a connected graph with these links."""
    turn = np.arange(vertices) * _GOLDEN
    reach = np.sqrt((np.arange(vertices) + 0.5) / vertices)
    at = np.column_stack([reach * np.cos(turn), reach * np.sin(turn)])
    if vertices < 3:
        return at * 0.5 if vertices == 1 else np.array([[-0.7, 0.0], [0.7, 0.0]])
    drawn = [link for link in links if link[0] != link[1]]
    # Two columns even where there is no link.
    ends = np.array(drawn, dtype=np.intp).reshape(-1, 2)
    left, right = ends[:, 0], ends[:, 1]
    ideal = 1.2 / math.sqrt(vertices)
    for round_ in range(ROUNDS):
        apart = at[:, None, :] - at[None, :, :]
        squared = np.maximum((apart**2).sum(axis=2), 1e-6)
        push = (apart * (ideal**2 / squared)[:, :, None]).sum(axis=1)
        along = at[left] - at[right]
        pull = along * (np.linalg.norm(along, axis=1) / ideal)[:, None]
        np.subtract.at(push, left, pull)
        np.add.at(push, right, pull)
        length = np.maximum(np.linalg.norm(push, axis=1), 1e-9)
        limit = 0.2 * (1 - round_ / ROUNDS)
        at += push * (np.minimum(length, limit) / length)[:, None]
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
