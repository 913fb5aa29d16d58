"""The alerts of a page: pairs that have become connected, and which of them have just come."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from pyspark_bic._frames import folding, quoted, window_bounds, window_of, window_type

# Rows that are compared with those of the look before, and rows that the page shows.
COMPARED = 1_000
SHOWN = 20


class Alert(NamedTuple):
    """A row with ``connected``: the pair, with its graph where there are several."""

    pair: str
    start: datetime
    end: datetime
    since: str
    until: int


@dataclass(frozen=True)
class Alerts:
    """The alerts of the latest windows, the latest first, and which of them are new."""

    known: frozenset[Alert] | None = None
    rows: list[Alert] = field(default_factory=list)
    news: frozenset[Alert] = frozenset()

    @property
    def shown(self) -> list[Alert]:
        """New alerts before the others."""
        return sorted(self.rows, key=lambda alert: alert not in self.news)[:SHOWN]

    def after(self, answers: DataFrame, final: int | None = None) -> "Alerts":
        """The alerts at a later look; of the first look none is new.

        ``final`` is the time in microseconds after which all windows of ``answers`` end; the rows
        of earlier windows are known.
        """
        fold = folding(answers)
        columns = [fold(name) for name in answers.columns]
        if not {"window", "source", "target", "connected"} <= set(columns):
            return Alerts()
        kind = window_type(answers)
        graph = [
            name
            for name in columns
            if name not in {"window", "source", "target", "connected", "since"}
        ]
        pair = F.concat_ws(" and ", F.col("source").cast("string"), F.col("target").cast("string"))
        label = F.concat_ws(": ", *(F.col(quoted(name)).cast("string") for name in graph), pair)
        since = F.col("since").cast("string") if "since" in columns else F.lit("")
        found = (
            answers.where("connected")
            .select(label.alias("pair"), since.alias("since"), *window_bounds(kind), "window.end")
            .orderBy(F.desc("end"), "pair")
            .limit(COMPARED)
            .collect()
        )
        rows = []
        for row in found:
            window = window_of(row[2:6])
            rows.append(Alert(row[0], window.start, window.end, row[1] or "", window.until))
        news = frozenset() if self.known is None else frozenset(rows) - self.known
        if final is not None:
            rows += [alert for alert in self.rows if alert.until <= final]
        rows = rows[:COMPARED]
        return Alerts(frozenset(rows), rows, news)
