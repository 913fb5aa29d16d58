"""What appeared, merged, split or vanished from a window to the next: the schema, and sizes."""

from collections import Counter
from typing import Any, cast

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from oracle import Answer, Edge
from pyspark_bic import bic_changes
from tables import said, static_edges


def collected(found: DataFrame) -> Counter[Answer]:
    start = F.unix_micros("window.start")
    rows = found.select(start, "change", "before", "after", "size").collect()
    return Counter(
        tuple(tuple(each) if isinstance(each, list) else each for each in row) for row in rows
    )


SECOND = 1_000_000
EDGES = [Edge(3, 4, 0), Edge(7, 8, 0), Edge(4, 7, SECOND), Edge(3, 3, 2 * SECOND)]


def test_schema_and_min_size(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES)
    found = cast(Any, edges).bicChanges("1 second", min_size=2)
    assert found.schema.simpleString() == (
        "struct<window:struct<start:timestamp,end:timestamp>,change:string,"
        "before:array<bigint>,after:array<bigint>,size:bigint>"
    )
    assert collected(found) == Counter(
        [
            (0, "appeared", (), (3,), 2),
            (0, "appeared", (), (7,), 2),
            (SECOND, "merged", (3, 7), (4,), 2),
            (2 * SECOND, "vanished", (4,), (), 2),
        ]
    )


def test_names_that_live(spark: SparkSession) -> None:
    # Vertex 3 leaves the component that it has named, and is born again beside it.
    edges = static_edges(
        spark, [Edge(3, 4, 0), Edge(4, 5, 0), Edge(4, 5, SECOND), Edge(3, 3, SECOND)]
    )
    found = cast(Any, edges).bicChanges("1 second", stable=True)
    name = "struct<component:bigint,born:timestamp>"
    assert [field.dataType.simpleString() for field in found.schema][2:4] == [f"array<{name}>"] * 2
    sides = [
        f"transform({side}, name -> struct(name.component, unix_seconds(name.born)))"
        for side in ("before", "after")
    ]
    rows = found.selectExpr("unix_seconds(window.start)", "change", *sides, "size").collect()
    shown = [tuple([*map(tuple, x)] if isinstance(x, list) else x for x in row) for row in rows]
    assert sorted(shown) == [
        (0, "appeared", [], [(3, 1)], 3),
        (1, "split", [(3, 1)], [(3, 1), (3, 2)], 3),
        (2, "vanished", [(3, 1)], [], 2),
        (2, "vanished", [(3, 2)], [], 1),
    ]


def test_one_window_only(spark: SparkSession) -> None:
    with pytest.raises(AnalysisException) as caught:
        bic_changes(static_edges(spark, EDGES), ["1 hour", "1 day"], "1 hour")  # type: ignore[arg-type]
    assert said(caught.value) == (
        "window must be a single length where each window is compared with the window before, not "
        "'1 hour', '1 day'; call once for each length"
    )
