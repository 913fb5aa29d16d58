"""Summing up what the operator counted, on progress objects made by hand."""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.errors import PySparkTypeError
from pyspark.sql import Row, SparkSession

from pyspark_bic import _metrics, metrics
from pyspark_bic._metrics import Total

RUN = uuid.UUID(int=1)


def progress(
    batch: int, run: uuid.UUID = RUN, times: dict[str, str] | None = None, **observed: Row
) -> dict[str, Any]:
    return {
        "runId": run,
        "batchId": batch,
        "observedMetrics": observed,
        "eventTime": times or {},
    }


def counted(edges: int | None, late: int = 0, nulls: int = 0, windows: int = 0) -> Row:
    if edges is None:
        return Row(**dict.fromkeys(FIELDS))
    counts = Row(edges=edges, late_edges=late, null_rows=nulls, windows=windows)
    held = {"graphs": 1, "live_vertices": 10 * edges, "live_links": edges, "pending_links": 2}
    return Row(
        **counts.asDict(),
        **held,
        state_bytes=100,
        restored_graphs=1,
        index_ns=3_000_000,
        state_ns=500,
    )


FIELDS = (
    *("edges", "late_edges", "null_rows", "windows"),
    *("graphs", "live_vertices", "live_links", "pending_links", "state_bytes"),
    *("restored_graphs", "index_ns", "state_ns"),
)

SCHEMA = {"fields": [{"name": name} for name in counted(0).asDict()]}


def test_sums_over_micro_batches_and_over_uses_of_one_query() -> None:
    found = metrics(
        [
            progress(0, bicConnectivity_a=counted(3, late=1), bicConnectivity_b=counted(10)),
            progress(1, bicConnectivity_a=counted(4, nulls=2, windows=5)),
        ]
    )
    assert found == {
        "truncated": False,
        "micro_batches": 2,
        "edges": 17,
        "late_edges": 1,
        "null_rows": 2,
        "windows": 5,
        "restored_graphs": 3,
        "index_ns": 9_000_000,
        "state_ns": 1500,
        # What each use held last.
        "graphs": 2,
        "live_vertices": 140,
        "live_links": 14,
        "pending_links": 4,
        "state_bytes": 200,
        "watermark": None,
        "max_event_time": None,
    }


def test_other_observations_are_left_out() -> None:
    found = metrics(progress(0, mine=Row(edges=7), bicConnectivity_a=counted(1)))
    assert found["edges"] == 1


def test_static_answers_and_observations_with_a_name_like_ours_are_left_out() -> None:
    static = Row(edges=5, late_edges=0, null_rows=0, windows=3)
    found = metrics(
        progress(
            0,
            bicConnectivity_a=counted(1),
            bicConnectivity_static=static,
            bicConnectivityOfMine=Row(rows=7),
        )
    )
    assert (found["edges"], found["windows"], found["graphs"]) == (1, 0, 1)


def test_a_micro_batch_given_twice_counts_once() -> None:
    once = progress(0, bicConnectivity_a=counted(3))
    after_restart = progress(0, run=uuid.UUID(int=2), bicConnectivity_a=counted(5))
    assert metrics([once, once, after_restart])["edges"] == 8


def test_a_pause_is_not_the_micro_batch_that_follows_it() -> None:
    waits = {
        **progress(1, times={"watermark": "2024-05-01T10:00:00.000Z"}),
        "durationMs": {"latestOffset": 0, "triggerExecution": 0},
    }
    works = {**progress(1, bicConnectivity_a=counted(5)), "durationMs": {"addBatch": 90}}
    found = metrics([progress(0, bicConnectivity_a=counted(3)), waits, waits, works, waits])
    assert (found["micro_batches"], found["edges"], found["graphs"]) == (2, 8, 1)
    assert metrics(waits)["watermark"] == found["watermark"] == "2024-05-01T10:00:00.000Z"
    assert metrics(waits)["micro_batches"] == 0


