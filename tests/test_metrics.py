"""Summing up what the operator counted, on progress objects made by hand."""

import uuid
from typing import Any

import pytest
from pyspark.errors import PySparkTypeError
from pyspark.sql import Row

from pyspark_bic import metrics

RUN = uuid.UUID(int=1)


def progress(batch: int, run: uuid.UUID = RUN, **observed: Row) -> dict[str, Any]:
    return {"runId": run, "batchId": batch, "observedMetrics": observed}


def counted(edges: int, late: int | None = 0, nulls: int = 0, windows: int = 0) -> Row:
    return Row(edges=edges, late_edges=late, null_rows=nulls, windows=windows)


def test_sums_over_micro_batches_and_over_uses_of_one_query() -> None:
    found = metrics(
        [
            progress(0, bicConnectivity_a=counted(3, late=1), bicConnectivity_b=counted(10)),
            progress(1, bicConnectivity_a=counted(4, nulls=2, windows=5)),
        ]
    )
    assert found == {"edges": 17, "late_edges": 1, "null_rows": 2, "windows": 5}


def test_other_observations_are_left_out() -> None:
    found = metrics(progress(0, mine=Row(edges=7), bicConnectivity_a=counted(1)))
    assert found == {"edges": 1, "late_edges": 0, "null_rows": 0, "windows": 0}


def test_a_micro_batch_given_twice_counts_once() -> None:
    once = progress(0, bicConnectivity_a=counted(3))
    after_restart = progress(0, run=uuid.UUID(int=2), bicConnectivity_a=counted(5))
    assert metrics([once, once, after_restart])["edges"] == 8


def test_a_sum_over_no_rows_counts_as_zero() -> None:
    assert metrics(progress(0, bicConnectivity_a=counted(3, late=None)))["late_edges"] == 0


def test_no_progress_yet() -> None:
    assert metrics([]) == {"edges": 0, "late_edges": 0, "null_rows": 0, "windows": 0}


def test_refuses_what_is_no_progress() -> None:
    with pytest.raises(PySparkTypeError) as caught:
        metrics(3)  # type: ignore[arg-type]
    assert str(caught.value) == (
        "source must be a StreamingQuery, a StreamingQueryProgress or a list of these, not 3 (int)"
    )
    with pytest.raises(PySparkTypeError) as caught:
        metrics([3])  # type: ignore[list-item]
    assert str(caught.value) == "source[0] must be a StreamingQueryProgress, not 3 (int)"
