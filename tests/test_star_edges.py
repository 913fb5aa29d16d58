"""`star_edges`: edges between the entities of an event, as a loop over its rows makes them."""

from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pyspark_bic import bic_components, star_edges
from tables import run_to_end

SCHEMA = "account long, Device string, `card.no` int, at long, site string"
TYPES = {"account": "account", "Device": "Device", "card.no": "card.no"}

Event = tuple[int | None, str | None, int | None, int, str]


def events_of(spark: SparkSession, rows: list[Event]) -> DataFrame:
    frame = spark.createDataFrame(rows, SCHEMA)
    return frame.withColumn("time", F.timestamp_seconds("at")).drop("at")


def stars(rows: list[Event], types: dict[str, str] = TYPES) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for *ids, at, site in rows:
        held = [
            f"{kind}:{value}"
            for kind, value in zip(types.values(), ids, strict=True)
            if value is not None
        ]
        for other in held[1:] or held:
            found[(held[0], other, at, site)] += 1
    return found


def collected(edges: DataFrame) -> Counter[Any]:
    rows = edges.select("src", "dst", F.unix_seconds("time"), "site").collect()
    return Counter(map(tuple, rows))


ids = st.one_of(st.none(), st.integers(0, 3))
event = st.tuples(
    ids,
    st.one_of(st.none(), st.sampled_from(["", "a", "a:b", "0"])),
    ids,
    st.integers(0, 9),
    st.just("eu"),
)


@given(rows=st.lists(event, min_size=1, max_size=8))
@settings(max_examples=8)
def test_edges_are_those_of_a_loop(spark: SparkSession, rows: list[Event]) -> None:
    edges = star_edges(events_of(spark, rows), list(TYPES), keep="site")
    assert edges.columns == ["src", "dst", "time", "site"]
    assert collected(edges) == stars(rows)


def test_two_columns_of_one_type_meet(spark: SparkSession) -> None:
    rows: list[Event] = [(1, "x", 2, 5, "eu"), (2, "y", 3, 6, "eu"), (None, None, None, 7, "eu")]
    types = {"account": "person", "device": "device", "card.no": "person"}
    edges = star_edges(events_of(spark, rows), types, keep=["site"])
    assert collected(edges) == stars(rows, types)
    groups = bic_components(edges.drop("site"))
    assert {row.component for row in groups.collect()} == {"device:x"}


def test_a_stream_keeps_its_watermark(spark: SparkSession, tmp_path: Path) -> None:
    events = events_of(
        spark, [(1, "x", 2, 5, "eu"), (2, "x", 3, 6, "eu"), (9, None, None, 90, "eu")]
    )
    events.coalesce(1).write.parquet(str(tmp_path / "in"))
    stream = spark.readStream.schema(events.schema).parquet(str(tmp_path / "in"))
    edges = star_edges(stream.withWatermark("time", "1 second"), ["account", "device"], keep="site")
    answers = bic_components(edges, "10 seconds", by="site")
    run_to_end(answers, tmp_path / "out", tmp_path / "checkpoint")
    found = spark.read.parquet(str(tmp_path / "out")).select("vertex", "component").collect()
    assert sorted(map(tuple, found)) == [
        ("account:1", "account:1"),
        ("account:2", "account:1"),
        ("device:x", "account:1"),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"entities": "account"}, "entities must be a list of column names"),
        ({"entities": ["account", 7]}, r"entities\[1\] must be a str, not 7"),
        ({"entities": {"account": 7}}, r"entities\['account'\] must be a str"),
        ({"entities": ["account"]}, "there is only 'account'"),
        ({"entities": []}, "there are none"),
        ({"entities": ["account", "ip"]}, "there is no column 'ip', only account"),
        ({"entities": ["account", "ACCOUNT"]}, "column 'account' is given twice"),
        ({"entities": {"account": "a:b", "Device": "d"}}, "'a:b' cannot be the type"),
        ({"entities": ["account", "tags"]}, r"'tags' of entities is of the type ARRAY"),
        ({"time": "when"}, "there is no column 'when'"),
        ({"keep": "time"}, "'time' of keep has the name of a column of the edges"),
        ({"keep": ["site", "site"]}, "'site' of keep is given twice"),
        ({"events": [1]}, "events must be a Spark DataFrame"),
        ({"events": pd.DataFrame()}, r"give spark\.createDataFrame"),
    ],
)
def test_arguments_that_are_refused(
    spark: SparkSession, arguments: dict[str, Any], message: str
) -> None:
    events = events_of(spark, [(1, "x", 2, 5, "eu")]).withColumn("tags", F.array(F.lit("a")))
    given = {"events": events, "entities": ["account", "Device"], **arguments}
    with pytest.raises((PySparkTypeError, PySparkValueError), match=message):
        star_edges(**given)


def test_ids_that_spark_may_take_for_equal_are_refused(spark: SparkSession) -> None:
    def refusal(frame: DataFrame) -> str:
        with pytest.raises(PySparkValueError) as caught:
            star_edges(frame, {"payer": "account", "payee": "account"})
        return str(caught.value)

    name = f"padded_{uuid4().hex}"
    spark.sql(
        f"CREATE TABLE {name} (payer CHAR(4), payee VARCHAR(6), time TIMESTAMP) USING parquet"
    )
    try:
        table = spark.table(name)
        assert refusal(table) == (
            "column 'payer' of entities is of the type CHAR(4), which Spark pads with spaces: give "
            "rtrim(...), cast to STRING"
        )
        trimmed = table.withColumn("payer", F.rtrim("payer").cast("string"))
        assert star_edges(trimmed, ["payer", "payee"]).columns == ["src", "dst", "time"]
        if not spark.version.startswith("3."):
            for collation, refused in {
                "UTF8_LCASE": True,
                "UNICODE_CI": True,
                "UNICODE": False,
            }.items():
                folded = trimmed.withColumn("payer", F.expr(f"payer COLLATE {collation}"))
                if refused:
                    assert f"COLLATE {collation}, in which different ids may be equal" in refusal(
                        folded
                    )
                else:
                    star_edges(folded, ["payer", "payee"])
    finally:
        spark.sql(f"DROP TABLE {name}")