def test_what_is_held_is_that_of_the_last_run() -> None:
    before = {**progress(7, bicConnectivity_a=counted(3)), "id": uuid.UUID(int=9)}
    other = {
        **progress(0, run=uuid.UUID(int=3), bicConnectivity_o=counted(1)),
        "id": uuid.UUID(int=8),
    }
    after = {
        **progress(8, run=uuid.UUID(int=2), bicConnectivity_b=counted(5)),
        "id": uuid.UUID(int=9),
    }
    found = metrics([before, other, after])
    assert (found["edges"], found["graphs"], found["live_vertices"]) == (9, 2, 60)


def test_a_micro_batch_for_no_graph_counts_as_zero_and_keeps_what_is_held() -> None:
    found = metrics(
        [progress(0, bicConnectivity_a=counted(3)), progress(1, bicConnectivity_a=counted(None))]
    )
    assert (found["edges"], found["live_links"]) == (3, 3)


@pytest.mark.parametrize(
    "written", [dict, lambda row: {"values": [*row.values()], "schema": SCHEMA}]
)
def test_progress_that_was_kept_as_json(written: Callable[[Any], dict[str, Any]]) -> None:
    rows = [counted(3, late=1), counted(None)]
    kept = [
        json.dumps(
            {
                **progress(batch),
                "runId": str(RUN),
                "observedMetrics": {"bicConnectivity-a": written(row.asDict())},
            }
        )
        for batch, row in enumerate(rows)
    ]
    found = metrics(map(json.loads, kept))
    assert (found["micro_batches"], found["edges"], found["late_edges"]) == (2, 3, 1)


@pytest.mark.parametrize("source", [None, []])
def test_no_progress_yet(source: list[Any] | None) -> None:
    found = metrics(source)
    assert set(found) == {*FIELDS, "micro_batches", "watermark", "max_event_time", "truncated"}
    assert not any(found.values())


def test_the_watermark_and_the_newest_time_of_all_micro_batches() -> None:
    ahead = {"max": "9999-12-31T00:00:00.000Z", "watermark": "2024-05-01T10:00:00.000Z"}
    after = {"max": "2024-05-01T10:00:07.000Z", "watermark": "9999-12-30T00:00:00.000Z"}
    found = metrics([progress(0, times=ahead), progress(1, times=after), progress(2)])
    assert (found["max_event_time"], found["watermark"]) == (ahead["max"], after["watermark"])


def test_the_newest_time_in_years_of_five_digits() -> None:
    """As where seconds were taken from milliseconds: Spark writes such a year with a sign."""
    times = ["9999-12-31T00:00:00.000Z", "+57351-06-01T00:00:00.000Z", "+57350-12-01T00:00:00.000Z"]
    batches = [progress(batch, times={"max": time}) for batch, time in enumerate(times)]
    for order in (batches, batches[::-1]):
        assert metrics(order)["max_event_time"] == times[1]
    total = Total()
    total.add(batches[1])
    assert total.to(batches[:1])["max_event_time"] == times[1]


def test_it_prints_as_a_table() -> None:
    times = {"max": "2024-05-01T10:00:07.000Z", "watermark": "2024-05-01T10:00:00.000Z"}
    found = metrics(progress(0, times=times, bicConnectivity_a=counted(1234, late=5)))
    assert repr(found) == str(found)
    assert [line.split() for line in str(found).splitlines()[:3]] == [
        ["micro-batches", "1"],
        ["edges", "taken", "in", "1,234"],
        ["late", "edges,", "dropped", "5"],
    ]
    assert str(found).splitlines()[-1] == (
        "newest time seen                      2024-05-01T10:00:07.000Z"
    )
    assert len({len(line) for line in str(found).splitlines()}) == 1
    milliseconds = [line.split()[-1] for line in str(found).splitlines() if "ms in" in line]
    assert milliseconds == ["3.0", "0.0"]
    assert str(metrics([])).splitlines()[-1].endswith("none yet")


