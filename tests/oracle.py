"""What the answers must be, computed the plain way: each window from scratch, with SciPy.

Times and durations are whole microseconds. Nothing here is shared with the product: windows follow
from their definition (all `[k * slide + start, k * slide + start + window)` that hold the time),
components from `scipy.sparse.csgraph`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import gcd
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Vertex = int
Key = tuple[object, ...]
Pair = tuple[Vertex, Vertex]
# The by columns, then window start, window end, source, target, connected.
Answer = tuple[object, ...]


class Edge(NamedTuple):
    """A row of the input: a null endpoint or time is None; `key` holds the by columns."""

    src: Vertex | None
    dst: Vertex | None
    time: int | None
    key: Key = ()


class Windows(NamedTuple):
    """Length, slide and shift of the windows."""

    length: int
    slide: int
    start: int = 0

    def holding(self, time: int) -> Iterator[int]:
        """The starts of all windows that hold `time`."""
        last = (time - self.start) // self.slide
        first = (time - self.start - self.length) // self.slide + 1
        return (k * self.slide + self.start for k in range(first, last + 1))

    def pane_end(self, time: int) -> int:
        """The end of the pane that holds `time`."""
        pane = gcd(self.length, self.slide)
        return ((time - self.start) // pane + 1) * pane + self.start


def is_whole(edge: Edge) -> bool:
    """Whether the row has both endpoints and a time."""
    return edge.src is not None and edge.dst is not None and edge.time is not None


def answers(edges: Iterable[Edge], windows: Windows, queries: Sequence[Pair]) -> Counter[Answer]:
    """All answers as a multiset of rows."""
    rows: Counter[Answer] = Counter()
    for (key, start), held in inside_windows(edges, windows).items():
        label = components(held)
        for source, target in queries:
            joined = source in label and target in label and label[source] == label[target]
            row = (*key, start, start + windows.length, source, target, joined)
            rows[row] += 1
    return rows


def connected_to(
    edges: Sequence[Edge],
    windows: Windows,
    marked: Iterable[Vertex],
    *,
    updates_only: bool = False,
) -> Counter[Answer]:
    """By columns, window start, vertex, marked vertex, since; by a search over all starts of panes,
    from the latest on. Updates are what differs in vertices from the window before."""
    pane = gcd(windows.length, windows.slide)
    full: dict[tuple[Key, int], dict[Vertex, tuple[Vertex, int]]] = {}
    for key, start in inside_windows(edges, windows):
        end = start + windows.length
        told = full[key, start] = {}
        for since in range(end - pane, start - 1, -pane):
            held = [
                (edge.src, edge.dst)
                for edge in edges
                if edge.src is not None and edge.dst is not None and edge.time is not None
                if edge.key == key and since <= edge.time < end
            ]
            for group in grouped(held) if held else []:
                marks = group & set(marked)
                if marks:
                    told.update({v: (min(marks), since) for v in group if v not in told})
    rows: Counter[Answer] = Counter()
    after = {(key, start + windows.slide) for key, start in full}
    for key, start in full.keys() | (after if updates_only else set()):
        now = full.get((key, start), {})
        before = full.get((key, start - windows.slide), {}) if updates_only else {}
        rows.update((*key, start, v, *now[v]) for v in now.keys() - before.keys())
        rows.update((*key, start, v, None, None) for v in before.keys() - now.keys())
    return rows


def inside_windows(edges: Iterable[Edge], windows: Windows) -> dict[tuple[Key, int], list[Pair]]:
    """The edges of each window that has any, by key and start."""
    inside: dict[tuple[Key, int], list[Pair]] = defaultdict(list)
    for edge in edges:
        if edge.src is not None and edge.dst is not None and edge.time is not None:
            for start in windows.holding(edge.time):
                inside[edge.key, start].append((edge.src, edge.dst))
    return inside


def changes(
    edges: Iterable[Edge],
    windows: Windows,
    *,
    min_size: int = 1,
    stable: bool = False,
    growth: bool = False,
) -> Counter[Answer]:
    """What changed from each window to the one a slide later: by columns, start, change, names of
    the components before and after, vertices of the one that changed. With ``growth`` also the
    components that grew or shrank, and the vertices of all components before."""
    found = names(edges, windows, stable)
    rows: Counter[Answer] = Counter()
    for (key, start), after in found.items():
        before = found.get((key, start - windows.slide), {})
        for here, there, of_none, of_many in (
            (before, after, "vanished", "split"),
            (after, before, "appeared", "merged"),
        ):
            for one, own in here.items():
                sharing = [other for other in there if one & other]
                others = tuple(sorted(there[other] for other in sharing))
                change = of_many if others else of_none
                if len(others) == 1:
                    (old,) = sharing
                    alone = sum(1 for other in here if other & old) == 1
                    differs = growth and here is after and alone and len(one) != len(old)
                    change = ("grew" if len(one) > len(old) else "shrank") if differs else ""
                if change and len(one) >= min_size:
                    sides = ((own,), others) if here is before else (others, (own,))
                    shown = (
                        side if stable else tuple(vertex for vertex, _ in side) for side in sides
                    )
                    old_size = sum(map(len, [one] if here is before else sharing))
                    row = (*key, start, change, *shown, len(one), *([old_size] if growth else []))
                    rows[row] += 1
    return rows


# The smallest vertex of a component when it was born, and the end of that window.
Name = tuple[Vertex, int]
Named = dict[frozenset[Vertex], Name]


def names(edges: Iterable[Edge], windows: Windows, stable: bool) -> dict[tuple[Key, int], Named]:
    """The components of each window, and of the first one without edges after others, with names.

    Without `stable`, the name is the smallest vertex, and all are born at 0.
    """
    held = inside_windows(edges, windows)
    found: dict[tuple[Key, int], Named] = {}
    starts = {(key, at) for key, first in held for at in (first, first + windows.slide)}
    for key, start in sorted(starts, key=lambda window: window[1]):
        now = [frozenset(each) for each in grouped(held.get((key, start), []))]
        before = found.get((key, start - windows.slide), {})
        end = start + windows.length
        found[key, start] = (
            inherited(before, now, end) if stable else {each: (min(each), 0) for each in now}
        )
    return found


def inherited(before: Named, now: Iterable[frozenset[Vertex]], end: int) -> Named:
    """Names of the components `now` of the window that ends at `end`."""
    heirs: dict[frozenset[Vertex], list[frozenset[Vertex]]] = defaultdict(list)
    for old in before:
        sharing = [new for new in now if new & old]
        if sharing:
            heirs[min(sharing, key=lambda new: (-len(new & old), min(new)))].append(old)
    named: Named = {}
    for new in now:
        named[new] = (min(new), end)
        if heirs[new]:
            # Most in common, then born earlier, then the smaller name.
            taken = min(heirs[new], key=lambda old: (-len(old & new), before[old][::-1]))
            named[new] = before[taken]
    return named


def memberships(
    edges: Iterable[Edge], windows: Windows, *, min_size: int, updates_only: bool, stable: bool
) -> Counter[Answer]:
    """By columns, start of the window, vertex, and the name of its component: None for a vertex
    that has left; the time of birth too if names are stable."""
    found = names(edges, windows, stable)
    tables = {
        window: {
            vertex: name for each, name in named.items() if len(each) >= min_size for vertex in each
        }
        for window, named in found.items()
    }
    rows: Counter[Answer] = Counter()
    for (key, start), table in tables.items():
        before = tables.get((key, start - windows.slide), {}) if updates_only else {}
        for vertex in table.keys() | before.keys():
            name = table.get(vertex)
            if name != before.get(vertex):
                shown = (None, None) if name is None else name
                row = (*key, start, vertex, *(shown if stable else shown[:1]))
                rows[row] += 1
    return rows


def grouped(pairs: Sequence[Pair]) -> list[set[Vertex]]:
    """The components as sets of vertices."""
    sets: dict[int, set[Vertex]] = defaultdict(set)
    for vertex, label in components(pairs).items():
        sets[label].add(vertex)
    return list(sets.values())


def largest(pairs: Sequence[Pair], top: int, min_size: int = 1) -> list[Answer]:
    """The `top` largest components: smallest vertex, size, and the vertices in rising order."""
    groups = sorted(grouped(pairs), key=lambda group: (-len(group), min(group)))
    large = [group for group in groups if len(group) >= min_size]
    return [(min(group), len(group), tuple(sorted(group))) for group in large[:top]]


def components(pairs: Sequence[Pair]) -> dict[Vertex, int]:
    """The component of every vertex that occurs in `pairs`, the endpoints of the edges."""
    number: dict[Vertex, int] = {}
    for pair in pairs:
        for vertex in pair:
            number.setdefault(vertex, len(number))
    rows = np.array([number[source] for source, _ in pairs])
    columns = np.array([number[target] for _, target in pairs])
    shape = (len(number), len(number))
    matrix = coo_array((np.ones(len(pairs), dtype=bool), (rows, columns)), shape=shape)
    _, label = connected_components(matrix, directed=False)
    return {vertex: int(label[position]) for vertex, position in number.items()}


def split_late(
    batches: Iterable[Sequence[Edge]], windows: Windows, delay: int
) -> tuple[list[Edge], list[Edge]]:
    """The edges that a stream of micro-batches takes, and those that come too late for it.

    Spark's watermark starts at 1970-01-01 and counts whole milliseconds; a micro-batch runs under
    the watermark that the batches before it have left behind.
    """
    taken: list[Edge] = []
    late: list[Edge] = []
    watermark = 0
    for batch in batches:
        for edge in batch:
            if edge.time is not None and is_whole(edge):
                is_late = windows.pane_end(edge.time) <= watermark * 1000
                (late if is_late else taken).append(edge)
        times = [edge.time // 1000 for edge in batch if edge.time is not None]
        watermark = max([watermark, *(time - delay // 1000 for time in times)])
    return taken, late
