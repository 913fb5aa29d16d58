"""The list of the questions about windows, as the tests over all questions ask them.

A new question has its entries here. The tests of the law, of equal ways to ask, of SQL and
of types take them from here, and name none.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, cast

from pyspark.sql import DataFrame

import oracle
from oracle import Answer, Edge, Pair, Windows
from pyspark_bic._methods import METHODS

InWindow = Callable[[Sequence[Pair], int, Sequence[Pair]], list[Answer]]
OverWindows = Callable[[Sequence[Edge], Windows, int], Counter[Answer]]
InTime = Callable[[Sequence[Edge], Windows, Sequence[Pair]], Counter[Answer]]


@dataclass(frozen=True)
class Question:
    """A question with arguments of its own.

    ``own`` makes them of a number: the least size of components, which may serve as another number
    too. ``columns`` tell an answer, in SQL, behind the ``by`` columns and the window. The rows are
    from scratch: ``in_window`` makes those of one window, of its edges, the number and the pairs,
    ``over_windows`` those of questions that compare windows, and ``in_time`` those that depend on
    the times within a window. If it ``marks``, the sources of the pairs are marked. On a stream,
    the columns ``as_of_then`` tell what held in the micro-batch of a row.
    """

    method: str
    columns: Sequence[str]
    in_window: InWindow | None = None
    over_windows: OverWindows | None = None
    in_time: InTime | None = None
    compares_rows: bool = False
    own: Callable[[int], dict[str, Any]] = lambda _: {}
    needs_recency: bool = False
    as_of_then: Sequence[str] = ()
    marks: bool = True

    @property
    def compares(self) -> bool:
        """Whether windows are compared, which are of one length then."""
        return self.over_windows is not None or self.compares_rows

    @property
    def takes_tables(self) -> bool:
        """Whether it can be asked of a whole table."""
        window = signature(METHODS[self.method]).parameters["window"]
        return window.default is None and not self.compares

    def arguments(self, pairs: Any, size: int = 2, **more: Any) -> dict[str, Any]:
        """All arguments: its own, the pairs if it takes any, and ``more``."""
        given = {**more, **self.own(size)}
        taken = signature(METHODS[self.method]).parameters
        if "queries" in taken:
            given["queries"] = pairs
        if "marked" in taken and self.marks:
            given["marked"] = (
                pairs.withColumnRenamed("source", "vertex").drop("target")
                if isinstance(pairs, DataFrame)
                else [source for source, _ in pairs]
            )
        return given

    def ask(self, edges: DataFrame, pairs: Any, size: int = 2, **more: Any) -> DataFrame:
        """The answers, by the method of the frame."""
        return cast(DataFrame, getattr(edges, self.method)(**self.arguments(pairs, size, **more)))

    def in_sql(self, view: str, pairs: Any, size: int = 2, **more: Any) -> str:
        """The same as a statement of SQL."""
        given = self.arguments(pairs, size, **more)
        terms = [f"TABLE({view})", *(f"`{name}` => {literal(given[name])}" for name in given)]
        return f"SELECT * FROM {METHODS[self.method].__name__}({', '.join(terms)})"

    def rows(
        self, edges: Sequence[Edge], windows: Windows, pairs: Sequence[Pair], size: int
    ) -> Counter[Answer]:
        """From scratch: the key, the start of the window, and the columns of the answer."""
        if self.over_windows is not None:
            return self.over_windows(edges, windows, size)
        if self.in_time is not None:
            return self.in_time(edges, windows, pairs)
        assert self.in_window is not None
        return Counter(
            (*key, start, *row)
            for (key, start), held in oracle.inside_windows(edges, windows).items()
            for row in self.in_window(held, size, pairs)
        )

    def lasting(self, rows: Counter[Answer], columns: Sequence[str]) -> Counter[Answer]:
        """The rows without what a later edge may change, once an early row has come."""
        kept = [
            place
            for place, column in enumerate(columns)
            if not any(name in column for name in self.as_of_then)
        ]
        return Counter(tuple(row[place] for place in kept) for row in rows.elements())


def literal(value: Any) -> str:
    """A value as SQL writes it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, list):
        return f"array({', '.join(map(literal, value))})"
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))})"
    return f"'{value}'"


def _pairs(held: Sequence[Pair], _: int, pairs: Sequence[Pair]) -> list[Answer]:
    label = oracle.components(held)
    return [(s, t, s in label and t in label and label[s] == label[t]) for s, t in pairs]


