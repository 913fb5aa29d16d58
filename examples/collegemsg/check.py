"""The answers against NetworkX, which computes every window from scratch."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone

import networkx as nx

from messages import Message

# From (window start, source, target) to connected.
Answers = Mapping[tuple[datetime, int, int], bool]
DAY = 24 * 3600


def differences(
    answers: Answers,
    messages: Iterable[Message],
    pairs: Sequence[tuple[int, int]],
    window_days: int,
) -> list[str]:
    """Every way in which `answers` departs from NetworkX; windows slide by a day."""
    by_day: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for message in messages:
        by_day[message.seconds // DAY].append((message.src, message.dst))
    starts = {day - back for day in by_day for back in range(window_days)}
    expected: dict[tuple[datetime, int, int], bool] = {}
    for start in starts:
        graph = nx.Graph(
            edge for day in range(start, start + window_days) for edge in by_day.get(day, ())
        )
        component = {
            vertex: number
            for number, vertices in enumerate(nx.connected_components(graph))
            for vertex in vertices
        }
        begins = datetime.fromtimestamp(start * DAY, timezone.utc)
        for source, target in pairs:
            found = component.get(source)
            joined = found is not None and found == component.get(target)
            expected[begins, source, target] = joined
    missing = object()
    return [
        f"window {key[0]:%Y-%m-%d}, pair {key[1:]}: the stream says "
        f"{answers.get(key, missing)}, NetworkX {expected.get(key, missing)}"
        for key in sorted(answers.keys() | expected.keys())
        if answers.get(key, missing) is not expected.get(key, missing)
    ]
