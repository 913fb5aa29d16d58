"""Summing up what the operator counted, on progress objects made by hand."""

import json
import uuid
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from pyspark.errors import PySparkTypeError
from pyspark.sql import Row, SparkSession

from pyspark_bic import _metrics, metrics
from pyspark_bic._metrics import Total

TEN, LATER = "2024-05-01T10:00:00.000Z", "2024-05-01T10:00:07.000Z"
AT_TEN = datetime(2024, 5, 1, 10, tzinfo=timezone.utc)
LAST = datetime.max.replace(tzinfo=timezone.utc)


def progress(
    batch: int, run: int = 1, times: dict[str, str] | None = None, **observed: Row
) -> dict[str, Any]:
    return {
        "runId": uuid.UUID(int=run),
        "batchId": batch,
        "observedMetrics": {f"bicConnectivity_{name}": row for name, row in observed.items()},
        "eventTime": times or {},
    }


def of(query: int, progress: dict[str, Any]) -> dict[str, Any]:
    return {**progress, "id": uuid.UUID(int=query)}


def counted(edges: int, late: int = 0, nulls: int = 0, windows: int = 0) -> Row:
    counts = {"edges": edges, "late_edges": late, "null_rows": nulls, "windows": windows}
    held = {"graphs": 1, "live_vertices": 10 * edges, "live_links": edges, "pending_links": 2}
    took = {"state_bytes": 100, "restored_graphs": 1, "index_ns": 3_000_000, "state_ns": 500}
    # The number of marked vertices, and a second after ten for each edge.
    read = {"asked": 3, "read_at": 1_714_557_600_000 + 1000 * edges if edges else 0}
    return Row(**counts, **held, **took, **read)


FIELDS = [*counted(0).asDict()]
SCHEMA = {"fields": [{"name": name} for name in FIELDS]}
# Those that questions about events have beside.
OF_EVENTS = ["events", "late_events", "waiting_events"]
# The sums of a micro-batch that was for no graph.
NO_GRAPH = Row(**dict.fromkeys(FIELDS))


def test_sums_over_micro_batches_and_over_uses_of_one_query() -> None:
    batches = [progress(0, a=counted(3, late=1), b=counted(10))]
    batches += [progress(1, a=counted(4, nulls=2, windows=5))]
    assert metrics(batches) == {
        "truncated": False,
        "micro_batches": 2,
        "edges": 17,
        "late_edges": 1,
        "null_rows": 2,
        "windows": 5,
        **dict.fromkeys(OF_EVENTS, 0),
        "restored_graphs": 3,
        "index_ns": 9_000_000,
        "state_ns": 1500,
        # What each use held last.
        "graphs": 2,
        "live_vertices": 140,
        "live_links": 14,
        "pending_links": 4,
        "state_bytes": 200,
        "asked": 6,
        "read_at": AT_TEN + timedelta(seconds=4),
        "watermark": None,
        "max_event_time": None,
    }


ONCE = progress(0, a=counted(3))
WAITS = {
    **progress(1, times={"watermark": TEN}),
    "durationMs": {"latestOffset": 0, "triggerExecution": 0},
}
WORKS = {**progress(1, a=counted(5)), "durationMs": {"addBatch": 90}}
ODD = {
    **ONCE["observedMetrics"],
    "mine": Row(edges=7),
    "bicConnectivity_static": Row(edges=5, late_edges=0, null_rows=0, windows=3),
    "bicConnectivityOfMine": Row(rows=7),
    # Of columns as a Connect client sees those of a row.
    "bicConnectivityOfConnect": Row(values=[7], schema="mine"),
    "bicConnectivityOfNone": Row(values=[7], schema={"fields": []}),
}
AHEAD = {"max": "9999-12-31T00:00:00.000Z", "watermark": TEN}
AFTER = {"max": LATER, "watermark": "9999-12-30T00:00:00.000Z"}
# As where seconds were taken from milliseconds: Spark writes such a year with a sign.
FAR = ["9999-12-31T00:00:00.000Z", "+57351-06-01T00:00:00.000Z", "+57350-12-01T00:00:00.000Z"]
OF_FAR = [progress(batch, times={"max": time}) for batch, time in enumerate(FAR)]


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        pytest.param(
            {**ONCE, "observedMetrics": ODD},
            {"edges": 3, "windows": 0, "graphs": 1},
            id="static answers and other observations are left out",
        ),
        pytest.param(
            [ONCE, ONCE, progress(0, run=2, a=counted(5))],
            {"edges": 8},
            id="a micro-batch given twice counts once, and in another run again",
        ),
        pytest.param(
            [ONCE, WAITS, WAITS, WORKS, WAITS],
            {"micro_batches": 2, "edges": 8, "graphs": 1, "watermark": AT_TEN},
            id="a pause is not the micro-batch that follows it",
        ),
        pytest.param(
            [
                progress(i, a=Row(**counted(1).asDict(), events=5, late_events=i, waiting_events=i))
                for i in (1, 2)
            ],
            {"events": 10, "late_events": 3, "waiting_events": 2},
            id="events",
        ),
        pytest.param(WAITS, {"micro_batches": 0, "watermark": AT_TEN}, id="a pause alone"),
        pytest.param(
            [
                of(9, progress(7, a=counted(3))),
                of(8, progress(0, run=3, o=counted(1))),
                of(9, progress(8, run=2, b=counted(5))),
            ],
            {"edges": 9, "graphs": 2, "live_vertices": 60},
            id="what is held is that of the last run",
        ),
        pytest.param(
            [ONCE, progress(1, a=NO_GRAPH)],
            {"edges": 3, "live_links": 3, "asked": 3, "read_at": AT_TEN + timedelta(seconds=3)},
            id="a micro-batch for no graph keeps what is held",
        ),
        pytest.param(
            [progress(0, times=AHEAD), progress(1, times=AFTER), progress(2)],
            {
                "max_event_time": datetime(9999, 12, 31, tzinfo=timezone.utc),
                "watermark": datetime(9999, 12, 30, tzinfo=timezone.utc),
            },
            id="the last watermark and the newest time",
        ),
        pytest.param(OF_FAR, {"max_event_time": LAST}, id="years of five digits"),
        pytest.param(OF_FAR[::-1], {"max_event_time": LAST}, id="in another order"),
    ],
)
def test_what_is_counted(source: Any, wanted: dict[str, Any]) -> None:
    found = metrics(source)
    assert {name: found[name] for name in wanted} == wanted