def test_a_users_observation_with_a_name_like_ours_and_columns_like_those_of_connect() -> None:
    mine = Row(values=[7], schema="mine")
    found = metrics(progress(0, bicConnectivity_a=counted(1), bicConnectivityOfMine=mine))
    assert found["edges"] == 1
    odd = Row(values=[7], schema={"fields": []})
    assert metrics(progress(0, bicConnectivityOfMine=odd))["edges"] == 0


class Query:
    """A query that remembers three progress objects, as Spark remembers a hundred."""

    def __init__(self, first: int) -> None:
        self.recentProgress: list[Any] = []
        self.next = first

    def run(self, batches: int) -> "Query":
        for _ in range(batches):
            self.recentProgress.append(progress(self.next, bicConnectivity_a=counted(10)))
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


def test_a_query_that_was_asked_late_says_that_micro_batches_are_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_metrics, "_remembered", lambda: 3)
    late: Any = Query(0)
    assert metrics(late.run(4)).truncated
    # One that was started again begins with a later micro-batch.
    again: Any = Query(70)
    assert not metrics(again.run(2)).truncated


def test_what_was_forgotten_stays_where_nothing_later_tells_of_it() -> None:
    """A micro-batch that was for no graph, and without an edge: the counters of one are null."""
    held = {"edges": 3, "graphs": 1, "live_vertices": 5, "live_links": 4, "pending_links": 2}
    row = dict.fromkeys([*_metrics.COUNTED, *_metrics.HELD], 1) | held
    first, second = (
        {"runId": "run", "batchId": batch, "observedMetrics": {"bicConnectivity-1": counts}}
        for batch, counts in enumerate([row, dict.fromkeys(row)])
    )
    first["eventTime"] = {
        "watermark": "2024-05-01T10:00:00.000Z",
        "max": "2024-05-01T11:00:00.000Z",
    }
    total = Total()
    total.add(first)
    assert total.to([second]) == metrics([first, second])
    assert total.to([])["live_vertices"] == 5


def test_it_is_a_mapping_with_attributes_and_a_table_of_html() -> None:
    found = metrics(progress(0, bicConnectivity_a=counted(1234)))
    assert found.edges == found["edges"] == dict(found)["edges"] == {**found}["edges"] == 1234
    assert len(found) == len([*found]) and found == dict(found)
    with pytest.raises(KeyError):
        found["micro_batch"]
    with pytest.raises(AttributeError):
        found.edges = 0  # type: ignore[misc]
    html = found._repr_html_()
    assert html.startswith("<table><tr><td>micro-batches</td>") and "1,234</td>" in html
    assert repr(_metrics.Metrics()).splitlines()[-1].endswith("none yet")


def test_refuses_what_is_no_progress() -> None:
    with pytest.raises(PySparkTypeError) as caught:
        metrics(3)  # type: ignore[arg-type]
    assert str(caught.value) == (
        "source must be a StreamingQuery, a StreamingQueryProgress or a list of these, not 3 (int)"
    )
    with pytest.raises(PySparkTypeError, match="a list of these, not 'mine'"):
        metrics("mine")  # type: ignore[arg-type]
    with pytest.raises(PySparkTypeError) as caught:
        metrics([3])  # type: ignore[list-item]
    assert str(caught.value) == "source[0] must be a StreamingQueryProgress, not 3 (int)"
    with pytest.raises(PySparkTypeError) as caught:
        metrics({})
    assert str(caught.value).endswith("a StreamingQueryProgress or a list of these, not {} (dict)")


def test_refuses_frames_and_columns(spark: SparkSession) -> None:
    """Which hand out columns of any name, that of a query's progress as well."""
    frame: Any = spark.range(1).withColumnRenamed("id", "recentProgress")
    for other in (frame, frame.recentProgress):
        with pytest.raises(PySparkTypeError, match="source must be a StreamingQuery, a Streaming"):
            metrics(other)
