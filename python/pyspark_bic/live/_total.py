"""The counts of all micro-batches that were seen, though only the last ones are kept."""

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark_bic._metrics import COUNTED, HELD, Metrics, metrics, newest

_SUMMED = ("micro_batches", *COUNTED)


class Total:
    """What micro-batches counted that are no longer kept."""

    def __init__(self) -> None:
        self._counts = metrics([])

    def add(self, progress: Mapping[str, Any]) -> None:
        """Count a micro-batch that will not be kept."""
        self._counts = self._after([progress])

    def to(self, kept: Sequence[Mapping[str, Any]]) -> Metrics:
        """The counts up to the last of the micro-batches that are kept."""
        return self._after(kept)

    def _after(self, later: Sequence[Mapping[str, Any]]) -> Metrics:
        before, found = self._counts, metrics(later)
        for name in _SUMMED:
            found[name] += before[name]
        if not found["graphs"]:
            # None of them was for a graph: the graphs hold what they held.
            found.update({name: before[name] for name in HELD})
        found["watermark"] = found["watermark"] or before["watermark"]
        found["max_event_time"] = newest(before["max_event_time"], found["max_event_time"])
        return found