def test_no_progress_yet() -> None:
    assert {*metrics(None)} == {
        *FIELDS,
        *OF_EVENTS,
        *("micro_batches", "watermark", "max_event_time", "truncated"),
    }
    assert not any(metrics(None).values()) and metrics([]) == metrics(None)


@pytest.mark.parametrize("of_connect", [False, True])
def test_progress_that_was_kept_as_json(of_connect: bool) -> None:
    def written(row: Row) -> dict[str, Any]:
        held = row.asDict()
        return {"values": [*held.values()], "schema": SCHEMA} if of_connect else held

    kept = [
        {**progress(batch), "runId": "run", "observedMetrics": {"bicConnectivity-a": written(row)}}
        for batch, row in enumerate([counted(3, late=1), NO_GRAPH])
    ]
    found = metrics(json.loads(json.dumps(each)) for each in kept)
    assert (found["micro_batches"], found["edges"], found["late_edges"]) == (2, 3, 1)


def test_it_is_a_mapping_with_attributes_and_prints_as_a_table() -> None:
    times = {"max": LATER, "watermark": TEN}
    found = metrics(progress(0, times=times, a=counted(1234, late=5)))
    assert found.edges == found["edges"] == dict(found)["edges"] == {**found}["edges"] == 1234
    assert len(found) == len([*found]) and found == dict(found)
    with pytest.raises(KeyError):
        found["micro_batch"]
    with pytest.raises(AttributeError):
        found.edges = 0  # type: ignore[misc]
    assert repr(found) == str(found)
    lines = str(found).splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["micro-batches", "1"],
        ["edges", "taken", "in", "1,234"],
        ["late", "edges,", "dropped", "5"],
    ]
    assert lines[-1] == f"newest time seen{'2024-05-01 10:00:07 UTC':>46}"
    assert len({len(line) for line in lines}) == 1
    assert [line.split()[-1] for line in lines if "ms in" in line] == ["3.0", "0.0"]
    assert str(metrics([])).splitlines()[-1].endswith("none yet")
    html = found._repr_html_()
    assert html.startswith("<table><tr><td>micro-batches</td>") and "1,234</td>" in html


class Query:
    """A query that remembers three progress objects, as Spark remembers a hundred."""

    def __init__(self, first: int) -> None:
        self.recentProgress: list[Any] = []
        self.next = first

    def run(self, batches: int) -> "Query":
        for _ in range(batches):
            self.recentProgress.append(progress(self.next, a=counted(10)))
            self.next += 1
        del self.recentProgress[:-3]
        return self


def test_the_sums_of_a_long_stream_do_not_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_metrics, "_remembered", lambda: 3)
    query: Any = Query(0)
    edges = [metrics(query.run(1)).edges for _ in range(10)]
    assert edges == [10 * n for n in range(1, 11)]
    assert metrics(query).edges == 100 and not metrics(query).truncated
    # Two of five go unseen.
    found = metrics(query.run(5))
    assert (found.edges, found.micro_batches, found.truncated) == (130, 13, True)
    assert "Spark has forgotten" in str(found)
    # A query that is asked late says so; one that was started again begins with a later number.
    asked_late: Any = Query(0)
    started_again: Any = Query(70)
    assert metrics(asked_late.run(4)).truncated
    assert not metrics(started_again.run(2)).truncated


def test_what_was_forgotten_stays_where_nothing_later_tells_of_it() -> None:
    """A micro-batch that was for no graph, and without an edge: the counters of one are null."""
    first = progress(0, times={"watermark": TEN, "max": FAR[1]}, a=counted(3))
    second = progress(1, a=NO_GRAPH)
    total = Total()
    total.add(first)
    assert total.to([second]) == metrics([first, second])
    assert total.to([])["live_vertices"] == 30 and total.to([])["read_at"] is not None
    assert total.to(OF_FAR[:1])["max_event_time"] == LAST


def test_refuses_what_is_no_progress(spark: SparkSession) -> None:
    # Frames and columns hand out columns of any name, that of a query's progress as well.
    frame: Any = spark.range(1).withColumnRenamed("id", "recentProgress")
    these = "source must be a StreamingQuery, a StreamingQueryProgress or a list of these, not "
    refused: list[tuple[Any, str]] = [
        (3, f"{these}3 (int)"),
        ("mine", f"{these}'mine' (str)"),
        ([3], "source[0] must be a StreamingQueryProgress, not 3 (int)"),
        ({}, f"{these}{{}} (dict)"),
        (frame, these),
        (frame.recentProgress, these),
    ]
    for source, text in refused:
        with pytest.raises(PySparkTypeError) as caught:
            metrics(source)
        assert str(caught.value).startswith(text)