def _members(held: Sequence[Pair], size: int, _: Sequence[Pair]) -> list[Answer]:
    large = [group for group in oracle.grouped(held) if len(group) >= size]
    return [(vertex, min(group)) for group in large for vertex in group]


def _largest(held: Sequence[Pair], size: int, _: Sequence[Pair]) -> list[Answer]:
    return oracle.largest(held, size, size)


def _largest_marked(held: Sequence[Pair], size: int, pairs: Sequence[Pair]) -> list[Answer]:
    marks = {source for source, _ in pairs}
    groups = [tuple(sorted(group)) for group in oracle.grouped(held) if marks & set(group)]
    large = [group for group in groups if len(group) >= size]
    largest = sorted(large, key=lambda group: (-len(group), group[0]))[:size]
    return [(group[0], len(group), len(marks & set(group)), group) for group in largest]


def _stats(held: Sequence[Pair], _size: int, _: Sequence[Pair]) -> list[Answer]:
    groups = oracle.grouped(held)
    sizes = Counter(map(len, groups))
    counts = (sum(map(len, groups)), len(held), len(groups), max(sizes))
    return [(*counts, tuple(sorted(sizes.items())))]


def _of_marked(*, early: bool = False, updates_only: bool = False) -> Question:
    def rows(edges: Sequence[Edge], windows: Windows, pairs: Sequence[Pair]) -> Counter[Answer]:
        marked = [source for source, _ in pairs]
        return oracle.connected_to(edges, windows, marked, updates_only=updates_only)

    return Question(
        "bicConnectedTo",
        ("vertex", "marked", "unix_micros(since)"),
        in_time=rows,
        own=lambda _: {"early": early, "updates_only": updates_only},
        needs_recency=early,
        as_of_then=("marked", "since") if early else (),
        compares_rows=updates_only,
    )


def _of_pairs(**own: bool) -> Question:
    columns = ("source", "target", "connected")
    return Question("bicConnectivity", columns, _pairs, own=lambda _: own, needs_recency=bool(own))


def _of_members(*, updates_only: bool = False, stable: bool = False) -> Question:
    def rows(edges: Sequence[Edge], windows: Windows, size: int) -> Counter[Answer]:
        return oracle.memberships(
            edges, windows, min_size=size, updates_only=updates_only, stable=stable
        )

    return Question(
        "bicComponents",
        ("vertex", "component", *(["unix_micros(born)"] if stable else [])),
        over_windows=rows,
        own=lambda size: {"min_size": size, "updates_only": updates_only, "stable": stable},
    )


def _of_changes(*, stable: bool = False, growth: bool = False) -> Question:
    def rows(edges: Sequence[Edge], windows: Windows, size: int) -> Counter[Answer]:
        return oracle.changes(edges, windows, min_size=size, stable=stable, growth=growth)

    # Stable names with the time of birth as the oracle has it.
    name = "struct(name.component, unix_micros(name.born))" if stable else "name"
    sides = [f"transform({side}, name -> {name})" for side in ("before", "after")]
    return Question(
        "bicChanges",
        ("change", *sides, "size", *(["size_before"] if growth else [])),
        over_windows=rows,
        own=lambda size: {"min_size": size, "stable": stable, "growth": growth},
    )


QUESTIONS: dict[str, Question] = {
    "pairs": _of_pairs(),
    "early": _of_pairs(early=True),
    "since": _of_pairs(since=True),
    "connected updates": _of_marked(updates_only=True),
    "connected early": _of_marked(early=True),
    "connected to": _of_marked(),
    "components": Question(
        "bicComponents", ("vertex", "component"), _members, own=lambda size: {"min_size": size}
    ),
    "updates": _of_members(updates_only=True),
    "stable": _of_members(stable=True),
    "stable updates": _of_members(updates_only=True, stable=True),
    "largest": Question(
        "bicLargestComponents",
        ("component", "size", "members"),
        _largest,
        own=lambda size: {"top": size, "min_size": size, "members": True},
        marks=False,
    ),
    "largest marked": Question(
        "bicLargestComponents",
        ("component", "size", "marked", "members"),
        _largest_marked,
        own=lambda size: {"top": size, "min_size": size, "members": True},
    ),
    "statistics": Question(
        "bicComponentStats",
        ("vertices", "edges", "components", "largest", "sizes"),
        _stats,
        own=lambda _: {"sizes": True},
    ),
    "changes": _of_changes(),
    "growth": _of_changes(growth=True),
    "stable changes": _of_changes(stable=True, growth=True),
}
# One of each function, with most of its arguments.
ONE_EACH: dict[str, Question] = {each.method: each for each in QUESTIONS.values()}
