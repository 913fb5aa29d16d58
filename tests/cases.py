"""Random inputs: edges with repeats, self-loops, gaps and ties, windows of any kind, queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any

from hypothesis import strategies as st

from oracle import Edge, Key, Pair, Windows

_INT64 = st.integers(-(2**63), 2**63 - 1)
_SECOND = 1_000_000

INDEXES = ("bic", "recency")


@dataclass(frozen=True)
class Case:
    windows: Windows
    by: tuple[str, ...]
    index: str
    edges: tuple[Edge, ...]
    queries: tuple[Pair, ...]


@dataclass(frozen=True)
class StreamCase(Case):
    """`edges` are in the order in which they come, cut into `batches`."""

    batches: tuple[tuple[Edge, ...], ...]
    delay: int
    in_time: bool
    restart_after: int


def closing_vertex(case: Case) -> int:
    """A vertex of no edge and no query, so that an edge of it has no row but in components."""
    ends = {vertex for edge in case.edges for vertex in (edge.src, edge.dst)}
    asked = {vertex for pair in case.queries for vertex in pair}
    return next(vertex for vertex in count() if vertex not in ends | asked)


def arguments(case: Case) -> dict[str, Any]:
    """What every method of the product is given for this case."""
    return {
        "window": f"{case.windows.length} microseconds",
        "slide": f"{case.windows.slide} microseconds",
        "start_time": f"{case.windows.start} microseconds",
        "by": case.by,
        "index": case.index,
    }


@st.composite
def windows(draw: st.DrawFn, units: Sequence[int]) -> Windows:
    size = draw(st.sampled_from(units))
    slide = draw(st.integers(1, 12))
    length = draw(st.integers(slide, 6 * slide + 5))
    start = draw(st.one_of(st.just(0), st.integers(1 - slide, slide - 1)))
    return Windows(length * size, slide * size, start * size)


@st.composite
def cases(
    draw: st.DrawFn,
    units: Sequence[int] = (1, 1000, _SECOND, 7 * 60 * _SECOND, 3600 * _SECOND),
    origins: Sequence[int] = (-(10**15), -1, 0, 1_082_040_961_000_001),
    nulls: bool = False,
) -> Case:
    shape = draw(windows(units))
    vertices = draw(
        st.one_of(
            st.integers(1, 6).map(lambda count: list(range(count))),
            st.just(list(range(-20, 20))),
            st.lists(_INT64, min_size=1, max_size=12, unique=True),
        )
    )
    by: tuple[str, ...] = draw(st.sampled_from([(), ("region",), ("region", "shard")]))
    keys: list[Key] = draw(
        st.lists(
            st.tuples(st.sampled_from(["eu", "", None]), st.integers(-1, 1)),
            min_size=1,
            max_size=3,
            unique=True,
        )
    )
    # Mostly small steps and ties, at times about a window, at times a gap of many windows.
    pane = shape.slide
    step = st.one_of(
        st.just(0),
        st.integers(0, max(1, pane // 3)),
        st.integers(0, 2 * shape.length),
        st.integers(0, 1000 * shape.length),
    )
    vertex = st.sampled_from(vertices)
    count = draw(st.integers(1, 60))
    time = draw(st.sampled_from(origins))
    edges = []
    for _ in range(count):
        time += draw(step)
        key = draw(st.sampled_from(keys))[: len(by)]
        edge = Edge(draw(vertex), draw(vertex), time, key)
        if nulls and draw(st.integers(0, 14)) == 0:
            edge = draw(st.sampled_from(_with_a_null(edge)))
        edges.append(edge)
    asked = st.one_of(vertex, vertex, vertex, _INT64)
    queries = draw(st.lists(st.tuples(asked, asked), min_size=1, max_size=8))
    index = draw(st.sampled_from(INDEXES))
    return Case(shape, by, index, tuple(edges), tuple(queries))


@st.composite
def stream_cases(draw: st.DrawFn) -> StreamCase:
    case = draw(
        cases(
            units=(1000, _SECOND, 3600 * _SECOND),
            origins=(-10 * _SECOND, 0, 1_082_040_961_000_001),
            nulls=True,
        )
    )
    delay = draw(st.integers(0, 2 * case.windows.length // 1000)) * 1000
    in_time = draw(st.booleans())
    if in_time:
        # An edge that is held back by no more than the delay is never late: whatever came before
        # it is at most that much younger.
        shift = st.integers(0, delay)
        arrival = [(edge.time or 0) + draw(shift) for edge in case.edges]
        order = sorted(range(len(arrival)), key=arrival.__getitem__)
        edges = [case.edges[position] for position in order]
    else:
        edges = draw(st.permutations(case.edges))
    cuts = sorted(draw(st.sets(st.integers(1, max(1, len(edges) - 1)), max_size=4)))
    bounds = [0, *[cut for cut in cuts if cut < len(edges)], len(edges)]
    batches = tuple(tuple(edges[low:high]) for low, high in pairwise(bounds))
    return StreamCase(
        case.windows,
        case.by,
        case.index,
        tuple(edges),
        case.queries,
        batches,
        delay,
        in_time,
        restart_after=draw(st.integers(0, len(batches))),
    )


def _with_a_null(edge: Edge) -> list[Edge]:
    return [edge._replace(src=None), edge._replace(dst=None), edge._replace(time=None)]
